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
import { ClosuresFile } from "./closures-schema.ts";
import { AvailabilityFile, ClientsFile, FaresFile, PlaceFeesFile, SeasonsFile, ZonesFile } from "./offer-schema.ts";
import { OperatorFile } from "./operator-schema.ts";
import { FarCitiesFile, PlacesFile, RegionsFile, SitesFile, WordsFile } from "./places-schema.ts";
import { RoadsFile, RoutingFile } from "./roads-schema.ts";
import { ServiceRulesFile } from "./service-rules-schema.ts";
import { TariffFile } from "./tariff-schema.ts";
import { TranslationsFile } from "./translations-schema.ts";

/** The schema of each kind of catalog file, by the name of its JSON Schema. */
export const catalogFileSchemas = {
  availability: AvailabilityFile,
  budgets: BudgetsFile,
  catalog: CatalogFile,
  closures: ClosuresFile,
  clients: ClientsFile,
  corridors: CorridorsFile,
  "far-cities": FarCitiesFile,
  fares: FaresFile,
  luggage: LuggageFile,
  operator: OperatorFile,
  "place-fees": PlaceFeesFile,
  places: PlacesFile,
  policies: PoliciesFile,
  regions: RegionsFile,
  requirements: RequirementsFile,
  roads: RoadsFile,
  routing: RoutingFile,
  seasons: SeasonsFile,
  "service-area": ServiceAreaFile,
  "service-rules": ServiceRulesFile,
  sites: SitesFile,
  tariff: TariffFile,
  translations: TranslationsFile,
  "vehicle-classes": VehicleClassesFile,
  words: WordsFile,
  zones: ZonesFile,
} satisfies Readonly<Record<string, z.AnyZodObject>>;

export type CatalogKind = keyof typeof catalogFileSchemas;
export type ContentOf<Kind extends CatalogKind> = z.output<(typeof catalogFileSchemas)[Kind]>;

export const FAR_CITIES = "places/cities-far.json";

/** The kind of a file such as `places/airports.json`; `undefined` if it has no schema. */
export function kindOf(file: string): CatalogKind | undefined {
  if (file === FAR_CITIES) return "far-cities";
  const [kind = ""] = file.split(/\/|\.json$/);
  return Object.hasOwn(catalogFileSchemas, kind) ? (kind as CatalogKind) : undefined;
}
