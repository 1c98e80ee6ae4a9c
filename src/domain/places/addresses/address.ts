import type { PlaceEntry } from "../../catalog/places-schema.ts";
import { crowFliesKm } from "../geo.ts";
import { fold } from "../index/names.ts";
import { isSite, namesOf, type PlaceIndex } from "../index/place-index.ts";

/** The places that a text names; several where it is ambiguous. */
export interface Reading {
  readonly places: readonly PlaceEntry[];
  /** The text is an address of which only the town is known: it names more than the place, such as a hotel. */
  readonly isOnlyTownKnown: boolean;
  /** Ambiguous even where `places` has one entry only. */
  readonly isDoubtful?: boolean;
  /** The text names a terminal that no place of the catalog has. */
  readonly hasUnknownTerminal?: boolean;
}

/** A text with more pieces is not an address. */
const MOST_PIECES = 12;
const PART_OF_PLACE_KM = 10;
const AIRPORT_OF_CITY_KM = 50;

/**
 * Reads the pieces of "hotel or street, postcode place, canton": one piece names the place; country, canton and
 * postcode select among places of that name; the rest is the address. `undefined` where no piece names a place.
 */
export function readAddress(pieces: readonly string[], index: PlaceIndex): Reading | undefined {
  if (pieces.length > MOST_PIECES) return undefined;
  return readPieces(atSite(pieces, index), index) ?? readPieces(pieces, index);
}

/** Splits parts of a folded text such as "8001 zurich" and "zurich zh" into two pieces each; keeps all others whole. */
export function piecesOf(parts: readonly string[], index: PlaceIndex): readonly string[] {
  return parts.flatMap((part) => withoutPostcode(part, index)).flatMap((part) => withoutRegion(part, index));
}

/** Splits "8001 zurich" into postcode and name; keeps other parts whole. */
export function withoutPostcode(part: string, { words }: PlaceIndex): readonly string[] {
  const [, postcode = "", name = ""] = /^((?:[a-z]{1,2} )?\d{4,5}) (.+)$/.exec(part) ?? [];
  return words.postcodeIn(postcode) !== undefined ? [postcode, name] : [part];
}

/** Splits "zermatt vs switzerland" into the name and its qualifiers; keeps other parts whole. */
function withoutRegion(part: string, index: PlaceIndex): readonly string[] {
  const [, name = "", last = ""] = /^(.+) (\S+)$/.exec(part) ?? [];
  if (index.called(part).length > 0 || !index.isQualifier(last)) return [part];
  const before = withoutRegion(name, index);
  const [place = ""] = before;
  return index.called(place).length > 0 || index.calledLocally(place).length > 0 ? [...before, last] : [part];
}

/** Turns "bahnhof", "3920", "zermatt" into "3920", "bahnhof zermatt" where that names a place. */
function atSite(pieces: readonly string[], { called, words }: PlaceIndex): readonly string[] {
  const word = pieces.find(words.isSiteWord);
  if (word === undefined) return pieces;
  const others = pieces.filter((piece) => piece !== word);
  const sites = others.map((piece) => (called(`${word} ${piece}`).length > 0 ? `${word} ${piece}` : piece));
  return sites.some((piece, position) => piece !== others[position]) ? sites : pieces;
}

