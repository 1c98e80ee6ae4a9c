import type { FarCity, PlaceEntry, Site } from "../catalog/places-schema.ts";
import { crowFliesKm, type Position } from "./geo.ts";
import { fold, namesOf, partsOf } from "./names.ts";
import { isSite, type PlaceIndex } from "./place-index.ts";

/** Why a text is a question. */
export type QuestionReason =
  /** The candidates have the name of the text, or the only one nearly has it. */
  | "name"
  /** The text is an address that may be in several towns. */
  | "address"
  /** Each candidate may be another place than the text means: the traveler has to choose. */
  | "similar"
  /** More sites have the name than can be listed: "Kantonsspital". */
  | "town"
  /** The text has too many words, or these could mean too much. */
  | "long";

/** Places that a text may mean, at most five, each of which resolves when it is sent back; none by "town" and "long". */
export interface Question {
  readonly kind: "question";
  readonly candidates: readonly string[];
  /** Codes or names of further places that it may mean, in few words; absent for none. */
  readonly others?: readonly string[];
  readonly reason: QuestionReason;
}

/** What a text means in the catalog. */
export type Meaning =
  | {
      readonly kind: "place";
      readonly place: PlaceEntry;
      /** The text is an address of which only the town is known: it names more than the place, such as a hotel. */
      readonly isOnlyTownKnown: boolean;
      /** The text names a terminal that no place of the catalog has. */
      readonly hasUnknownTerminal?: boolean;
    }
  | { readonly kind: "site"; readonly site: Site; readonly town: PlaceEntry; readonly label: string }
  | Question
  | { readonly kind: "outside"; readonly name: string; readonly lat: number; readonly lng: number }
  | { readonly kind: "unknown" };

/** The places that a text names, several where it is ambiguous; and the rest as in a place's meaning. */
interface Reading {
  readonly places: readonly PlaceEntry[];
  readonly isOnlyTownKnown: boolean;
  readonly hasUnknownTerminal?: boolean;
}

export function positionOf(meaning: Meaning): Position | undefined {
  if (meaning.kind === "place") return meaning.place;
  return meaning.kind === "site" ? meaning.site : undefined;
}

export const MOST_CANDIDATES = 5;
/** A text with more comma parts is an address: names have fewer. */
export const MOST_NAME_PARTS = 3;

export type Addresses = ReturnType<typeof createAddresses>;

const PART_OF_PLACE_KM = 10;
const AIRPORT_OF_CITY_KM = 50;

