import { sha256 } from "../../ops/ids.ts";
import type { Corridor } from "./catalog-schema.ts";
import { CatalogError, createFindings } from "./finding.ts";
import { operatorOf } from "./load-operator.ts";
import { filledTexts } from "./load-texts.ts";
import type { PlaceEntry } from "./places-schema.ts";
import { type CatalogContents, contentOf, contentsOf, isPackaged, readContents } from "./read-contents.ts";
import { checkReferences } from "./references.ts";
import type { RoadNode } from "./roads-schema.ts";

/** Nothing in it is replaced, and nothing in its lists. */
type Immutable<Of> = { readonly [Field in keyof Of]: Of[Field] extends (infer Each)[] ? readonly Each[] : Of[Field] };

export type PlaceData = Immutable<ReturnType<typeof placesOf>>;
export type RoadData = Immutable<ReturnType<typeof roadsOf>>;

/** Everything that the operator publishes and charges. Immutable: a reload creates a new one. */
export type Catalog = Immutable<ReturnType<typeof catalogOf>>;

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
export function catalogOf(contents: CatalogContents) {
  const roads: RoadData = roadsOf(contents);
  const places = placesOf(contents, roads.nodes);
  const { corridors } = contentOf(contents, "corridors");
  const { folder, version, sources } = contents;
  return {
    ...{ folder, version, sources },
    corridors,
    ...contentOf(contents, "availability"),
    ...contentOf(contents, "clients"),
    ...contentOf(contents, "closures"),
    ...contentOf(contents, "fares"),
    ...contentOf(contents, "place-fees"),
    ...contentOf(contents, "seasons"),
    ...contentOf(contents, "vehicle-classes"),
    ...contentOf(contents, "zones"),
    /** By "<origin> <destination>"; a part of a town has the corridors of the town unless it has its own. */
    corridorsByEnds: corridorsByEnds(corridors, places.places),
    luggage: contentOf(contents, "luggage"),
    tariff: contentOf(contents, "tariff"),
    budgets: contentOf(contents, "budgets"),
    ...filledTexts(contents),
    /** The policies with their placeholders, which take numbers from elsewhere. */
    policyRecords: contentOf(contents, "policies").policies,
    operator: operatorOf(contents),
    serviceArea: contentOf(contents, "service-area"),
    roads,
    ...places,
    /** What is sold, the first rule that matches; empty where everything in the service area is sold at once. */
    serviceRules: contentOf(contents, "service-rules").rules,
  };
}

function corridorsByEnds(corridors: readonly Corridor[], places: PlaceData["places"]): ReadonlyMap<string, Corridor> {
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

/** The places with the defaults of absent fields; one without a position, which is a mistake, is left out. */
function placesOf(contents: CatalogContents, nodes: ReadonlyMap<string, RoadNode>) {
  const places = contentsOf(contents, "places").flatMap(([, file]) =>
    file.places.flatMap((listed): readonly PlaceEntry[] => {
      const { id, node = id, aliases = [], postcodes = [], main = false } = listed;
      const { lat, lng } = listed.lat === undefined ? (nodes.get(node) ?? {}) : listed;
      if (lat === undefined || lng === undefined) return [];
      // Completes the record in place, since copying each would take longer than reading them all.
      return [Object.assign(listed, { aliases, postcodes, main, lat, lng })];
    }),
  );
  const { cities } = contentOf(contents, "far-cities");
  return {
    places,
    farCities: cities.map((city) => ({ ...city, aliases: city.aliases ?? [] })),
    ...contentOf(contents, "sites"),
    regions: contentOf(contents, "regions"),
    words: contentOf(contents, "words"),
  };
}

function roadsOf(contents: CatalogContents) {
  const files = contentsOf(contents, "roads").map(([file, content]) => ({ file, ...content }));
  const edges = files.flatMap((file) => file.edges);
  const reviewed = edges.reduce((latest, { checked }) => (checked > latest ? checked : latest), "");
  const routing = contentOf(contents, "routing");
  return {
    nodes: new Map(files.flatMap((file) => file.nodes.map((node) => [node.id, node]))),
    edges,
    ...routing,
    /** Month of the latest review and digest of the data; changes with every change of them, not with their layout. */
    version: `${reviewed}-${sha256(JSON.stringify([files, routing]), "hex").slice(0, 12)}`,
  };
}
