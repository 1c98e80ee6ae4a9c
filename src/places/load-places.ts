import { join } from "node:path";
import { catalogueFilesIn, mistake, readCatalogueFile } from "../published/catalogue-folder.ts";
import { FarCitiesFile, type FarCity, type PlaceEntry, PlacesFile } from "./schema.ts";

export interface PlaceData {
  readonly places: readonly PlaceEntry[];
  readonly farCities: readonly FarCity[];
}

const FAR_CITIES = join("places", "cities-far.json");

/** Reads and checks the places of a catalogue folder. Throws CatalogueMistake. */
export function loadPlaces(folder: string): PlaceData {
  const byId = new Map<string, PlaceEntry>();
  const carFree: { readonly file: string; readonly place: PlaceEntry }[] = [];
  for (const file of catalogueFilesIn(folder, "places")) {
    if (file === FAR_CITIES) continue;
    for (const listed of readCatalogueFile(folder, file, PlacesFile).places) {
      if (byId.has(listed.id)) throw mistake(join(folder, file), listed.id, "stands twice");
      const { aliases = [], postcodes = [], main = false } = listed;
      // What the line leaves out is added to it: a copy of each would take longer than reading them.
      const place: PlaceEntry = Object.assign(listed, { aliases, postcodes, main });
      byId.set(place.id, place);
      if (place.carFree) carFree.push({ file, place });
    }
  }
  for (const { file, place } of carFree) {
    const stop = place.carFree?.dropOff ?? "";
    const dropOff = byId.get(stop);
    if (!dropOff || dropOff.carFree) {
      throw mistake(join(folder, file), `${place.id}.carFree.dropOff`, `${stop} is no place that cars reach`);
    }
  }
  const { cities } = readCatalogueFile(folder, FAR_CITIES, FarCitiesFile);
  return {
    places: [...byId.values()],
    farCities: cities.map((city) => ({ ...city, aliases: city.aliases ?? [] })),
  };
}
