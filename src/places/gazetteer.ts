import { piecesOf, type Reading, readAddress, withoutPostcode } from "./address.ts";
import { fold, partsOf } from "./fold.ts";
import type { PlaceData } from "./load-places.ts";
import { createNearMisses } from "./near-misses.ts";
import { createPlaceIndex } from "./place-index.ts";
import type { FarCity, PlaceEntry } from "./schema.ts";
import { withoutStationWord } from "./site-words.ts";

/** What a geocoder makes of a text. */
export type Geocoded =
  | { readonly kind: "place"; readonly place: PlaceEntry; readonly atItsTown: boolean }
  | { readonly kind: "unclear"; readonly candidates: readonly string[] }
  | { readonly kind: "outside"; readonly name: string; readonly lat: number; readonly lng: number };

const MOST_CANDIDATES = 5;
/** Texts with more comma parts are addresses; no name is written in so many. */
const MOST_NAME_PARTS = 3;

/**
 * The embedded places by name. Tried in this order: IATA code, alone or beside a name; exact name or alias after
 * folding, comma parts in any order; "hotel or street, place", with country, canton or postcode deciding between
 * namesakes; the same without the word for "station", for towns whose station is no place of its own; far cities;
 * near misses, which are offered and never taken.
 */
export function createGazetteer(data: PlaceData) {
  const index = createPlaceIndex(data);
  const nearMisses = createNearMisses(index);

  return { geocode, placesNamed, byId: index.byId };

  function geocode(text: string): Geocoded {
    const reading = read(text);
    if (reading) return answerTo(reading);
    const parts = partsOf(fold(text));
    const city =
      farCityOf(parts) ??
      farCityOf(parts.map(withoutStationWord)) ??
      farCityOf(parts.flatMap(withoutPostcode));
    if (city) return { kind: "outside", name: city.name, lat: city.lat, lng: city.lng };
    return unclear(nearMisses(parts, piecesOf(parts, index)));
  }

  /** Every place that the text could mean, one that needs its canton or postcode to be found included. */
  function placesNamed(text: string): readonly PlaceEntry[] {
    return [...(read(text)?.places ?? []), ...index.calledLocally(fold(text))];
  }

  function read(text: string): Reading | undefined {
    const reading = readFolded(text);
    return reading && { ...reading, places: toTheLetter(text, reading.places) };
  }

  function readFolded(text: string): Reading | undefined {
    const folded = fold(text);
    const iata = text.trim().length === 3 ? index.airport(folded) : undefined;
    if (iata) return { places: [iata], atItsTown: false };
    const parts = partsOf(folded);
    const airport = airportWithCode(parts.join(" "));
    if (airport) return { places: [airport], atItsTown: false };
    return readParts(parts) ?? readTownOfStation(parts);
  }

  function readParts(parts: readonly string[]): Reading | undefined {
    const named = namedInAnyOrder(parts);
    return named.length > 0
      ? { places: named, atItsTown: false }
      : readAddress(piecesOf(parts, index), index);
  }

  function readTownOfStation(parts: readonly string[]): Reading | undefined {
    const towns = parts.map(withoutStationWord);
    // A far station may be named after a town of ours: the Gare de Lyon stands in Paris.
    const isStation = towns.some((town, position) => town !== parts[position]) && !farCityOf(parts);
    const reading = isStation ? readParts(towns) : undefined;
    return reading && { ...reading, atItsTown: true };
  }

  /** "Zurich Airport (ZRH)", "GVA Geneva": a code beside a name. */
  function airportWithCode(folded: string): PlaceEntry | undefined {
    for (const pattern of [/^(?<name>.+) (?<code>[a-z]{3})$/, /^(?<code>[a-z]{3}) (?<name>.+)$/]) {
      const { name = "", code = "" } = pattern.exec(folded)?.groups ?? {};
      const airport = index.called(name).length > 0 ? index.airport(code) : undefined;
      if (airport) return airport;
    }
    return undefined;
  }

  function namedInAnyOrder(parts: readonly string[]): readonly PlaceEntry[] {
    if (parts.length > MOST_NAME_PARTS) return [];
    for (const order of permutations(parts)) {
      const named = index.called(order.join(" "));
      if (named.length > 0) return named;
    }
    return [];
  }

  function answerTo({ places: found, atItsTown }: Reading): Geocoded {
    const [only, ...others] = found;
    if (only && others.length === 0) return { kind: "place", place: only, atItsTown };
    return unclear(found);
  }

  function unclear(places: readonly PlaceEntry[]): Geocoded {
    return { kind: "unclear", candidates: places.slice(0, MOST_CANDIDATES).map(unmistakableName) };
  }

  function farCityOf(parts: readonly string[]): FarCity | undefined {
    return [parts.join(" "), ...[...parts].reverse()].map(index.farCity).find((city) => city !== undefined);
  }

  /** A text that finds this place and no other when it is sent back. */
  function unmistakableName(place: PlaceEntry): string {
    const { name, aliases, canton, country, postcodes } = place;
    const qualified = [canton, country, ...postcodes].flatMap((qualifier) =>
      qualifier ? [`${name}, ${qualifier}`] : [],
    );
    const texts = [name, ...qualified, ...aliases];
    return (
      texts.find((text) => {
        const found = read(text)?.places ?? [];
        return found.length === 1 && found[0] === place;
      }) ?? `${place.lat}, ${place.lng}`
    );
  }
}
export type Gazetteer = ReturnType<typeof createGazetteer>;

/** Of names that folding makes one, "Brugg" and "Brügg", those that the text holds to the letter. */
function toTheLetter(text: string, found: readonly PlaceEntry[]): readonly PlaceEntry[] {
  if (found.length < 2) return found;
  const said = text.normalize("NFC").toLowerCase();
  const literal = found.filter(({ name, aliases }) =>
    [name, ...aliases].some((known) => said.includes(known.toLowerCase())),
  );
  return literal.length > 0 ? literal : found;
}

function permutations(parts: readonly string[]): readonly (readonly string[])[] {
  if (parts.length <= 1) return [parts];
  return parts.flatMap((part, position) =>
    permutations(parts.filter((_, other) => other !== position)).map((rest) => [part, ...rest]),
  );
}
