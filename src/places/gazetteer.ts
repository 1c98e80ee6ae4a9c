import { fold, partsOf } from "./fold.ts";
import { crowFliesKm } from "./geo.ts";
import type { PlaceData } from "./load-places.ts";
import { createNearMisses } from "./near-misses.ts";
import { isQualifier, satisfies } from "./qualifiers.ts";
import type { FarCity, PlaceEntry } from "./schema.ts";
import { isSiteWord, siteName, withoutStationWord } from "./site-words.ts";

/** What a geocoder makes of a text. */
export type Geocoded =
  | { readonly kind: "place"; readonly place: PlaceEntry; readonly atItsTown: boolean }
  | { readonly kind: "unclear"; readonly candidates: readonly string[] }
  | { readonly kind: "outside"; readonly name: string; readonly lat: number; readonly lng: number };

const MOST_CANDIDATES = 5;
/** Texts with more comma parts are addresses; no name is written in so many. */
const MOST_NAME_PARTS = 3;
const PART_OF_PLACE_KM = 10;
const AIRPORT_OF_CITY_KM = 50;

/** What a text names before anything is said about it; several places where it could mean any of them. */
interface Reading {
  readonly places: readonly PlaceEntry[];
  readonly atItsTown: boolean;
}

/**
 * The embedded places by name. Tried in this order: IATA code, alone or beside a name; exact name or alias after
 * folding, comma parts in any order; "hotel or street, place", with country, canton or postcode deciding between
 * namesakes; the same without the word for "station", for towns whose station is no place of its own; far cities; one
 * edit away from exactly one name, which is offered and never taken.
 */
