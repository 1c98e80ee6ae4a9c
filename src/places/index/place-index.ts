import type { PlaceData } from "../../catalog/load-places.ts";
import type { FarCity, PlaceEntry } from "../../catalog/places-schema.ts";
import type { FoldedNames, NamedPositions } from "../../catalog/prepared.ts";
import { fold, partsOf } from "./fold.ts";
import { createQualifiers, type Qualifiers } from "./qualifiers.ts";
import { siteName } from "./site-words.ts";

/** The embedded places by name; names are passed folded and without commas. */
export interface PlaceIndex extends Qualifiers {
  readonly places: readonly PlaceEntry[];
  /** Each name with its places. */
  readonly names: ReadonlyMap<string, readonly PlaceEntry[]>;
  /** The places of a name, or of its site in any language; empty where there is none. */
  called(name: string): readonly PlaceEntry[];
  /** Those that have the name only beside their canton, country or postcode. */
  calledLocally(name: string): readonly PlaceEntry[];
  farCity(name: string): FarCity | undefined;
  /** The airport of an IATA code. */
  airport(iata: string): PlaceEntry | undefined;
  /** Whether a name of the place contains this one as whole words. */
  isNamedAfter(place: PlaceEntry, name: string): boolean;
  byId(id: string): PlaceEntry | undefined;
}

const NONE: readonly PlaceEntry[] = [];

/** `folded` are the names of these data. */
export function createPlaceIndex(
  { places, farCities, regions }: PlaceData,
  folded: FoldedNames = foldNames({ places, farCities }),
): PlaceIndex {
  const names = byName(folded.places, places);
  const localNames = byName(folded.localNames, places);
  const far = byName(folded.farCities, farCities);
  const byId = new Map(places.map((place) => [place.id, place]));
  const airports = new Map(places.flatMap((place) => (place.iata ? [[fold(place.iata), place] as const] : [])));

  return {
    ...createQualifiers(regions),
    places,
    names,
    called,
    calledLocally: (name) => localNames.get(name) ?? NONE,
    farCity: (name) => far.get(name)?.at(-1),
    airport: (iata) => airports.get(iata),
    isNamedAfter,
    byId: (id) => byId.get(id),
  };

  function called(name: string): readonly PlaceEntry[] {
    const known = names.get(name);
    if (known) return known;
    // The Gare de Lyon is in Paris, although Lyon has a station.
    if (far.has(name)) return NONE;
    const airport = airportWithCode(name);
    return airport ? [airport] : (names.get(siteName(name) ?? "") ?? NONE);
  }

  /** "zrh", "zurich airport zrh", "gva geneva": a code, alone or beside a name of the airport or its city. */
  function airportWithCode(name: string): PlaceEntry | undefined {
    if (name.length === 3) return airports.get(name);
    for (const pattern of [/^(?<beside>.+) (?<code>[a-z]{3})$/, /^(?<code>[a-z]{3}) (?<beside>.+)$/]) {
      const { beside = "", code = "" } = pattern.exec(name)?.groups ?? {};
      const airport = airports.get(code);
      if (airport && isNamedAfter(airport, siteName(beside) ?? beside)) return airport;
    }
    return undefined;
  }

  function isNamedAfter(place: PlaceEntry, name: string): boolean {
    return namesOf(place).some((known) => {
      const folded = fold(known);
      return ` ${folded} `.includes(` ${name} `) || siteName(folded) === name;
    });
  }
}

/** Every name of the places and cities, as texts are compared with them. */
export function foldNames({ places, farCities }: Pick<PlaceData, "places" | "farCities">): FoldedNames {
  const names = new Map<string, number[]>();
  const localNames = new Map<string, number[]>();
  const far = new Map<string, number[]>();
  places.forEach((place, position) => {
    for (const name of namesOf(place)) addName(name, position);
    if (place.localName !== undefined) add(localNames, fold(place.localName), position);
  });
  farCities.forEach((city, position) => {
    for (const name of namesOf(city)) add(far, fold(name), position);
  });
  return { places: [...names], localNames: [...localNames], farCities: [...far] };

  function addName(text: string, position: number): void {
    const folded = fold(text);
    // A comma in a name counts as a space: the parts of a text are tried in every order anyway.
    const name = folded.includes(",") ? partsOf(folded).join(" ") : folded;
    const site = siteName(name);
    add(names, name, position);
    if (site !== undefined && site !== name) add(names, site, position);
  }
}

function byName<T>(folded: readonly NamedPositions[], named: readonly T[]): ReadonlyMap<string, readonly T[]> {
  return new Map(
    folded.map(([name, positions]) => [name, positions.flatMap((position) => named[position] ?? [])] as const),
  );
}

function add(index: Map<string, number[]>, name: string, position: number): void {
  const known = index.get(name);
  if (!known) index.set(name, [position]);
  else if (!known.includes(position)) known.push(position);
}

export function namesOf({ name, aliases }: Pick<PlaceEntry, "name" | "aliases">): readonly string[] {
  return [name, ...aliases];
}

/** Whether it is a single site, which has no parts. */
export function isSite({ kind }: PlaceEntry): boolean {
  return kind === "airport" || kind === "station";
}
