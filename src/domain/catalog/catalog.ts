import type { Budgets } from "../../contract/tiers.ts";
import { type CatalogFolder, isPackaged, openCatalogFolder } from "./catalog-folder.ts";
import type { Corridor, Luggage, Policy, Requirements, ServiceArea, VehicleClass } from "./catalog-schema.ts";
import type { Closure } from "./closures-schema.ts";
import { CatalogError, type Finding } from "./finding.ts";
import { loadOperator, type Operator } from "./load-operator.ts";
import { loadPlaces, type PlaceData } from "./load-places.ts";
import { loadRoads, type RoadData } from "./load-roads.ts";
import { readPolicies, readRequirements, readTranslations } from "./load-texts.ts";
import type { BookingWindow, Client, Fare, PlaceFee, Season, StopSale, Zone } from "./offer-schema.ts";
import type { Source } from "./overlay.ts";
import { checkReferences } from "./references.ts";
import type { ServiceRule } from "./service-rules-schema.ts";
import type { Tariff } from "./tariff-schema.ts";
import type { Translations } from "./translations-schema.ts";

/**
 * Everything that the operator publishes and charges. Immutable: a reload creates a new one. The lists of files that
 * refine the tariff are empty where a folder has no such file.
 */
export interface Catalog extends PlaceData {
  /** Path of the folder that it was read from. */
  readonly folder: string;
  /** Digest of the files' content; changes with every change of a file. */
  readonly version: string;
  /** Faults of the files themselves: unknown names, duplicate keys, text that is not UTF-8, lost placeholders. */
  readonly fileFaults: readonly Finding[];
  /** The files that it was read from, and whether each is the operator's own, the package's or merged from both. */
  readonly sources: ReadonlyMap<string, Source>;
  /** English texts of the operator's own translations. */
  readonly ownTranslations: ReadonlySet<string>;
  readonly corridors: readonly Corridor[];
  /** By "<origin> <destination>"; a part of a town has the corridors of the town unless it has its own. */
  readonly corridorsByEnds: ReadonlyMap<string, Corridor>;
  /** In the order of the file, smallest first by convention; the position gives each option its `fleet_id`. */
  readonly vehicleClasses: readonly VehicleClass[];
  readonly luggage: Luggage;
  readonly policies: readonly Policy[];
  /** The texts of policies as the file has them, with {placeholders}, by the texts with their numbers. */
  readonly policyTemplates: ReadonlyMap<string, string>;
  readonly tariff: Tariff;
  readonly budgets: Budgets;
  readonly requirements: Requirements;
  /** Translations of what travelers read; empty where the operator has none. */
  readonly translations: Translations;
  readonly operator: Operator;
  readonly serviceArea: ServiceArea;
  readonly roads: RoadData;
  readonly zones: readonly Zone[];
  readonly fares: readonly Fare[];
  readonly seasons: readonly Season[];
  readonly placeFees: readonly PlaceFee[];
  readonly clients: readonly Client[];
  readonly stopSales: readonly StopSale[];
  readonly bookingWindows: readonly BookingWindow[];
  readonly closures: readonly Closure[];
  /** What is sold, the first rule that matches; empty where everything in the service area is sold at once. */
  readonly serviceRules: readonly ServiceRule[];
}

/**
 * Reads and checks a catalog folder. The packaged one is not validated against the schemas, since the tests do that:
 * validation is two thirds of the loading time. Throws CatalogError.
 */
export function loadCatalog(path: string): Catalog {
  const { catalog, mistakes } = readCatalog(path, { validates: !isPackaged(path) });
  if (!catalog || mistakes.length > 0) throw new CatalogError(path, mistakes);
  return catalog;
}

/** A catalog with all of its mistakes; absent where it cannot be read as far as that. */
export function readCatalog(
  path: string,
  options?: { readonly validates?: boolean },
): { readonly catalog?: Catalog; readonly mistakes: readonly Finding[] } {
  let folder: CatalogFolder | undefined;
  try {
    folder = openCatalogFolder(path, options);
    return { catalog: catalogIn(folder), mistakes: folder.findings };
  } catch (error) {
    if (error instanceof CatalogError) return { mistakes: error.findings };
    // Values that do not match the schemas can make any later step fail.
    if (folder && folder.findings.length > 0) return { mistakes: folder.findings };
    throw error;
  }
}

function catalogIn(folder: CatalogFolder): Catalog {
  folder.readAll();
  const tariff = folder.read("tariff");
  const roads = loadRoads(folder);
  const { vehicleClasses } = folder.read("vehicle-classes");
  const places = loadPlaces(folder, roads.nodes);
  const { corridors } = folder.read("corridors");
  const catalog: Catalog = {
    folder: folder.path,
    version: folder.hash.slice(0, 12),
    fileFaults: folder.faults,
    sources: folder.sources,
    corridors,
    corridorsByEnds: corridorsByEnds(corridors, places.places),
    vehicleClasses,
    luggage: folder.read("luggage"),
    ...readPolicies(folder, tariff),
    tariff,
    budgets: folder.read("budgets"),
    requirements: readRequirements(folder, tariff),
    ...readTranslations(folder, tariff),
    operator: loadOperator(folder),
    serviceArea: folder.read("service-area"),
    roads,
    ...places,
    ...folder.readIfPresent("zones", { zones: [] }),
    ...folder.readIfPresent("fares", { fares: [] }),
    ...folder.readIfPresent("seasons", { seasons: [] }),
    ...folder.readIfPresent("place-fees", { placeFees: [] }),
    ...folder.readIfPresent("clients", { clients: [] }),
    ...folder.readIfPresent("availability", { stopSales: [], bookingWindows: [] }),
    ...folder.readIfPresent("closures", { closures: [] }),
    serviceRules: folder.readIfPresent("service-rules", { rules: [] }).rules,
  };
  checkClasses(folder, catalog);
  if (folder.validates) checkReferences(folder, catalog);
  return catalog;
}

function corridorsByEnds(corridors: readonly Corridor[], places: PlaceData["places"]): Catalog["corridorsByEnds"] {
  const own = corridors.map((corridor) => [`${corridor.origin} ${corridor.destination}`, corridor] as const);
  const parts = places.filter(({ partOf }) => partOf !== undefined);
  const withParts = (town: string) => [town, ...parts.filter(({ partOf }) => partOf === town).map(({ id }) => id)];
  const ofParts = corridors.flatMap((corridor) =>
    withParts(corridor.origin).flatMap((from) =>
      withParts(corridor.destination).map((to) => [`${from} ${to}`, corridor] as const),
    ),
  );
  return new Map([...ofParts, ...own]);
}

function checkClasses(folder: CatalogFolder, { vehicleClasses, tariff, zones, places }: Catalog): void {
  for (const { id } of vehicleClasses) {
    if (!Object.hasOwn(tariff.rates, id))
      folder.report("tariff.json", `rates.${id}`, "missing, but vehicle-classes.json lists this class: add its rates");
  }
  for (const { id } of zones)
    if (places.some((place) => place.id === id)) folder.report("zones.json", id, "a place has this id");
}