export function createGazetteer({ places, farCities }: PlaceData) {
  const byName = new Map<string, PlaceEntry[]>();
  const byIata = new Map<string, PlaceEntry>();
  const byId = new Map(places.map((place) => [place.id, place]));
  const byLocalName = new Map<string, PlaceEntry[]>();
  const far = new Map<string, FarCity>();
  for (const place of places) {
    if (place.iata) byIata.set(fold(place.iata), place);
    for (const name of [place.name, ...place.aliases]) addName(fold(name), place);
    if (place.localName !== undefined) add(byLocalName, fold(place.localName), place);
  }
  for (const city of farCities) {
    for (const name of [city.name, ...city.aliases]) far.set(fold(name), city);
  }
  const nearMisses = createNearMisses({ places, byName, called });

  return { geocode, placesNamed, byId: (id: string) => byId.get(id) };

  function geocode(text: string): Geocoded {
    const reading = read(text);
    if (reading) return answerTo(reading);
    const parts = partsOf(fold(text));
    const city =
      farCityOf(parts) ??
      farCityOf(parts.map(withoutStationWord)) ??
      farCityOf(parts.flatMap(withoutPostcode));
    if (city) return { kind: "outside", name: city.name, lat: city.lat, lng: city.lng };
    return unclear(nearMisses(parts, piecesOf(parts)));
  }

  /** Every place that the text could mean, one that needs its canton or postcode to be found included. */
  function placesNamed(text: string): readonly PlaceEntry[] {
    return [...(read(text)?.places ?? []), ...(byLocalName.get(fold(text)) ?? [])];
  }

  function read(text: string): Reading | undefined {
    const reading = readFolded(text);
    return reading && { ...reading, places: toTheLetter(text, reading.places) };
  }

  /** Of names that folding makes one, "Brugg" and "Brügg", those that the text holds to the letter. */
  function toTheLetter(text: string, found: readonly PlaceEntry[]): readonly PlaceEntry[] {
    if (found.length < 2) return found;
    const said = text.normalize("NFC").toLowerCase();
    const literal = found.filter(({ name, aliases }) =>
      [name, ...aliases].some((known) => said.includes(known.toLowerCase())),
    );
    return literal.length > 0 ? literal : found;
  }

  function readFolded(text: string): Reading | undefined {
    const folded = fold(text);
    const iata = byIata.get(folded);
    if (iata && text.trim().length === 3) return { places: [iata], atItsTown: false };
    const parts = partsOf(folded);
    const airport = airportWithCode(parts.join(" "));
    if (airport) return { places: [airport], atItsTown: false };
    return readParts(parts) ?? readTownOfStation(parts);
  }

  function readParts(parts: readonly string[]): Reading | undefined {
    const named = namedInAnyOrder(parts);
    return named.length > 0 ? { places: named, atItsTown: false } : addressed(parts);
  }

  function readTownOfStation(parts: readonly string[]): Reading | undefined {
    const towns = parts.map(withoutStationWord);
    // A far station may be named after a town of ours: the Gare de Lyon stands in Paris.
    const isStation = towns.some((town, index) => town !== parts[index]) && farCityOf(parts) === undefined;
    const reading = isStation ? readParts(towns) : undefined;
    return reading && { ...reading, atItsTown: true };
  }

  /** "Zurich Airport (ZRH)", "GVA Geneva": a code beside a name. */
  function airportWithCode(folded: string): PlaceEntry | undefined {
    for (const pattern of [/^(?<name>.+) (?<code>[a-z]{3})$/, /^(?<code>[a-z]{3}) (?<name>.+)$/]) {
      const { name = "", code = "" } = pattern.exec(folded)?.groups ?? {};
      if (called(name) && byIata.has(code)) return byIata.get(code);
    }
    return undefined;
  }

  function addName(folded: string, place: PlaceEntry): void {
    // A comma in a name counts as a space: the parts of a text are tried in every order anyway.
    const key = folded.includes(",") ? partsOf(folded).join(" ") : folded;
    const site = siteName(key);
    add(byName, key, place);
    if (site !== undefined && site !== key) add(byName, site, place);
  }

  /** The places of a folded name, or of its site however that is said; the Gare de Lyon, though, stands in Paris. */
  function called(name: string): readonly PlaceEntry[] | undefined {
    return byName.get(name) ?? (far.has(name) ? undefined : byName.get(siteName(name) ?? ""));
  }

  function namedInAnyOrder(parts: readonly string[]): readonly PlaceEntry[] {
    if (parts.length > MOST_NAME_PARTS) return [];
    for (const order of permutations(parts)) {
      const named = called(order.join(" "));
      if (named) return named;
    }
    return [];
  }

  /** Reads "street, postcode place, canton": one part names the place, qualifiers decide, the rest is the address. */
  function addressed(parts: readonly string[]): Reading | undefined {
    const pieces = piecesOf(parts);
    return readPieces(atSite(pieces)) ?? readPieces(pieces);
  }

  function readPieces(pieces: readonly string[]): Reading | undefined {
    // From the end: addresses name their place last, and a canton may be named like a town.
    for (let index = pieces.length - 1; index >= 0; index -= 1) {
      const piece = pieces[index] ?? "";
      const others = pieces.filter((_, other) => other !== index);
      const qualifiers = others.filter(isQualifier);
      const fits = (place: PlaceEntry) => qualifiers.every((qualifier) => satisfies(place, qualifier));
      const named = called(piece)?.filter(fits) ?? [];
      const fitting = named.length > 0 ? named : (byLocalName.get(piece)?.filter(fits) ?? []);
      if (fitting.length === 0) continue;
      const rest = others.filter((other) => !isQualifier(other));
      if (rest.some((other) => far.has(other))) continue;
      return {
        places: narrowed(fitting, pieces, index),
        atItsTown: rest.some((other) => !called(other)),
      };
    }
    return undefined;
  }

  /**
   * Addresses go from small to large: "Zurich Airport, Zurich" is the airport, "Wengen, Lauterbrunnen" is Wengen, and
   * "Grindelwald, Bern" lies in that canton. All that is named where the parts do not lie together.
   */
  function narrowed(
    fitting: readonly PlaceEntry[],
    pieces: readonly string[],
    index: number,
  ): readonly PlaceEntry[] {
    const region = pieces[index] ?? "";
    let found = fitting;
    for (const piece of pieces.slice(0, index).reverse()) {
      const named = isQualifier(piece) ? undefined : called(piece);
      if (named)
        found = [...named, ...(byLocalName.get(piece) ?? [])].filter(
          (place) => satisfies(place, region) || found.some((wider) => isPartOf(place, wider)),
        );
    }
    for (const piece of pieces.slice(index + 1)) {
      const named = isQualifier(piece) ? undefined : called(piece);
      if (named) found = found.filter((place) => named.some((wider) => isPartOf(place, wider)));
    }
    if (found.length > 0) return found;
    const rivals = pieces.filter((piece) => !isQualifier(piece)).flatMap((piece) => called(piece) ?? []);
    return [...new Set([...fitting, ...rivals])];
  }

  function piecesOf(parts: readonly string[]): readonly string[] {
    return parts.flatMap(withoutPostcode).flatMap(withoutQualifier);
  }

  /** "bahnhof", "3920", "zermatt" as "3920" and the station of Zermatt, where that is a place. */
  function atSite(pieces: readonly string[]): readonly string[] {
    const word = pieces.find(isSiteWord);
    const others = pieces.filter((piece) => piece !== word);
    const sites = others.map((piece) => (called(`${word} ${piece}`) ? `${word} ${piece}` : piece));
    return sites.some((piece, index) => piece !== others[index]) ? sites : pieces;
  }

  /** "zurich zh" as the name and the canton; names as they are. */
  function withoutQualifier(part: string): readonly string[] {
    const [, name = "", last = ""] = /^(.+) (\S+)$/.exec(part) ?? [];
    return !called(part) && called(name) && isQualifier(last) ? [name, last] : [part];
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
    return [parts.join(" "), ...[...parts].reverse()]
      .map((part) => far.get(part))
      .find((city) => city !== undefined);
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

function add(index: Map<string, PlaceEntry[]>, key: string, place: PlaceEntry): void {
  const known = index.get(key);
  if (!known) index.set(key, [place]);
  else if (!known.includes(place)) known.push(place);
}

/** Whether a place lies near enough to the larger one that an address names after it; a site has no parts. */
function isPartOf(place: PlaceEntry, wider: PlaceEntry): boolean {
  if (wider.kind === "airport" || wider.kind === "station") return place === wider;
  return crowFliesKm(place, wider) <= (place.kind === "airport" ? AIRPORT_OF_CITY_KM : PART_OF_PLACE_KM);
}

/** "8001 zurich" as the postcode and the name; other parts as they are. */
function withoutPostcode(part: string): readonly string[] {
  const match = /^((?:ch |fl |d |a |f |i )?\d{4,5}) (.+)$/.exec(part);
  return match ? [match[1] ?? "", match[2] ?? ""] : [part];
}

function permutations(parts: readonly string[]): readonly (readonly string[])[] {
  if (parts.length <= 1) return [parts];
  return parts.flatMap((part, index) =>
    permutations(parts.filter((_, other) => other !== index)).map((rest) => [part, ...rest]),
  );
}
