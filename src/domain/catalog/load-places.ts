import { FAR_CITIES } from "./catalog-files.ts";
import type { CatalogFolder } from "./catalog-folder.ts";
import type { FarCity, PlaceEntry, PlaceWords, Regions, Site } from "./places-schema.ts";
import type { RoadNode } from "./roads-schema.ts";

export interface PlaceData {
  readonly places: readonly PlaceEntry[];
  readonly farCities: readonly FarCity[];
  readonly sites: readonly Site[];
  readonly regions: Regions;
  readonly words: PlaceWords;
  /** The file of each place, by its id. */
  readonly placeFiles: ReadonlyMap<string, string>;
}

/** Reads and checks the places of a catalog folder. Throws CatalogError. */
export function loadPlaces(folder: CatalogFolder, nodes: ReadonlyMap<string, RoadNode>): PlaceData {
  const regions = folder.read("regions");
  const byId = new Map<string, PlaceEntry>();
  const fileOf = new Map<string, string>();
  for (const file of folder.filesIn("places")) {
    if (file === FAR_CITIES) continue;
    for (const listed of folder.read("places", file).places) {
      const { id, node = id, aliases = [], postcodes = [], main = false } = listed;
      const { lat, lng } = listed.lat === undefined ? (nodes.get(node) ?? {}) : listed;
      if (lat === undefined && lng === undefined && listed.node === undefined)
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
    if (partOf !== undefined && town?.partOf)
      folder.report(file, `${id}.partOf`, `${partOf} is itself a part of ${town.partOf}`);
    const carStop = byId.get(carFree?.carStop ?? "");
    if (carFree && carStop?.carFree)
      folder.report(file, `${id}.carFree.carStop`, `cars do not reach ${carFree.carStop}`);
  }
  const { sites } = folder.readIfPresent("sites", { sites: [] });
  const { cities } = folder.read("far-cities", FAR_CITIES);
  const farCities = cities.map((city) => ({ ...city, aliases: city.aliases ?? [] }));
  return { places, farCities, sites, regions, words: folder.read("words"), placeFiles: fileOf };
}
