import type { PlaceData } from "../../catalog/load-places.ts";
import type { FarCity, PlaceEntry } from "../../catalog/places-schema.ts";
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

export function createPlaceIndex({ places, farCities, regions }: PlaceData): PlaceIndex {
  const names = new Map<string, PlaceEntry[]>();
  const localNames = new Map<string, PlaceEntry[]>();
  const airports = new Map<string, PlaceEntry>();
  const byId = new Map<string, PlaceEntry>();
  const far = new Map<string, FarCity>();
  for (const place of places) {
    byId.set(place.id, place);
    if (place.iata) airports.set(fold(place.iata), place);
    for (const name of namesOf(place)) addName(name, place);
    if (place.localName !== undefined) add(localNames, fold(place.localName), place);
  }
  for (const city of farCities) {
    for (const name of namesOf(city)) far.set(fold(name), city);
  }

  return {
    ...createQualifiers(regions),
    places,
    names,
    called,
    calledLocally: (name) => localNames.get(name) ?? NONE,
    farCity: (name) => far.get(name),
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

  function addName(text: string, place: PlaceEntry): void {
    const folded = fold(text);
    // A comma in a name counts as a space: the parts of a text are tried in every order anyway.
    const name = folded.includes(",") ? partsOf(folded).join(" ") : folded;
    const site = siteName(name);
    add(names, name, place);
    if (site !== undefined && site !== name) add(names, site, place);
  }
}

function add(index: Map<string, PlaceEntry[]>, name: string, place: PlaceEntry): void {
  const known = index.get(name);
  if (!known) index.set(name, [place]);
  else if (!known.includes(place)) known.push(place);
}

export function namesOf({ name, aliases }: Pick<PlaceEntry, "name" | "aliases">): readonly string[] {
  return [name, ...aliases];
}

/** Whether it is a single site, which has no parts. */
export function isSite({ kind }: PlaceEntry): boolean {
  return kind === "airport" || kind === "station";
}
