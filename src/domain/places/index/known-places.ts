import type { FarCity, PlaceEntry, Site } from "../../catalog/places-schema.ts";
import { piecesOf, type Reading, readAddress } from "../addresses/address.ts";
import type { Position } from "../geo.ts";
import { fold, partsOf } from "./names.ts";
import { isSite, namesOf, type PlaceIndex } from "./place-index.ts";

export type Geocoded =
  | {
      readonly kind: "place";
      readonly place: PlaceEntry;
      readonly isOnlyTownKnown: boolean;
      readonly hasUnknownTerminal?: boolean;
    }
  | { readonly kind: "site"; readonly site: Site; readonly town: PlaceEntry; readonly label: string }
  /**
   * `isOnlyTownKnown` where the text is an address that may be in several towns; `areSimilar` where the candidates only
   * have similar names, so that the traveler has to choose; `needsTown` where more sites have the name than can be listed.
   */
  | {
      readonly kind: "unclear";
      readonly candidates: readonly string[];
      readonly isOnlyTownKnown?: true;
      readonly areSimilar?: true;
      readonly needsTown?: true;
    }
  | { readonly kind: "outside"; readonly name: string; readonly lat: number; readonly lng: number };

export function positionOf(geocoded: Geocoded): Position | undefined {
  if (geocoded.kind === "place") return geocoded.place;
  return geocoded.kind === "site" ? geocoded.site : undefined;
}

/** Whether something was found, or a question that says what to add. */
export function isAnswer(meant: Geocoded | undefined): meant is Geocoded {
  return meant !== undefined && (meant.kind !== "unclear" || meant.candidates.length > 0 || meant.needsTown === true);
}

export const MOST_CANDIDATES = 5;
/** A text with more comma parts is an address: names have fewer. */
export const MOST_NAME_PARTS = 3;

export type KnownPlaces = ReturnType<typeof createKnownPlaces>;

