import type { z } from "zod/v3";
import { zodToJsonSchema } from "zod-to-json-schema";
import {
  BudgetsFile,
  CorridorsFile,
  LuggageFile,
  OperatorFile,
  PoliciesFile,
  RequirementsFile,
  ServiceAreaFile,
  VehicleClassesFile,
} from "../../src/catalog/catalog-schema.ts";
import { AvailabilityFile, FaresFile, SeasonsFile, ZonesFile } from "../../src/catalog/offer-schema.ts";
import { FarCitiesFile, PlacesFile, RegionsFile } from "../../src/catalog/places-schema.ts";
import { RoadsFile, RoutingFile } from "../../src/catalog/roads-schema.ts";
import { TariffFile } from "../../src/catalog/tariff-schema.ts";

/** The schema of each kind of catalog file, by the name of its JSON Schema. */
export const catalogFileSchemas: Readonly<Record<string, z.AnyZodObject>> = {
  availability: AvailabilityFile,
  budgets: BudgetsFile,
  corridors: CorridorsFile,
  "far-cities": FarCitiesFile,
  fares: FaresFile,
  luggage: LuggageFile,
  operator: OperatorFile,
  places: PlacesFile,
  policies: PoliciesFile,
  regions: RegionsFile,
  requirements: RequirementsFile,
  roads: RoadsFile,
  routing: RoutingFile,
  seasons: SeasonsFile,
  "service-area": ServiceAreaFile,
  tariff: TariffFile,
  "vehicle-classes": VehicleClassesFile,
  zones: ZonesFile,
};

/** The JSON Schemas that catalog files name in `$schema`, by their paths from the package's root. */
export const catalogJsonSchemas: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(catalogFileSchemas).map(([name, schema]) => [
    `fixtures/catalog/schemas/${name}.schema.json`,
    jsonSchemaOf(schema),
  ]),
);

/** The loader accepts `$schema` in every file and ignores it, so the Zod schemas do not have it. */
function jsonSchemaOf(schema: z.AnyZodObject): object {
  const json = zodToJsonSchema(schema, { $refStrategy: "none" });
  if (!("properties" in json)) throw new Error("a catalog file is an object");
  return { ...json, properties: { $schema: { type: "string" }, ...json.properties } };
}
