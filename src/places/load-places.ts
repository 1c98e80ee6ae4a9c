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
  const seen = new Set<string>();
  const places: PlaceEntry[] = [];
  const origin = new Map<string, string>();
  for (const file of catalogueFilesIn(folder, "places")) {
    if (file === FAR_CITIES) continue;
    for (const place of readCatalogueFile(folder, file, PlacesFile).places) {
      if (seen.has(place.id)) throw mistake(join(folder, file), place.id, "stands twice");
      seen.add(place.id);
      origin.set(place.id, file);
      places.push({
        ...place,
        aliases: place.aliases ?? [],
        postcodes: place.postcodes ?? [],
        main: place.main ?? false,
      });
    }
  }
  const byId = new Map(places.map((place) => [place.id, place]));
  for (const { id, carFree } of places) {
    const dropOff = carFree && byId.get(carFree.dropOff);
    if (carFree && (!dropOff || dropOff.carFree)) {
      throw mistake(
        join(folder, origin.get(id) ?? ""),
        `${id}.carFree.dropOff`,
        `${carFree.dropOff} is no place that cars reach`,
      );
    }
  }
  const { cities } = readCatalogueFile(folder, FAR_CITIES, FarCitiesFile);
  return { places, farCities: cities.map((city) => ({ ...city, aliases: city.aliases ?? [] })) };
}
