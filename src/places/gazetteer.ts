import { piecesOf, type Reading, readAddress, withoutPostcode } from "./address.ts";
import { fold, partsOf } from "./fold.ts";
import type { PlaceData } from "./load-places.ts";
import { createNearMisses } from "./near-misses.ts";
import { createPlaceIndex, isSite, namesOf } from "./place-index.ts";
import type { FarCity, PlaceEntry } from "./schema.ts";
import { siteName, withoutAirportWord, withoutStationWord } from "./site-words.ts";

/** What a geocoder makes of a text. */
export type Geocoded =
  | { readonly kind: "place"; readonly place: PlaceEntry; readonly atItsTown: boolean }
  /** `atItsTown` where it is an address, in one of several towns. */
  | { readonly kind: "unclear"; readonly candidates: readonly string[]; readonly atItsTown?: true }
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
      farCityOf(parts.map(withoutAirportWord)) ??
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

  function namedInAnyOrder(parts: readonly string[]): readonly PlaceEntry[] {
    if (parts.length > MOST_NAME_PARTS) return [];
    // "Belp, Bern" is Belp, although Bern's airport is called Bern-Belp.
    const areTowns =
      parts.length > 1 && parts.every((part) => index.called(part).some((place) => !isSite(place)));
    for (const order of permutations(parts)) {
      const named = index.called(order.join(" "));
      if (named.some((place) => !isSite(place) || !areTowns)) return named;
    }
    return [];
  }

  function answerTo({ places: found, atItsTown, isDoubtful }: Reading): Geocoded {
    const [only, ...others] = found;
    if (only && others.length === 0 && !isDoubtful) return { kind: "place", place: only, atItsTown };
    return unclear(found, atItsTown);
  }

  function unclear(places: readonly PlaceEntry[], atItsTown = false): Geocoded {
    const candidates = places.slice(0, MOST_CANDIDATES).map(unmistakableName);
    return { kind: "unclear", candidates, ...(atItsTown && { atItsTown }) };
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

/** Of places whose name only folding makes one, "Brugg" and "Brügg", those that the text names to the letter. */
function toTheLetter(text: string, found: readonly PlaceEntry[]): readonly PlaceEntry[] {
  if (found.length < 2) return found;
  const said = text.normalize("NFC").toLowerCase();
  const literal = found.filter((place) => namesOf(place).some((name) => said.includes(name.toLowerCase())));
  return found.filter(
    (place) => literal.includes(place) || !literal.some((other) => haveNameInCommon(place, other)),
  );
}

function haveNameInCommon(one: PlaceEntry, other: PlaceEntry): boolean {
  const names = new Set(namesOf(one).map(siteOrName));
  return namesOf(other).some((name) => names.has(siteOrName(name)));
}

function siteOrName(name: string): string {
  const folded = fold(name);
  return siteName(folded) ?? folded;
}

function permutations(parts: readonly string[]): readonly (readonly string[])[] {
  if (parts.length <= 1) return [parts];
  return parts.flatMap((part, position) =>
    permutations(parts.filter((_, other) => other !== position)).map((rest) => [part, ...rest]),
  );
}
