import type { FarCity, PlaceEntry, PlaceWords, Regions, Site } from "./places-schema.ts";
import { type CatalogContents, contentOf, contentsOf } from "./read-contents.ts";
import type { RoadNode } from "./roads-schema.ts";

export interface PlaceData {
  readonly places: readonly PlaceEntry[];
  readonly farCities: readonly FarCity[];
  readonly sites: readonly Site[];
  readonly regions: Regions;
  readonly words: PlaceWords;
}

/** The places with the defaults of absent fields; one without a position, which is a mistake, is left out. */
export function placesOf(contents: CatalogContents, nodes: ReadonlyMap<string, RoadNode>): PlaceData {
  const places = contentsOf(contents, "places").flatMap(([, file]) =>
    file.places.flatMap((listed): readonly PlaceEntry[] => {
      const { id, node = id, aliases = [], postcodes = [], main = false } = listed;
      const { lat, lng } = listed.lat === undefined ? (nodes.get(node) ?? {}) : listed;
      if (lat === undefined || lng === undefined) return [];
      // Completes the record in place, since copying each would take longer than reading them all.
      return [Object.assign(listed, { aliases, postcodes, main, lat, lng })];
    }),
  );
  const { cities } = contentOf(contents, "far-cities");
  return {
    places,
    farCities: cities.map((city) => ({ ...city, aliases: city.aliases ?? [] })),
    ...contentOf(contents, "sites"),
    regions: contentOf(contents, "regions"),
    words: contentOf(contents, "words"),
  };
}