/** Reads a text as the name of a place, or as an address of which the last part is one. */
export function createKnownPlaces(index: PlaceIndex, isNameOfSite: (name: string) => boolean) {
  const { siteOrName, terminalIn, withoutStationWord } = index.words;

  return { read, geocodeKnown, placesOfPostcode, unclear, unambiguousName, farCityOf, toTheLetter };

  function geocodeKnown(text: string): Geocoded | undefined {
    const reading = read(text);
    return reading && resultOf(reading);
  }

  function read(text: string): Reading | undefined {
    const reading = readFolded(text);
    return reading && { ...reading, places: toTheLetter(text, reading.places) };
  }

  function readFolded(text: string): Reading | undefined {
    const folded = fold(text);
    const iata = text.trim().length === 3 ? index.airport(folded) : undefined;
    if (iata) return { places: [iata], isOnlyTownKnown: false };
    const all = partsOf(folded);
    const parts = withoutTerminals(all);
    const reading = readParts(parts) ?? readTownOfStation(parts);
    const hasUnknownTerminal = parts !== all && index.called(all.join(" ")).length === 0;
    return reading && (hasUnknownTerminal ? { ...reading, hasUnknownTerminal } : reading);
  }

  /** A terminal is part of its airport; beside a city it shows that the airport is meant, but not which. */
  function withoutTerminals(parts: readonly string[]): readonly string[] {
    if (!parts.some(terminalIn)) return parts;
    const names = parts.flatMap((part) => terminalIn(part)?.name ?? part).filter((name) => name !== "");
    if (readParts(names)?.places.every(({ kind }) => kind === "airport")) return names;
    const [only = "", ...others] = parts;
    const named = terminalIn(only);
    return named && others.length === 0 && index.called(named.name).length > 0 ? [named.name, named.terminal] : parts;
  }

  function readParts(parts: readonly string[]): Reading | undefined {
    const named = namedInAnyOrder(parts);
    return named.length > 0 ? { places: named, isOnlyTownKnown: false } : readAddress(piecesOf(parts, index), index);
  }

  function readTownOfStation(parts: readonly string[]): Reading | undefined {
    const towns = parts.map(withoutStationWord);
    // A far station may be named after a town of ours: the Gare de Lyon stands in Paris.
    const isStation = towns.some((town, position) => town !== parts[position]) && !farCityOf(parts);
    const reading = isStation ? readParts(towns) : undefined;
    return reading && { ...reading, isOnlyTownKnown: true };
  }

  function namedInAnyOrder(parts: readonly string[]): readonly PlaceEntry[] {
    if (parts.length > MOST_NAME_PARTS) return [];
    // "Belp, Bern" is Belp, although Bern's airport is called Bern-Belp.
    const areTowns = parts.length > 1 && parts.every((part) => index.called(part).some((place) => !isSite(place)));
    for (const order of permutations(parts)) {
      const named = index.called(order.join(" "));
      if (named.some((place) => !isSite(place) || !areTowns)) return named;
    }
    return [];
  }

  function resultOf({ places: found, isOnlyTownKnown, isDoubtful, hasUnknownTerminal }: Reading): Geocoded {
    const [only, ...others] = found;
    if (only && others.length === 0 && !isDoubtful) {
      return { kind: "place", place: only, isOnlyTownKnown, ...(hasUnknownTerminal && { hasUnknownTerminal }) };
    }
    return unclear(found, isOnlyTownKnown);
  }

  function unclear(
    places: readonly PlaceEntry[],
    isOnlyTownKnown = false,
    meant: readonly string[] = [],
  ): Geocoded & { readonly kind: "unclear" } {
    const candidates = places.slice(0, MOST_CANDIDATES).map((place) => unambiguousName(place, meant));
    return { kind: "unclear", candidates, ...(isOnlyTownKnown && { isOnlyTownKnown }) };
  }

  function placesOfPostcode(text: string): Geocoded | undefined {
    const postcode = index.words.postcodeIn(fold(text));
    const all = postcode ? index.places.filter((place) => place.postcodes.includes(postcode)) : [];
    const places = all.every(isSite) ? all : all.filter((place) => !isSite(place));
    const ids = new Set(places.map(({ id }) => id));
    const [only, ...others] = places.filter(({ partOf }) => !ids.has(partOf ?? ""));
    if (!only || others.length > 0) return only && unclear([only, ...others]);
    return { kind: "place", place: only, isOnlyTownKnown: true };
  }

  function farCityOf(parts: readonly string[]): FarCity | undefined {
    return [parts.join(" "), ...[...parts].reverse()]
      .map((name) => index.farCity(name) ?? farCityNamedTwice(name))
      .find((city) => city !== undefined);
  }

  /** "Paris Charles de Gaulle": two names of one city. */
  function farCityNamedTwice(name: string): FarCity | undefined {
    return [...name.matchAll(/ /g)]
      .filter(({ index: gap }) => index.farCity(name.slice(0, gap)) === index.farCity(name.slice(gap + 1)))
      .map(({ index: gap }) => index.farCity(name.slice(0, gap)))
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

  /** Folding makes "Brugg" and "Brügg" one name: keeps the places that the text names with their accents. */
  function toTheLetter(text: string, found: readonly PlaceEntry[]): readonly PlaceEntry[] {
    if (found.length < 2) return found;
    const written = text.normalize("NFC").toLowerCase();
    const literal = found.filter((place) => namesOf(place).some((name) => written.includes(name.toLowerCase())));
    return found.filter((place) => literal.includes(place) || !literal.some((other) => haveNameInCommon(place, other)));
  }

  function haveNameInCommon(one: PlaceEntry, other: PlaceEntry): boolean {
    const names = new Set(namesOf(one).map(siteOrName));
    return namesOf(other).some((name) => names.has(siteOrName(name)));
  }
}

function permutations(parts: readonly string[]): readonly (readonly string[])[] {
  if (parts.length <= 1) return [parts];
  return parts.flatMap((part, position) =>
    permutations(parts.filter((_, other) => other !== position)).map((rest) => [part, ...rest]),
  );
}
