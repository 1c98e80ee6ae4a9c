import type { PlaceData } from "../catalog/catalog.ts";
import type { FarCity, PlaceEntry, Regions } from "../catalog/places-schema.ts";
import { fold, namesOf, partsOf } from "./names.ts";
import { createWords, type Words } from "./words.ts";

/** The embedded places by name; names are passed folded and without commas. */
export type PlaceIndex = ReturnType<typeof createPlaceIndex>;

export function createPlaceIndex({ places, farCities, regions, words: listed }: PlaceData) {
  const words = createWords(listed);
  const { siteName } = words;
  const contractions = [...words.contraction].map((each) => each.split(" "));
  const names = new Map<string, PlaceEntry[]>();
  const localNames = new Map<string, PlaceEntry[]>();
  const far = new Map<string, FarCity[]>();
  // A comma in a name counts as a space: the parts of a text are tried in every order anyway.
  const foldedNames = new Map(
    places.map((place) => [place, namesOf(place).map((name) => partsOf(fold(name)).join(" "))]),
  );
  for (const place of [...places].sort((a, b) => Number(a.kind === "village") - Number(b.kind === "village"))) {
    for (const name of foldedNames.get(place) ?? []) {
      add(names, name, place);
      add(names, siteName(name), place);
      // "aux Crosets", "au Locle"
      for (const [short = "", article = ""] of contractions)
        if (name.startsWith(`${article} `)) add(names, name.replace(article, short), place);
    }
    if (place.localName !== undefined) add(localNames, fold(place.localName), place);
  }
  for (const city of farCities) for (const name of namesOf(city)) add(far, fold(name), city);
  // "St Gallen Altenrhein" names an airport without its word, where that is no other place.
  for (const airport of places.filter(({ kind }) => kind === "airport"))
    for (const name of foldedNames.get(airport) ?? []) {
      const bare = words.withoutAirportWord(name);
      if (bare.includes(" ") && !names.has(bare) && !far.has(bare)) add(names, bare, airport);
    }
  const airports = new Map(places.flatMap((place) => (place.iata ? [[fold(place.iata), place] as const] : [])));

  return {
    ...createQualifiers(regions, words),
    words,
    airports: places.filter(({ kind }) => kind === "airport"),
    places,
    foldedNames: foldedNames as ReadonlyMap<PlaceEntry, readonly string[]>,
    names: names as ReadonlyMap<string, readonly PlaceEntry[]>,
    called,
    /** The places with this local name, which counts only beside their canton, country or postcode. */
    calledLocally: (name: string): readonly PlaceEntry[] => localNames.get(name) ?? [],
    farCity: (name: string) => far.get(name)?.at(-1),
    isNamedAfter,
    toTheLetter,
  };

  /** The places of a name. Stations and airports are found in any language; empty where there is none. */
  function called(name: string): readonly PlaceEntry[] {
    const known = names.get(name);
    if (known) return known;
    // The Gare de Lyon is not the station of Lyon but one of Paris.
    if (far.has(name)) return [];
    const airport = airportWithCode(name);
    return airport ? [airport] : (names.get(siteName(name)) ?? []);
  }

  /** "zrh", "zurich airport zrh": a code, alone or after a name of the airport or its city. */
  function airportWithCode(name: string): PlaceEntry | undefined {
    const airport = airports.get(name.slice(-3));
    return airport && (name.length === 3 || isNamedAfter(airport, name.slice(0, -4))) ? airport : undefined;
  }

  /** Folding makes "Brugg" and "Brügg" one name: keeps the places that the text names with their accents. */
  function toTheLetter(text: string, found: readonly PlaceEntry[]): readonly PlaceEntry[] {
    if (found.length < 2) return found;
    const written = text.normalize("NFC").toLowerCase();
    const literal = found.filter((place) => namesOf(place).some((name) => written.includes(name.toLowerCase())));
    const sitesOf = (place: PlaceEntry) => (foldedNames.get(place) ?? []).map(siteName);
    const spelled = literal.flatMap(sitesOf);
    return found.filter((place) => literal.includes(place) || !haveOneInCommon(sitesOf(place), spelled));
  }

  /** Whether a name of the place contains this one as whole words. */
  function isNamedAfter(place: PlaceEntry, name: string): boolean {
    return (foldedNames.get(place) ?? []).some((known) => ` ${known} `.includes(` ${name} `));
  }
}

export function add<T>(index: Map<string, T[]>, name: string, entry: T): void {
  const known = index.get(name);
  if (!known) index.set(name, [entry]);
  else if (!known.includes(entry)) known.push(entry);
}

const ELSEWHERE = "elsewhere";

/** The parts of a folded text that narrow down where a place is: a country, region, canton or postcode. */
function createQualifiers({ countries, cantons, elsewhere }: Regions, { postcodeIn, withoutCantonWord }: Words) {
  /** What each folded name may mean, such as `country:FR` and `canton:FR` for "fr". */
  const meanings = new Map<string, string[]>();
  for (const [meaning, names] of [
    ...countries.map(({ code, names, regions = [] }) => [`country:${code}`, [code, ...names, ...regions]] as const),
    ...cantons.map(({ code, names }) => [`canton:${code}`, [code, ...names]] as const),
    [ELSEWHERE, elsewhere] as const,
  ])
    for (const name of names) add(meanings, fold(name), meaning);

  return { isQualifier, satisfies, areaSatisfies };

  /** Whether the part consists of a qualifier alone. */
  function isQualifier(part: string): boolean {
    return postcodeIn(part) !== undefined || meaningsOf(part) !== undefined;
  }

  /** Whether the place is in the region, or has the postcode. */
  function satisfies(place: PlaceEntry, qualifier: string): boolean {
    const postcode = postcodeIn(qualifier);
    if (postcode) return place.postcodes.includes(postcode);
    return haveOneInCommon([`country:${place.country}`, `canton:${place.canton}`], meaningsOf(qualifier));
  }

  /** Like `satisfies` for an address, by its country and the names of the areas that it lies in. */
  function areaSatisfies(qualifier: string, country: string | null, names: readonly string[]): boolean {
    const postcode = postcodeIn(qualifier);
    if (postcode) return names.some((name) => fold(name).split(" ").includes(postcode));
    const meant = meaningsOf(qualifier) ?? [];
    if (country === null || meant.includes(`country:${country}`)) return !meant.includes(ELSEWHERE);
    const meantCantons = cantons.map(({ code }) => `canton:${code}`).filter((canton) => meant.includes(canton));
    return names.some((name) => haveOneInCommon(meantCantons, meaningsOf(fold(name))));
  }

  /** Also accepts "canton of valais", and "valais wallis" as maps write the names of bilingual cantons. */
  function meaningsOf(part: string): readonly string[] | undefined {
    const canton = withoutCantonWord(part);
    if (canton !== part || meanings.has(part)) return meanings.get(part) ?? meanings.get(canton);
    const [first, ...others] = part.split(" ").map((word) => meanings.get(word));
    const isOne = first && others.length > 0 && others.every((other) => haveOneInCommon(first, other));
    return isOne ? first : undefined;
  }
}

function haveOneInCommon(some: readonly string[], others: readonly string[] = []): boolean {
  return some.some((each) => others.includes(each));
}
