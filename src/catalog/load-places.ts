import { FAR_CITIES } from "./catalog-files.ts";
import type { CatalogFolder } from "./catalog-folder.ts";
import type { FarCity, ListedPlace, PlaceEntry, Regions, Site } from "./places-schema.ts";
import type { RoadNode } from "./roads-schema.ts";

export interface PlaceData {
  readonly places: readonly PlaceEntry[];
  readonly farCities: readonly FarCity[];
  readonly sites: readonly Site[];
  readonly regions: Regions;
  /** The file of each place, by its id. */
  readonly placeFiles: ReadonlyMap<string, string>;
}

/** Reads and checks the places of a catalog folder. Throws CatalogError. */
export function loadPlaces(folder: CatalogFolder, nodes: ReadonlyMap<string, RoadNode>): PlaceData {
  const regions = folder.read("regions");
  const countries = new Set(regions.countries.map(({ code }) => code));
  const cantons = new Set(regions.cantons.map(({ code }) => code));
  const byId = new Map<string, PlaceEntry>();
  const fileOf = new Map<string, string>();
  for (const file of folder.filesIn("places")) {
    if (file === FAR_CITIES) continue;
    for (const listed of folder.read("places", file).places) {
      const { id, node = id, aliases = [], postcodes = [], main = false } = listed;
      const { lat, lng } = listed.lat === undefined ? (nodes.get(node) ?? {}) : listed;
      if (!hasMistake(file, listed) && (lat === undefined || lng === undefined))
        folder.report(file, id, `lat and lng are missing, and so is a road node ${node} to take them from`);
      if (lat === undefined || lng === undefined) continue;
      // Completes the record in place, since copying each would take longer than reading them all.
      byId.set(id, Object.assign(listed, { aliases, postcodes, main, lat, lng }));
      fileOf.set(id, file);
    }
  }
  const places = [...byId.values()];
  for (const { id, partOf, carFree } of places) {
    const file = fileOf.get(id) ?? "";
    const town = byId.get(partOf ?? id);
    if (!town) folder.reportUnknown(file, `${id}.partOf`, "place", partOf ?? "", byId.keys());
    else if (partOf !== undefined && town.partOf)
      folder.report(file, `${id}.partOf`, `${partOf} is itself a part of ${town.partOf}`);
    if (!carFree) continue;
    const carStop = byId.get(carFree.carStop);
    if (!carStop) folder.reportUnknown(file, `${id}.carFree.carStop`, "place", carFree.carStop, byId.keys());
    else if (carStop.carFree) folder.report(file, `${id}.carFree.carStop`, `cars do not reach ${carFree.carStop}`);
  }
  const { sites } = folder.readIfPresent("sites", { sites: [] });
  for (const { name, town } of sites)
    if (!byId.has(town)) folder.reportUnknown("sites.json", `${name}.town`, "place", town, byId.keys());
  const { cities } = folder.read("far-cities", FAR_CITIES);
  const farCities = cities.map((city) => ({ ...city, aliases: city.aliases ?? [] }));
  return { places, farCities, sites, regions, placeFiles: fileOf };

  /** Reports what is wrong with a place, if anything. */
  function hasMistake(file: string, { id, country, canton, node, lat, lng }: ListedPlace): boolean {
    const unknown = (field: string, what: string, code: string, known: Iterable<string>) =>
      folder.reportUnknown(file, `${id}.${field}`, what, code, known);
    if (byId.has(id)) folder.report(file, id, "duplicate");
    else if (!countries.has(country)) unknown("country", "country", country, countries);
    else if (canton !== undefined && !cantons.has(canton)) unknown("canton", "canton", canton, cantons);
    else if (node !== undefined && !nodes.has(node)) unknown("node", "road node", node, nodes.keys());
    else if ((lat === undefined) !== (lng === undefined))
      folder.report(file, id, "lat and lng are given together or not at all");
    else return false;
    return true;
  }
}
