import type { FarCity, PlaceEntry } from "../catalog/places-schema.ts";
import { crowFliesKm } from "./geo.ts";
import { isPlace, isSpot, type Known, type Locations } from "./locations.ts";
import { fold, namesOf, partsOf } from "./names.ts";
import type { Location, QuestionReason } from "./place-finder.ts";
import type { PlaceIndex } from "./place-index.ts";

/** The places that a text names, several where it is ambiguous. */
interface Reading {
  readonly places: readonly PlaceEntry[];
  /** The text is an address of which only the town is known: it names more than the place, such as a hotel. */
  readonly isOnlyTownKnown: boolean;
}

export const MOST_CANDIDATES = 5;

export type Addresses = ReturnType<typeof createAddresses>;

const PART_OF_PLACE_KM = 10;
const AIRPORT_OF_CITY_KM = 50;

/** Reads a text as the name of a place, or as an address of which the last part is one. */
export function createAddresses(index: PlaceIndex, locations: Locations, isNameOfSite: (name: string) => boolean) {
  const { called, calledLocally, farCity, isNamedAfter, isQualifier, satisfies, airports, toTheLetter } = index;
  const { bareSiteWord, containsAirportWord, isSiteWord, postcodeIn, withoutTerminal, withoutPostcode } = index.words;

  return { read, wholeName, placesOfPostcode, askFor, asking, candidateOf, candidatesOf, farCityOf, airportsOf };

  /** The place or the address that the whole text names; a question where several have the name. */
  function wholeName(text: string, written = text): Location | undefined {
    const { places = [], isOnlyTownKnown = false } = read(text, written) ?? {};
    const [only, ...others] = places;
    if (!only) return undefined;
    // "Airport hotel Geneva" may be at the airport or in the city.
    const lacksAirport = isOnlyTownKnown && !places.some(({ kind }) => kind === "airport");
    if (lacksAirport && partsOf(fold(text)).some(containsAirportWord)) {
      const airports = airportsOf(places);
      return askFor([...airports, ...places], airports.length > 0 ? "address" : "similar");
    }
    if (others.length > 0) return askFor(places, isOnlyTownKnown ? "address" : "name");
    return { ...locations.of(only), ...(isOnlyTownKnown && { isOnlyTownKnown }) };
  }

  /** `written` is the text as the traveler wrote it, with its accents. */
  function read(text: string, written = text): Reading | undefined {
    const reading = readParts(withoutTerminals(partsOf(fold(text))));
    return reading && { ...reading, places: toTheLetter(written, reading.places) };
  }

  /** A terminal is part of its airport. */
  function withoutTerminals(parts: readonly string[]): readonly string[] {
    const names = parts.map(withoutTerminal).filter((name) => name !== "");
    if (names.join() === parts.join()) return parts;
    return readParts(names)?.places.every(({ kind }) => kind === "airport") ? names : parts;
  }

  function readParts(parts: readonly string[]): Reading | undefined {
    const named = namedInAnyOrder(parts);
    return named.length > 0 ? { places: named, isOnlyTownKnown: false } : readAddress(atSite(piecesOf(parts)));
  }

  function namedInAnyOrder(parts: readonly string[]): readonly PlaceEntry[] {
    // "Belp, Bern" is Belp, although Bern's airport is called Bern-Belp.
    const areTowns = parts.length > 1 && parts.every((part) => called(part).some((place) => !isSpot(place)));
    for (const order of [parts, [...parts].reverse()]) {
      const named = called(order.join(" "));
      if (named.some((place) => !isSpot(place) || !areTowns)) return named;
    }
    return [];
  }

  /** `meant` are folded names of which candidates have theirs, if possible. */
  function askFor(several: readonly Known[], reason: QuestionReason, meant: readonly string[] = []): Location {
    const texts = several.slice(0, MOST_CANDIDATES).map((known) => candidateOf(known, meant));
    return asking(texts, reason);
  }

  function asking(texts: readonly string[], reason: QuestionReason): Location {
    const candidates = [...new Set(texts)].slice(0, MOST_CANDIDATES);
    return candidates.length > 0 ? { kind: "question", candidates, reason } : { kind: "unknown" };
  }

  /** What stands for a location among candidates. */
  function candidatesOf(location: Location | undefined): readonly string[] {
    if (location?.kind === "question") return location.candidates;
    if (location?.kind !== "found") return [];
    const place = locations.byId(location.place.id ?? "");
    return [location.place.isSite || !place ? location.place.name : candidateOf(place)];
  }

  function candidateOf(known: Known, meant: readonly string[] = []): string {
    return isPlace(known) ? unambiguousName(known, meant) : locations.nameWithTown(known);
  }

  function placesOfPostcode(text: string): Location | undefined {
    const parts = partsOf(fold(text)).flatMap(withoutPostcode);
    const isOne = parts.some(postcodeIn) && parts.every(isQualifier);
    const all = isOne ? index.places.filter((place) => parts.every((part) => satisfies(place, part))) : [];
    const places = all.every(isSpot) ? all : all.filter((place) => !isSpot(place));
    const [only, ...others] = places;
    return only && others.length === 0 ? { ...locations.of(only), isOnlyTownKnown: true } : askFor(places, "name");
  }

  function farCityOf(parts: readonly string[]): FarCity | undefined {
    return [parts.join(" "), ...parts].map(farCity).find((city) => city !== undefined);
  }

  /** A text that resolves to this place alone when it is sent back, if possible one of the folded names `meant`. */
  function unambiguousName(place: PlaceEntry, meant: readonly string[]): string {
    const { name, aliases, canton, country, postcodes } = place;
    const qualified = [canton, country, ...postcodes].flatMap((qualifier) =>
      qualifier ? [`${name}, ${qualifier}`] : [],
    );
    const spelled = namesOf(place).filter((each) => meant.includes(fold(each)));
    const texts = [...spelled, name, ...qualified, ...aliases];
    return (
      texts.find((text) => {
        const found = read(text)?.places ?? [];
        return found.length === 1 && found[0] === place && (text === name || !isNameOfSite(text));
      }) ?? `${place.lat}, ${place.lng}`
    );
  }

  /** Splits parts of a folded text such as "8001 zurich" and "zurich zh" into two pieces each. */
  function piecesOf(parts: readonly string[]): readonly string[] {
    return parts.flatMap(withoutPostcode).flatMap(withoutRegion).map(bareSiteWord);
  }

  /** Splits "zermatt vs switzerland" into the name and its qualifiers; keeps other parts whole. */
  function withoutRegion(part: string): readonly string[] {
    const [, name = "", last = ""] = /^(.+) (\S+)$/.exec(part) ?? [];
    if (called(part).length > 0 || !isQualifier(last)) return [part];
    const before = withoutRegion(name);
    const [place = ""] = before;
    return called(place).length > 0 ? [...before, last] : [part];
  }

  /** Turns "bahnhof", "3920", "zermatt" into "3920", "bahnhof zermatt" where that names a place. */
  function atSite(pieces: readonly string[]): readonly string[] {
    const word = pieces.find(isSiteWord);
    if (word === undefined) return pieces;
    const others = pieces.filter((piece) => piece !== word);
    const sites = others.map((piece) => (called(`${word} ${piece}`).length > 0 ? `${word} ${piece}` : piece));
    return sites.some((piece, position) => piece !== others[position]) ? sites : pieces;
  }

  /**
   * Reads the pieces of "hotel or street, postcode place, canton": one piece names the place; country, canton and
   * postcode select among places of that name; the rest is the address. `undefined` where no piece names a place.
   */
  function readAddress(pieces: readonly string[]): Reading | undefined {
    // From the end: addresses name their place last, and a canton may be named like a town.
    for (let position = pieces.length - 1; position >= 0; position -= 1) {
      const others = pieces.filter((_, other) => other !== position);
      const rest = others.filter((other) => !isQualifier(other));
      const fitting = namesakes(pieces[position] ?? "", others);
      if (fitting.length === 0 || rest.some(farCity)) continue;
      const places = narrowed(fitting, pieces, position);
      return { places, isOnlyTownKnown: rest.some((other) => called(other).length === 0) };
    }
    return undefined;
  }

  /**
   * The places of a name that satisfy all qualifiers. Places whose name contains another piece ("Simmental") win over
   * better-known ones, these over places with that local name, and these over airports that have the postcode.
   */
  function namesakes(name: string, others: readonly string[]): readonly PlaceEntry[] {
    const qualifiers = others.filter(isQualifier);
    const fits = (place: PlaceEntry) => qualifiers.every((qualifier) => satisfies(place, qualifier));
    const known = called(name).filter(fits);
    const local = calledLocally(name).filter(fits);
    const distinguished = [...known, ...local].filter((place) =>
      others.some((other) => called(other).length === 0 && !isQualifier(other) && isNamedAfter(place, other)),
    );
    if (distinguished.length > 0) return distinguished;
    // "8058 Zurich" is the airport.
    const ofPostcode = others.some(postcodeIn) ? airportsOf(called(name)).filter(fits) : [];
    return [known, local].find(({ length }) => length > 0) ?? ofPostcode;
  }

  /** The airports of the towns of these places. */
  function airportsOf(places: readonly PlaceEntry[]): readonly PlaceEntry[] {
    const towns = places.map((place) => locations.byId(place.partOf ?? "") ?? place);
    return airports.filter((airport) => towns.some((town) => isPartOf(airport, town)));
  }

  /**
   * Addresses name the smaller place first: "Zurich Airport, Zurich" is the airport, "Wengen, Lauterbrunnen" is Wengen,
   * and "Grindelwald, Bern" is Grindelwald in that canton. Returns every place named where they do not lie together.
   */
  function narrowed(fitting: readonly PlaceEntry[], pieces: readonly string[], position: number) {
    const region = pieces[position] ?? "";
    const isName = (piece: string) => !isQualifier(piece) && called(piece).length > 0;
    let found = fitting;
    for (const piece of pieces.slice(0, position).filter(isName).reverse()) {
      found = [...called(piece), ...calledLocally(piece)].filter(
        (place) => (isQualifier(region) && satisfies(place, region)) || found.some((wider) => isPartOf(place, wider)),
      );
    }
    for (const piece of pieces.slice(position + 1).filter(isName)) {
      found = found.filter((place) => called(piece).some((wider) => isPartOf(place, wider)));
    }
    return found.length > 0 ? found : [...new Set([...fitting, ...pieces.filter(isName).flatMap(called)])];
  }

  /** Whether a place is near enough to the wider one that an address names after it. Sites have no parts. */
  function isPartOf(place: PlaceEntry, wider: PlaceEntry): boolean {
    if (isSpot(wider)) return place === wider;
    const km = crowFliesKm(place, wider);
    if (km <= PART_OF_PLACE_KM) return true;
    const isItsAirport = () => namesOf(wider).some((name) => isNamedAfter(place, fold(name)));
    return place.kind === "airport" && km <= AIRPORT_OF_CITY_KM && isItsAirport();
  }
}
