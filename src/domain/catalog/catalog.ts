import type { Budgets } from "../../contract/tiers.ts";
import { type ContentOf, type ListKind, listKindNames } from "./catalog-files.ts";
import type { Corridor, Luggage, Policy, PolicyRecord, Requirements, ServiceArea } from "./catalog-schema.ts";
import { CatalogError, createFindings } from "./finding.ts";
import { type Operator, operatorOf } from "./load-operator.ts";
import { type PlaceData, placesOf } from "./load-places.ts";
import { type RoadData, roadsOf } from "./load-roads.ts";
import { filledTexts } from "./load-texts.ts";
import type { ServiceRule } from "./offer-schema.ts";
import type { Translations } from "./operator-schema.ts";
import type { Source } from "./overlay.ts";
import { type CatalogContents, contentOf, isPackaged, readContents } from "./read-contents.ts";
import { checkReferences } from "./references.ts";
import type { Tariff } from "./tariff-schema.ts";

type ListFile = ContentOf<ListKind>;
type FieldsOf<Content> = Content extends unknown ? keyof Content : never;
type ReadonlyList<List> = List extends (infer Each)[] ? readonly Each[] : never;
/** The lists that a catalog has as they stand in its files; empty where it may lack the file and does. */
type Offers = {
  readonly [Field in FieldsOf<ListFile>]: ReadonlyList<Extract<ListFile, Record<Field, unknown>>[Field]>;
};

/** Everything that the operator publishes and charges. Immutable: a reload creates a new one. */
export interface Catalog extends PlaceData, Offers {
  /** Path of the folder that it was read from. */
  readonly folder: string;
  /** Digest of the files' content; changes with every change of a file. */
  readonly version: string;
  /** The files that it was read from, and whether each is the operator's own, the package's or merged from both. */
  readonly sources: ReadonlyMap<string, Source>;
  /** By "<origin> <destination>"; a part of a town has the corridors of the town unless it has its own. */
  readonly corridorsByEnds: ReadonlyMap<string, Corridor>;
  readonly luggage: Luggage;
  readonly policies: readonly Policy[];
  /** The same with their placeholders, which take numbers from elsewhere. */
  readonly policyRecords: readonly PolicyRecord[];
  readonly tariff: Tariff;
  readonly budgets: Budgets;
  readonly requirements: Requirements;
  /** Translations of what travelers read; empty where the operator has none. */
  readonly translations: Translations;
  readonly operator: Operator;
  readonly serviceArea: ServiceArea;
  readonly roads: RoadData;
  /** What is sold, the first rule that matches; empty where everything in the service area is sold at once. */
  readonly serviceRules: readonly ServiceRule[];
}

/** Reads a catalog folder. Throws CatalogError where it has mistakes. */
export function loadCatalog(path: string): Catalog {
  return readCatalog(path).catalog;
}

/** A catalog, the files that it was made from, and the faults that were found in them. Throws CatalogError as above. */
export function readCatalog(path: string) {
  const contents = readContents(path);
  const catalog = catalogOf(contents);
  const findings = createFindings();
  if (!isPackaged(path)) checkReferences(contents, catalog, findings);
  const found = [...findings.all, ...contents.faults];
  if (found.some(({ severity }) => severity === "mistake")) throw new CatalogError(path, found);
  return { catalog, contents, faults: found };
}

/** The catalog in files that match their schemas. What they refer to and do not contain is left out. */
export function catalogOf(contents: CatalogContents): Catalog {
  const roads = roadsOf(contents);
  const places = placesOf(contents, roads.nodes);
  const lists: Offers = Object.assign({}, ...listKindNames.map((kind) => contentOf(contents, kind)));
  return {
    folder: contents.folder,
    version: contents.version,
    sources: contents.sources,
    ...lists,
    corridorsByEnds: corridorsByEnds(lists.corridors, places.places),
    luggage: contentOf(contents, "luggage"),
    tariff: contentOf(contents, "tariff"),
    budgets: contentOf(contents, "budgets"),
    ...filledTexts(contents),
    policyRecords: contentOf(contents, "policies").policies,
    operator: operatorOf(contents),
    serviceArea: contentOf(contents, "service-area"),
    roads,
    ...places,
    serviceRules: contentOf(contents, "service-rules").rules,
  };
}

function corridorsByEnds(corridors: readonly Corridor[], places: PlaceData["places"]): Catalog["corridorsByEnds"] {
  const own = corridors.map((corridor) => [`${corridor.origin} ${corridor.destination}`, corridor] as const);
  const parts = new Map<string, string[]>();
  for (const { id, partOf } of places) if (partOf !== undefined) parts.set(partOf, [...(parts.get(partOf) ?? []), id]);
  const withParts = (town: string) => [town, ...(parts.get(town) ?? [])];
  const ofParts = corridors.flatMap((corridor) =>
    withParts(corridor.origin).flatMap((from) =>
      withParts(corridor.destination).map((to) => [`${from} ${to}`, corridor] as const),
    ),
  );
  return new Map([...ofParts, ...own]);
}
