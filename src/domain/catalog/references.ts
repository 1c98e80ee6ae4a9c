import { z } from "zod/v3";
import type { Catalog } from "./catalog.ts";
import { catalogFileSchemas, kindOf } from "./catalog-files.ts";
import type { CatalogFolder } from "./catalog-folder.ts";
import { type Referent, referents, unwrapped } from "./fields.ts";
import { isObject } from "./overlay.ts";
import { namedPath } from "./schema-mistakes.ts";

type Path = readonly (string | number)[];

/** Reports names of records that do not exist, in every field whose schema refers to others. */
export function checkReferences(folder: CatalogFolder, catalog: Catalog): void {
  const known = knownIn(catalog);
  for (const file of folder.files) {
    const kind = kindOf(file);
    if (!kind) continue;
    const content = folder.read(kind, file);
    for (const { referent, steps } of referringFields(catalogFileSchemas[kind]))
      for (const [name, path] of valuesAt(content, steps).filter(([name]) => !known[referent].has(name)))
        folder.reportUnknown(file, namedPath(kind, content, path), referent, name, known[referent]);
  }
}

function knownIn(catalog: Catalog): Readonly<Record<Referent, ReadonlySet<string>>> {
  const { places, zones, vehicleClasses, regions, roads, luggage, corridors, serviceArea } = catalog;
  const idsOf = (records: readonly { readonly id: string }[]) => new Set(records.map(({ id }) => id));
  const codesOf = (regions: readonly { readonly code: string }[]) => new Set(regions.map(({ code }) => code));
  return {
    airport: idsOf(places.filter(({ kind }) => kind === "airport")),
    canton: codesOf(regions.cantons),
    corridor: new Set(corridors.map(({ key }) => key)),
    country: codesOf(regions.countries),
    "country of service-area.json": new Set(serviceArea.countries),
    place: idsOf(places),
    "place or zone": idsOf([...places, ...zones]),
    road: new Set(
      roads.edges.flatMap(({ name, from, to }) => [...(name ? [name] : []), `${from} ${to}`, `${to} ${from}`]),
    ),
    "road node": new Set(roads.nodes.keys()),
    "special item": new Set(luggage.specialItems.map(({ kind }) => kind)),
    "vehicle class": idsOf(vehicleClasses),
  };
}

/** A field whose values refer to records, by the way to it through the content. */
interface ReferringField {
  readonly referent: Referent;
  readonly steps: readonly string[];
}

/** Steps into all entries of a list or map, and to all keys of a map. */
const EACH = "*";
const KEYS = "* key";

function referringFields(schema: z.ZodTypeAny, steps: readonly string[] = []): readonly ReferringField[] {
  const type = unwrapped(schema);
  const referent = referents.get(type);
  if (referent !== undefined) return [{ referent, steps }];
  if (type instanceof z.ZodUnion) return type.options.flatMap((each: z.ZodTypeAny) => referringFields(each, steps));
  if (type instanceof z.ZodArray) return referringFields(type.element, [...steps, EACH]);
  if (type instanceof z.ZodRecord)
    return [
      ...referringFields(type.keySchema, [...steps, KEYS]),
      ...referringFields(type.valueSchema, [...steps, EACH]),
    ];
  if (!(type instanceof z.ZodObject)) return [];
  return Object.entries<z.ZodTypeAny>(type.shape).flatMap(([key, field]) => referringFields(field, [...steps, key]));
}

/** The values with their paths. Content that does not match its schema, which is reported apart, refers to nothing. */
function valuesAt(content: unknown, [step, ...steps]: readonly string[], path: Path = []): readonly [string, Path][] {
  if (step === undefined) return typeof content === "string" ? [[content, path]] : [];
  if (step === EACH && Array.isArray(content)) return content.flatMap((each, n) => valuesAt(each, steps, [...path, n]));
  if (!isObject(content)) return [];
  if (step === KEYS) return Object.keys(content).map((key) => [key, [...path, key]]);
  if (step !== EACH) return content[step] === undefined ? [] : valuesAt(content[step], steps, [...path, step]);
  return Object.entries(content).flatMap(([key, each]) => valuesAt(each, steps, [...path, key]));
}