function readPieces(pieces: readonly string[], index: PlaceIndex): Reading | undefined {
  const { called, farCity, isQualifier, words } = index;
  const { containsAirportWord, containsFlightWord, withoutStationWord } = words;
  // From the end: addresses name their place last, and a canton may be named like a town.
  for (let position = pieces.length - 1; position >= 0; position -= 1) {
    const others = pieces.filter((_, other) => other !== position);
    const rest = others.filter((other) => !isQualifier(other));
    const fitting = namesakes(pieces[position] ?? "", others, index);
    if (fitting.length === 0 || rest.some(farCity)) continue;
    const places = narrowed(fitting, pieces, position, index);
    const unknown = rest.filter((other) => called(other).length === 0);
    if (unknown.some(containsAirportWord) && !places.some(({ kind }) => kind === "airport"))
      return { places: [...airportsOf(places, index), ...places], isOnlyTownKnown: true, isDoubtful: true };
    if (unknown.some(containsFlightWord) && !places.some(isSite)) {
      const airports = airportsOf(places, index);
      if (airports.length > 0) return { places: [...airports, ...places], isOnlyTownKnown: true, isDoubtful: true };
    }
    const elsewhere = unknown
      .flatMap((other) => called(withoutStationWord(other)))
      .filter((town) => !places.some((place) => areTogether(town, place, index)));
    if (elsewhere.length > 0) return { places: [...elsewhere, ...places], isOnlyTownKnown: true, isDoubtful: true };
    return { places, isOnlyTownKnown: unknown.length > 0 };
  }
  return undefined;
}

/**
 * The places of a name that satisfy all qualifiers. Places whose name contains another piece ("Simmental") win over
 * better-known ones, and these over places with that local name.
 */
function namesakes(
  name: string,
  others: readonly string[],
  { called, calledLocally, isNamedAfter, isQualifier, satisfies }: PlaceIndex,
): readonly PlaceEntry[] {
  const qualifiers = others.filter(isQualifier);
  const fits = (place: PlaceEntry) => qualifiers.every((qualifier) => satisfies(place, qualifier));
  const known = called(name).filter(fits);
  const local = calledLocally(name).filter(fits);
  const distinguished = [...known, ...local].filter((place) =>
    others.some((other) => called(other).length === 0 && !isQualifier(other) && isNamedAfter(place, other)),
  );
  if (distinguished.length > 0) return distinguished;
  return known.length > 0 ? known : local;
}

export function airportsOf(cities: readonly PlaceEntry[], index: PlaceIndex): readonly PlaceEntry[] {
  return index.airports.filter((airport) => cities.some((city) => isPartOf(airport, city, index)));
}

/**
 * Addresses name the smaller place first: "Zurich Airport, Zurich" is the airport, "Wengen, Lauterbrunnen" is Wengen,
 * and "Grindelwald, Bern" is Grindelwald in that canton. Returns every place named where they do not lie together.
 */
function narrowed(
  fitting: readonly PlaceEntry[],
  pieces: readonly string[],
  position: number,
  index: PlaceIndex,
): readonly PlaceEntry[] {
  const { called, calledLocally, isQualifier, satisfies } = index;
  const region = pieces[position] ?? "";
  const isName = (piece: string) => !isQualifier(piece) && called(piece).length > 0;
  let found = fitting;
  for (const piece of pieces.slice(0, position).filter(isName).reverse()) {
    found = [...called(piece), ...calledLocally(piece)].filter(
      (place) =>
        (isQualifier(region) && satisfies(place, region)) || found.some((wider) => isPartOf(place, wider, index)),
    );
  }
  for (const piece of pieces.slice(position + 1).filter(isName)) {
    found = found.filter((place) => called(piece).some((wider) => isPartOf(place, wider, index)));
  }
  return found.length > 0 ? found : [...new Set([...fitting, ...pieces.filter(isName).flatMap(called)])];
}

function areTogether(one: PlaceEntry, other: PlaceEntry, index: PlaceIndex): boolean {
  return isPartOf(one, other, index) || isPartOf(other, one, index);
}

/** Whether a place is near enough to the wider one that an address names after it. Sites have no parts. */
function isPartOf(place: PlaceEntry, wider: PlaceEntry, { isNamedAfter }: PlaceIndex): boolean {
  if (isSite(wider)) return place === wider;
  const km = crowFliesKm(place, wider);
  if (km <= PART_OF_PLACE_KM) return true;
  const isItsAirport = () => namesOf(wider).some((name) => isNamedAfter(place, fold(name)));
  return place.kind === "airport" && km <= AIRPORT_OF_CITY_KM && isItsAirport();
}
