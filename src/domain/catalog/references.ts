import { z } from "zod/v3";
import type { Catalog } from "./catalog.ts";
import { type CatalogKind, catalogKinds, kindOf } from "./catalog-files.ts";
import { type Referent, referents, unwrapped } from "./fields.ts";
import type { Findings } from "./finding.ts";
import { checkLogo } from "./load-operator.ts";
import { checkPlaceholders } from "./load-texts.ts";
import { nearOrAllowed } from "./nearest-name.ts";
import { type CatalogContents, contentsOf } from "./read-contents.ts";
import { namedPath } from "./schema-mistakes.ts";

type Path = readonly (string | number)[];

/** Checks what files of a catalog say about each other: with a mistake in that it cannot be used. */
export function checkReferences(contents: CatalogContents, catalog: Catalog, findings: Findings): void {
  checkNames(contents, catalog, findings);
  checkPlaces(contents, catalog, findings);
  checkClasses(catalog, findings);
  checkPlaceholders(contents, findings);
  checkLogo(contents, findings);
}

/** Names of records that do not exist, in every field whose schema refers to others. */
function checkNames({ files }: CatalogContents, catalog: Catalog, { mistake }: Findings): void {
  const known = knownIn(catalog);
  const called = calledIn(catalog);
  for (const [file, content] of files) {
    const kind = kindOf(file) as CatalogKind;
    for (const [referent, name, path] of namesIn(catalogKinds[kind].schema, content)) {
      if (known[referent].has(name)) continue;
      const lower = name.toLowerCase();
      const [, meant] = called.find(([each, id]) => known[referent].has(id) && each.toLowerCase() === lower) ?? [];
      const near = meant === undefined ? nearOrAllowed(name, known[referent]) : `; did you mean ${meant}?`;
      const listed = referent === "place" || referent === "place or zone" ? "; the command places lists them" : "";
      mistake(file, namedPath(kind, content, path), `unknown ${referent} ${name}${near || listed}`);
    }
  }
}

/** What people write in place of ids and codes, and these. */
function calledIn({ places, regions, vehicleClasses, luggage }: Catalog): readonly (readonly [string, string])[] {
  const all: readonly (readonly [string, readonly string[]])[] = [
    ...places.map(({ id, name, iata = name, aliases }) => [id, [name, iata, ...aliases]] as const),
    ...[...regions.countries, ...regions.cantons].map(({ code, names }) => [code, names] as const),
    ...vehicleClasses.map(({ id, type }) => [id, [type]] as const),
    ...luggage.specialItems.map(({ kind, one, many }) => [kind, [one, many]] as const),
  ];
  return all.flatMap(([id, names]) => names.map((name) => [name, id] as const));
}

function checkPlaces(contents: CatalogContents, { places }: Catalog, { mistake }: Findings): void {
  const byId = new Map(places.map((place) => [place.id, place]));
  for (const [file, { places }] of contentsOf(contents, "places"))
    for (const { id, node, partOf, carFree } of places) {
      const town = partOf === undefined ? undefined : byId.get(partOf);
      if (!byId.has(id) && node === undefined)
        mistake(file, id, `lat and lng are missing, and so is a road node ${id} to take them from`);
      if (town?.partOf !== undefined) mistake(file, `${id}.partOf`, `${partOf} is itself a part of ${town.partOf}`);
      if (carFree && byId.get(carFree.carStop)?.carFree)
        mistake(file, `${id}.carFree.carStop`, `cars do not reach ${carFree.carStop}`);
    }
}

export const NOT_OWN = "missing, so that the example of the package would be sold: add your own, as init writes it";

function checkClasses({ vehicleClasses, tariff, zones, places, sources }: Catalog, { mistake }: Findings): void {
  const unpriced = vehicleClasses.filter(({ id }) => !Object.hasOwn(tariff.rates, id));
  // Own rates beside the classes of the package, or the other way round.
  const notOwn = ["tariff.json", "vehicle-classes.json"].find((file) => sources.get(file) === "packaged");
  if (unpriced.length > 0 && notOwn !== undefined) mistake(notOwn, "", NOT_OWN);
  else
    for (const { id } of unpriced)
      mistake("tariff.json", `rates.${id}`, "missing, but vehicle-classes.json lists this class: add its rates");
  const placeIds = new Set(places.map(({ id }) => id));
  for (const { id } of zones) if (placeIds.has(id)) mistake("zones.json", id, "a place has this id");
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

/** Names of other records in content that matches its schema, with what they refer to and their paths. */
function* namesIn(schema: z.ZodTypeAny, content: unknown, path: Path = []): Generator<[Referent, string, Path]> {
  const type = unwrapped(schema);
  const referent = referents.get(type);
  if (referent !== undefined && typeof content === "string") yield [referent, content, path];
  else if (type instanceof z.ZodUnion) for (const each of type.options) yield* namesIn(each, content, path);
  else if (type instanceof z.ZodArray && Array.isArray(content))
    for (const [n, each] of content.entries()) yield* namesIn(type.element, each, [...path, n]);
  else if (type instanceof z.ZodRecord)
    for (const [key, each] of Object.entries(Object(content))) {
      yield* namesIn(type.keySchema, key, [...path, key]);
      yield* namesIn(type.valueSchema, each, [...path, key]);
    }
  else if (type instanceof z.ZodObject)
    for (const [key, field] of referringFields(type)) yield* namesIn(field, Object(content)[key], [...path, key]);
}

/** By object schema, because most fields of most records refer to nothing. */
const fieldsOf = new WeakMap<z.AnyZodObject, readonly [string, z.ZodTypeAny][]>();

function referringFields(object: z.AnyZodObject): readonly [string, z.ZodTypeAny][] {
  const fields =
    fieldsOf.get(object) ?? Object.entries<z.ZodTypeAny>(object.shape).filter(([, field]) => refers(field));
  fieldsOf.set(object, fields);
  return fields;
}

function refers(schema: z.ZodTypeAny): boolean {
  const type = unwrapped(schema);
  if (type instanceof z.ZodUnion) return type.options.some(refers);
  if (type instanceof z.ZodArray) return refers(type.element);
  if (type instanceof z.ZodRecord) return refers(type.keySchema) || refers(type.valueSchema);
  return type instanceof z.ZodObject ? referringFields(type).length > 0 : referents.has(type);
}