/** Reads a text as the name of a place, or as an address of which the last part is one. */
export function createAddresses(index: PlaceIndex, isNameOfSite: (name: string) => boolean) {
  const { called, calledLocally, farCity, isNamedAfter, isQualifier, satisfies, airports, toTheLetter } = index;
  const { containsAirportWord, isSiteWord, postcodeIn, withoutTerminal, withoutPostcode } = index.words;

  return {
    read,
    wholeName,
    placesOfPostcode,
    askFor,
    asking,
    unambiguousName,
    farCityOf,
    toTheLetter,
    piecesOf,
    airportsOf,
  };

  /** The place or the address that the whole text names; a question where several have the name. */
  function wholeName(text: string, written = text): Meaning | undefined {
    const reading = read(text, written);
    const [only, ...others] = reading?.places ?? [];
    if (!reading || !only) return undefined;
    const { places, ...rest } = reading;
    // "Airport hotel Geneva" may be at the airport or in the city.
    if (rest.isOnlyTownKnown && !places.some(isSite) && partsOf(fold(text)).some(containsAirportWord))
      return askFor([...airportsOf(places), ...places], "address");
    if (others.length > 0) return askFor(places, rest.isOnlyTownKnown ? "address" : "name");
    return { kind: "place", place: only, ...rest };
  }

  /** `written` is the text as the traveler wrote it, with its accents. */
  function read(text: string, written = text): Reading | undefined {
    const reading = readFolded(text);
    return reading && { ...reading, places: toTheLetter(written, reading.places) };
  }

  function readFolded(text: string): Reading | undefined {
    const folded = fold(text);
    const iata = text.trim().length === 3 ? index.airport(folded) : undefined;
    if (iata) return { places: [iata], isOnlyTownKnown: false };
    const all = partsOf(folded);
    const parts = withoutTerminals(all);
    const reading = readParts(parts);
    const hasUnknownTerminal = parts !== all && called(all.join(" ")).length === 0;
    return reading && (hasUnknownTerminal ? { ...reading, hasUnknownTerminal } : reading);
  }

  /** A terminal is part of its airport. */
  function withoutTerminals(parts: readonly string[]): readonly string[] {
    if (parts.every((part) => withoutTerminal(part) === undefined)) return parts;
    const names = parts.map((part) => withoutTerminal(part) ?? part).filter((name) => name !== "");
    return readParts(names)?.places.every(({ kind }) => kind === "airport") ? names : parts;
  }

  function readParts(parts: readonly string[]): Reading | undefined {
    const named = namedInAnyOrder(parts);
    return named.length > 0 ? { places: named, isOnlyTownKnown: false } : readAddress(piecesOf(parts));
  }

  function namedInAnyOrder(parts: readonly string[]): readonly PlaceEntry[] {
    if (parts.length > MOST_NAME_PARTS) return [];
    // "Belp, Bern" is Belp, although Bern's airport is called Bern-Belp.
    const areTowns = parts.length > 1 && parts.every((part) => called(part).some((place) => !isSite(place)));
    for (const order of permutations(parts)) {
      const named = called(order.join(" "));
      if (named.some((place) => !isSite(place) || !areTowns)) return named;
    }
    return [];
  }

  /** `meant` are folded names of which candidates have theirs, if possible. */
  function askFor(places: readonly PlaceEntry[], reason: QuestionReason, meant: readonly string[] = []): Meaning {
    const candidates = places.slice(0, MOST_CANDIDATES).map((place) => unambiguousName(place, meant));
    return asking(candidates, reason);
  }

  function asking(names: readonly string[], reason: QuestionReason): Meaning {
    const candidates = names.slice(0, MOST_CANDIDATES);
    return candidates.length > 0 ? { kind: "question", candidates, reason } : { kind: "unknown" };
  }

  function placesOfPostcode(text: string): Meaning | undefined {
    const postcode = postcodeIn(fold(text));
    const all = postcode ? index.places.filter((place) => place.postcodes.includes(postcode)) : [];
    const places = all.every(isSite) ? all : all.filter((place) => !isSite(place));
    const ids = new Set(places.map(({ id }) => id));
    const [only, ...others] = places.filter(({ partOf }) => !ids.has(partOf ?? ""));
    if (!only || others.length > 0) return only && askFor([only, ...others], "name");
    return { kind: "place", place: only, isOnlyTownKnown: true };
  }

  function farCityOf(parts: readonly string[]): FarCity | undefined {
    return [parts.join(" "), ...[...parts].reverse()]
      .map((name) => farCity(name) ?? farCityNamedTwice(name))
      .find((city) => city !== undefined);
  }

  /** "Paris Charles de Gaulle": two names of one city. */
  function farCityNamedTwice(name: string): FarCity | undefined {
    return [...name.matchAll(/ /g)]
      .filter(({ index: gap }) => farCity(name.slice(0, gap)) === farCity(name.slice(gap + 1)))
      .map(({ index: gap }) => farCity(name.slice(0, gap)))
      .find((city) => city !== undefined);
  }

  /** A text that resolves to this place alone when it is sent back, if possible one of the folded names `meant`. */
  function unambiguousName(place: PlaceEntry, meant: readonly string[] = []): string {
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

  /**
   * Reads the pieces of "hotel or street, postcode place, canton": one piece names the place; country, canton and
   * postcode select among places of that name; the rest is the address. `undefined` where no piece names a place.
   */
  function readAddress(pieces: readonly string[]): Reading | undefined {
    return readPieces(atSite(pieces)) ?? readPieces(pieces);
  }

  /** Splits parts of a folded text such as "8001 zurich" and "zurich zh" into two pieces each; keeps all others whole. */
  function piecesOf(parts: readonly string[]): readonly string[] {
    return parts.flatMap(withoutPostcode).flatMap(withoutRegion);
  }

  /** Splits "zermatt vs switzerland" into the name and its qualifiers; keeps other parts whole. */
  function withoutRegion(part: string): readonly string[] {
    const [, name = "", last = ""] = /^(.+) (\S+)$/.exec(part) ?? [];
    if (called(part).length > 0 || !isQualifier(last)) return [part];
    const before = withoutRegion(name);
    const [place = ""] = before;
    return called(place).length > 0 || calledLocally(place).length > 0 ? [...before, last] : [part];
  }

  /** Turns "bahnhof", "3920", "zermatt" into "3920", "bahnhof zermatt" where that names a place. */
  function atSite(pieces: readonly string[]): readonly string[] {
    const word = pieces.find(isSiteWord);
    if (word === undefined) return pieces;
    const others = pieces.filter((piece) => piece !== word);
    const sites = others.map((piece) => (called(`${word} ${piece}`).length > 0 ? `${word} ${piece}` : piece));
    return sites.some((piece, position) => piece !== others[position]) ? sites : pieces;
  }

  function readPieces(pieces: readonly string[]): Reading | undefined {
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
   * better-known ones, and these over places with that local name.
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
    return known.length > 0 ? known : local;
  }

  function airportsOf(cities: readonly PlaceEntry[]): readonly PlaceEntry[] {
    return airports.filter((airport) => cities.some((city) => isPartOf(airport, city)));
  }

  /**
   * Addresses name the smaller place first: "Zurich Airport, Zurich" is the airport, "Wengen, Lauterbrunnen" is Wengen,
   * and "Grindelwald, Bern" is Grindelwald in that canton. Returns every place named where they do not lie together.
   */
  function narrowed(
    fitting: readonly PlaceEntry[],
    pieces: readonly string[],
    position: number,
  ): readonly PlaceEntry[] {
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
    if (isSite(wider)) return place === wider;
    const km = crowFliesKm(place, wider);
    if (km <= PART_OF_PLACE_KM) return true;
    const isItsAirport = () => namesOf(wider).some((name) => isNamedAfter(place, fold(name)));
    return place.kind === "airport" && km <= AIRPORT_OF_CITY_KM && isItsAirport();
  }
}

function permutations(parts: readonly string[]): readonly (readonly string[])[] {
  if (parts.length <= 1) return [parts];
  return parts.flatMap((part, position) =>
    permutations(parts.filter((_, other) => other !== position)).map((rest) => [part, ...rest]),
  );
}
