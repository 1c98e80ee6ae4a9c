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
      const mistake = mistakeIn(listed);
      if (mistake) folder.report(file, `${id}${mistake[0]}`, mistake[1]);
      else if (lat === undefined || lng === undefined)
        folder.report(file, id, `lat and lng are missing, and so is a road node ${node} to take them from`);
      if (lat === undefined || lng === undefined) continue;
      // Completes the record in place, since copying each would take longer than reading them all.
      byId.set(id, Object.assign(listed, { aliases, postcodes, main, lat, lng }));
      fileOf.set(id, file);
    }
  }
  const places = [...byId.values()];
  for (const { id, partOf } of places) {
    if (partOf === undefined) continue;
    const town = byId.get(partOf);
    const mistake = !town ? `unknown place ${partOf}` : town.partOf && `${partOf} is itself a part of ${town.partOf}`;
    if (mistake) folder.report(fileOf.get(id) ?? "", `${id}.partOf`, mistake);
  }
  for (const { id, carFree } of places) {
    if (!carFree) continue;
    const carStop = byId.get(carFree.carStop);
    const mistake = !carStop ? "unknown place" : carStop.carFree && "cars do not reach";
    if (mistake) folder.report(fileOf.get(id) ?? "", `${id}.carFree.carStop`, `${mistake} ${carFree.carStop}`);
  }
  const { sites } = folder.readIfPresent("sites", { sites: [] });
  for (const { name, town } of sites)
    if (!byId.has(town)) folder.report("sites.json", `${name}.town`, `unknown place ${town}`);
  const { cities } = folder.read("far-cities", FAR_CITIES);
  const farCities = cities.map((city) => ({ ...city, aliases: city.aliases ?? [] }));
  return { places, farCities, sites, regions, placeFiles: fileOf };

  /** The field and what is wrong with it. */
  function mistakeIn({ id, country, canton, node, lat, lng }: ListedPlace): [string, string] | undefined {
    if (byId.has(id)) return ["", "duplicate"];
    if (!countries.has(country)) return [".country", `unknown country ${country}`];
    if (canton !== undefined && !cantons.has(canton)) return [".canton", `unknown canton ${canton}`];
    if (node !== undefined && !nodes.has(node)) return [".node", `unknown road node ${node}`];
    if ((lat === undefined) !== (lng === undefined)) return ["", "lat and lng are given together or not at all"];
    return undefined;
  }
}
