import type { z } from "zod/v3";
import {
  BudgetsFile,
  CatalogFile,
  CorridorsFile,
  LuggageFile,
  PoliciesFile,
  RequirementsFile,
  ServiceAreaFile,
  VehicleClassesFile,
} from "./catalog-schema.ts";
import {
  AvailabilityFile,
  ClientsFile,
  FaresFile,
  PlaceFeesFile,
  SeasonsFile,
  ServiceRulesFile,
  ZonesFile,
} from "./offer-schema.ts";
import { OperatorFile, TranslationsFile } from "./operator-schema.ts";
import { FarCitiesFile, PlacesFile, RegionsFile, SitesFile, WordsFile } from "./places-schema.ts";
import { ClosuresFile, RoadsFile, RoutingFile } from "./roads-schema.ts";
import { TariffFile } from "./tariff-schema.ts";

/** The fields that identify the records of a list; a map has its records by name. */
export type Key = readonly string[] | "map";

/**
 * Every kind of catalog file, by the name of its JSON Schema. `keys` are its lists and maps of records, which an overlay
 * merges; a file without any replaces the packaged one as a whole. `absent` is the content where a catalog has no such
 * file; a kind without it has to be there.
 */
export const catalogKinds = {
  availability: kind(
    AvailabilityFile,
    { stopSales: ["id"], bookingWindows: ["id"] },
    { stopSales: [], bookingWindows: [] },
  ),
  clients: kind(ClientsFile, { clients: ["id"] }, { clients: [] }),
  closures: kind(ClosuresFile, { closures: ["id"] }, { closures: [] }),
  corridors: kind(CorridorsFile, { corridors: ["key"] }),
  fares: kind(FaresFile, { fares: ["id"] }, { fares: [] }),
  "place-fees": kind(PlaceFeesFile, { placeFees: ["id"] }, { placeFees: [] }),
  seasons: kind(SeasonsFile, { seasons: ["id"] }, { seasons: [] }),
  "vehicle-classes": kind(VehicleClassesFile, { vehicleClasses: ["id"] }),
  zones: kind(ZonesFile, { zones: ["id"] }, { zones: [] }),
  budgets: kind(BudgetsFile),
  catalog: kind(CatalogFile, {}, { base: "packaged" }),
  "far-cities": kind(FarCitiesFile, { cities: ["name"] }),
  luggage: kind(LuggageFile, { definitions: "map", specialItems: ["kind"], notOffered: ["item"] }),
  operator: kind(OperatorFile),
  places: kind(PlacesFile, { places: ["id"] }),
  policies: kind(PoliciesFile, { policies: ["key"] }),
  regions: kind(RegionsFile, { countries: ["code"], cantons: ["code"] }),
  requirements: kind(RequirementsFile),
  roads: kind(RoadsFile, { nodes: ["id"], edges: ["from", "to"] }),
  routing: kind(RoutingFile),
  "service-area": kind(ServiceAreaFile),
  "service-rules": kind(ServiceRulesFile, {}, { rules: [] }),
  sites: kind(SitesFile, { sites: ["name"] }, { sites: [] }),
  tariff: kind(TariffFile),
  translations: kind(TranslationsFile, { texts: "map" }, { texts: {} }),
  words: kind(WordsFile, { words: ["role", "language"], siteKinds: ["kind", "language"], streetAbbreviations: "map" }),
};

function kind<Schema extends z.AnyZodObject>(
  schema: Schema,
  keys: Readonly<Record<string, Key>> = {},
  absent?: z.output<Schema>,
) {
  return { schema, keys, absent };
}

export type CatalogKind = keyof typeof catalogKinds;
export type ContentOf<Kind extends CatalogKind> = z.output<(typeof catalogKinds)[Kind]["schema"]>;

export const kindNames = Object.keys(catalogKinds) as readonly CatalogKind[];

/** The kinds of which a catalog has several files, in the folders of their names. */
export const FOLDERS = ["places", "roads"] as const;
const FAR_CITIES = "places/cities-far.json";

/** The kind of a file such as `places/airports.json`; `undefined` if it has no schema. */
export function kindOf(file: string): CatalogKind | undefined {
  if (file === FAR_CITIES) return "far-cities";
  const [kind = ""] = file.split(/\/|\.json$/);
  return kindNames.find((each) => each === kind);
}

/** The file of a kind of which a catalog has one, or the folder of those of which it has several. */
export function fileOf(kind: CatalogKind): string {
  if (kind === "far-cities") return FAR_CITIES;
  return FOLDERS.some((each) => each === kind) ? kind : `${kind}.json`;
}
