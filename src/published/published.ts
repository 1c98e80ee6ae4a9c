import { join } from "node:path";
import type { Budgets } from "../limits/rate-limiter.ts";
import { mistake, readCatalogueFile } from "./catalogue-folder.ts";
import {
  BudgetsFile,
  type Corridor,
  CorridorsFile,
  type Luggage,
  LuggageFile,
  PoliciesFile,
  type Policy,
  type Requirements,
  RequirementsFile,
  type ServiceArea,
  ServiceAreaFile,
  type Tariff,
  TariffFile,
  type VehicleClass,
  VehicleClassesFile,
} from "./schema.ts";

/** What the operator publishes and by which he charges; constant while the process runs. */
export interface Published {
  readonly corridors: readonly Corridor[];
  /** In the order of the file, smallest first by custom; the order gives each option its `fleet_id`. */
  readonly vehicleClasses: readonly VehicleClass[];
  readonly luggage: Luggage;
  readonly policies: readonly Policy[];
  readonly tariff: Tariff;
  readonly budgets: Budgets;
  readonly requirements: Requirements;
  readonly serviceArea: ServiceArea;
}

/** Reads and checks a catalogue folder, places and roads excepted. Throws CatalogueMistake. */
export function loadPublished(folder: string): Published {
  const published: Published = {
    corridors: readCatalogueFile(folder, "corridors.json", CorridorsFile).corridors,
    vehicleClasses: readCatalogueFile(folder, "vehicle-classes.json", VehicleClassesFile).vehicleClasses,
    luggage: readCatalogueFile(folder, "luggage.json", LuggageFile),
    policies: readCatalogueFile(folder, "policies.json", PoliciesFile).policies,
    tariff: readCatalogueFile(folder, "tariff.json", TariffFile),
    budgets: readCatalogueFile(folder, "budgets.json", BudgetsFile),
    requirements: readCatalogueFile(folder, "requirements.json", RequirementsFile),
    serviceArea: readCatalogueFile(folder, "service-area.json", ServiceAreaFile),
  };
  refuseTwice(
    folder,
    "corridors.json",
    published.corridors.map(({ key }) => key),
  );
  refuseTwice(
    folder,
    "vehicle-classes.json",
    published.vehicleClasses.map(({ id }) => id),
  );
  refuseTwice(
    folder,
    "policies.json",
    published.policies.map(({ key }) => key),
  );
  for (const { id } of published.vehicleClasses) {
    if (!Object.hasOwn(published.tariff.rates, id)) {
      throw mistake(
        join(folder, "tariff.json"),
        `rates.${id}`,
        "missing, but vehicle-classes.json lists this class",
      );
    }
  }
  return published;
}

function refuseTwice(folder: string, file: string, keys: readonly string[]): void {
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw mistake(join(folder, file), twice, "stands twice");
}
