import type { Site } from "../catalog/places-schema.ts";
import type { Meaning } from "./addresses.ts";
import { crowFliesKm } from "./geo.ts";
import { createSpellings, fold, MOST_NAME_WORDS, namesOf, partsOf } from "./names.ts";
import { add, type PlaceIndex } from "./place-index.ts";
import { keyOf, LIFT } from "./words.ts";

/** A text may name a place this near to a site beside it, such as "Rolex Learning Center, Lausanne". */
const BESIDE_KM = 10;
/** A village must be this near to belong to a site beside it: "Roche Kaiseraugst" is not the tower in Basel. */
const CLOSE_KM = 5;
const SHORTEST_MISSPELLED = 6;
const SHORTEST_MISSPELLED_TWICE = 10;
const ABBREVIATION = /\b\p{Lu}{2,3}\b/u;
/** A name of a site; `needsTown` where other towns have one of that name: "Schweizerhof". */
interface NamedSite {
  readonly site: Site;
  readonly needsTown: boolean;
  /** The name is an abbreviation, which may be a word as well: the LAC in Lugano is not a Hôtel du Lac. */
  readonly isAbbreviation: boolean;
}

/**
 * Sites that a text may mean: by their names, by the name without the town that belongs to it, or by a similar one. By
 * "kind" there are none: the text is only a word such as "Kantonsspital", which needs a town.
 */
interface SitesFound {
  readonly sites: readonly Site[];
  readonly by: "name" | "name without town" | "kind" | "misspelled name" | "similar name";
}

export type Sites = ReturnType<typeof createSites>;

/**
 * Finds hotels, hospitals and other sites by the names that people say, alone or beside their town, street and region:
 * "Inselspital", "Bern Inselspital", "Hotel Baur au Lac, Talstrasse 1, 8001 Zürich". Words of a name in any order count
 * as the name, and a kind in every language. What else the text names must lie near the site. A name that has the town
 * in it is found without the town only as a question: the Schweizerhof of "Schweizerhof Bern" is one of many.
 */
export function createSites(sites: readonly Site[], index: PlaceIndex) {
  const { byId, called, names, farCity, isQualifier, satisfies, work } = index;
  const { besideSite, commonName, sitesByWord, hotel, isBareKind, isNameWord, isSiteWord, plainWordsOf, wordsOf } =
    index.words;
  /** Names by key, and their words in order; built for the first text that needs them, so that the start is fast. */
  let built: ReturnType<typeof build> | undefined;

  return { find, called: sitesCalled, withAllWords, labelOf, meaningOf };

  function build() {
    const byKey = new Map<string, NamedSite[]>();
    const byWord = new Map<string, Site[]>();
    const spellings: (readonly [string, Site])[] = [];
    for (const site of sites)
      for (const text of namesOf(site)) {
        const words = wordsOf(text);
        const own = words.filter(isNameWord);
        const name = own.join(" ");
        for (const word of own) add(byWord, word, site);
        // A name such as "The Hotel Luzern" would be that of its town.
        if (names.get(name)?.some((place) => crowFliesKm(place, site) <= BESIDE_KM)) continue;
        const needsTown = isBareKind(name) || commonName.has(name);
        const isAbbreviation = ABBREVIATION.test(text);
        // A misspelled kind is not recognized as one, so that its own word counts: "Kongreszentrum Davos".
        for (const spelling of new Set([name, plainWordsOf(text).filter(isNameWord).join(" ")]))
          if (!needsTown && !isAbbreviation && spelling.length >= SHORTEST_MISSPELLED) spellings.push([spelling, site]);
        add(byKey, keyOf(own), { site, needsTown, isAbbreviation });
        const alone = withoutTown(words, site)?.filter(isNameWord) ?? [];
        if (alone.length > 0 && !names.has(alone.join(" ")))
          add(byKey, keyOf(alone), { site, needsTown: true, isAbbreviation });
      }
    return { byKey, byWord, spellings: createSpellings(spellings, work.spend) };
  }

  function entries() {
    built ??= build();
    return built;
  }

  /** The sites with these words in their name, in any order. */
  function withWords(words: readonly string[]): readonly NamedSite[] {
    work.spend(1);
    return entries().byKey.get(keyOf(words)) ?? [];
  }

  /** The words of a name without the town at its end or beginning. */
  function withoutTown(words: readonly string[], { town }: Site): readonly string[] | undefined {
    for (const name of townNames(town)) {
      const length = name.split(" ").length;
      if (length >= words.length) continue;
      if (words.slice(-length).join(" ") === name) return words.slice(0, -length);
      if (words.slice(0, length).join(" ") === name) return words.slice(length);
    }
    return undefined;
  }

  function townNames(id: string): readonly string[] {
    const town = byId(id);
    return [town, town?.partOf === undefined ? undefined : byId(town.partOf)].flatMap((place) =>
      place ? namesOf(place).map(fold) : [],
    );
  }

  function find(text: string): SitesFound {
    const parts = partsOf(fold(text)).flatMap(index.words.withoutPostcode).map(wordsOf);
    // A comma changes no name: "Hilton, Zurich" is the Hilton Zurich.
    const joined = parts.length > 1 ? sitesCalled(parts.flat().join(" ")) : [];
    if (joined.length > 0) return { sites: joined, by: "name" };
    const named = namedIn(parts);
    const inTown = named.filter(({ needsTown }) => !needsTown).map(({ site }) => site);
    if (inTown.length > 0) return { sites: ofNamedTowns([...new Set(inTown)], parts), by: "name" };
    // "Kantonsspital" alone may be any of them.
    if (named.length > 0 && isBareKind(keyOf(parts.flat().filter(isNameWord)))) return { sites: [], by: "kind" };
    if (named.length > 0) return { sites: [...new Set(named.map(({ site }) => site))], by: "name without town" };
    return misspelledIn(parts);
  }

  /** The sites that have the whole text as a name. */
  function sitesCalled(text: string): readonly Site[] {
    const named = withWords(wordsOf(text).filter(isNameWord)).filter(({ needsTown }) => !needsTown);
    return [...new Set(named.map(({ site }) => site))];
  }

  /** The sites whose names have all words of the text, unless these are words of many names: "The Hilton". */
  function withAllWords(text: string): readonly Site[] {
    const wanted = wordsOf(text).filter(isNameWord);
    const isCommon = (word: string) =>
      [commonName, besideSite, sitesByWord].some((each) => each.has(word)) ||
      isBareKind(word) ||
      isQualifier(word) ||
      called(word).length > 0;
    if (wanted.every(isCommon) || wanted.length > MOST_NAME_WORDS) return [];
    const [first = [], ...others] = wanted.map((word) => new Set(entries().byWord.get(word)));
    return [...first].filter((site) => others.every((each) => each.has(site)));
  }

  /** The sites with the longest name in the text, where all other words fit; `needsTown` where the town is missing. */
  function namedIn(parts: readonly (readonly string[])[]): readonly NamedSite[] {
    for (let length = MOST_NAME_WORDS; length > 0; length -= 1) {
      const found = parts.flatMap((_, at) => namedBy(parts, at, length));
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Those whose own town the text names, where there are any: other places lie beside several sites. */
  function ofNamedTowns(found: readonly Site[], parts: readonly (readonly string[])[]): readonly Site[] {
    if (found.length < 2) return found;
    const places = parts.flatMap(spansOf).flatMap(called);
    const inNamed = found.filter(({ town }) => places.some(({ id, partOf }) => id === town || partOf === town));
    return inNamed.length > 0 ? inNamed : found;
  }

  /** The sites whose name is `length` words of a part. */
  function namedBy(parts: readonly (readonly string[])[], at: number, length: number): readonly NamedSite[] {
    const part = parts[at] ?? [];
    const others = parts.filter((_, other) => other !== at);
    const places = part.flatMap((word, place) => (isNameWord(word) ? [place] : []));
    return places.slice(0, Math.max(0, places.length - length + 1)).flatMap((start, first) => {
      const end = (places[first + length - 1] ?? start) + 1;
      const rest = [part.slice(0, start), part.slice(end)];
      const isHotel = part.slice(0, end).some((word) => hotel.has(word));
      return withWords(part.slice(start, end).filter(isNameWord))
        .filter(
          ({ site, isAbbreviation }) =>
            !(isHotel && isAbbreviation) &&
            rest.every((words) => fits(words, site)) &&
            others.every((words) => fits(words, site) || isStreet(words)),
        )
        .map(({ site, needsTown, isAbbreviation }) => ({
          site,
          needsTown: needsTown && ![...rest, ...others].some((words) => namesTownOf(words, site)),
          isAbbreviation,
        }))
        .filter(({ site, needsTown }) => !needsTown || nameNoPlace([...rest, ...others], site));
    });
  }

  /**
   * Whether words beside a name that lacks its town name neither a street nor another town. "Seehof, Arosa" is a hotel in
   * Arosa that the catalog does not have, and not a question about the Seehof in Davos.
   */
  function nameNoPlace(others: readonly (readonly string[])[], site: Site): boolean {
    return others.every((words) => fits(words, site) && !spansOf(words).some((span) => called(span).length > 0));
  }

  /**
   * Whether words beside the name are fillers, other names of the site, places near it, or regions that it lies in. Goes
   * over the words once: to try every way to split them takes exponential time.
   */
  function fits(words: readonly string[], site: Site): boolean {
    /** Whether the words before a position fit. */
    const reached = [true];
    for (const [from, word] of words.entries()) {
      if (!reached[from]) continue;
      if (!isNameWord(word)) reached[from + 1] = true;
      for (let to = from + 1; to <= words.length; to += 1) reached[to] ||= fitsWhole(words.slice(from, to), site);
    }
    return reached[words.length] === true;
  }

  function fitsWhole(words: readonly string[], site: Site): boolean {
    const text = words.join(" ");
    const town = byId(site.town);
    if (isQualifier(text) && town && satisfies(town, text)) return true;
    if (words.every((word) => besideSite.has(word) || isBareKind(word))) return true;
    if (isSiteWord(text) && isLift(site)) return true;
    if (withWords(words).some((named) => named.site === site)) return true;
    return isBeside(text, site);
  }

  /** Whether the words contain the name of the site's own town, or of a part of it. */
  function namesTownOf(words: readonly string[], { town }: Site): boolean {
    const towns = [town, byId(town)?.partOf];
    return spansOf(words)
      .flatMap(called)
      .some(({ id, partOf }) => towns.includes(id) || partOf === town);
  }

  /** Whether the site is a lift, so that a word for "station" beside its name means its own. */
  function isLift(site: Site): boolean {
    return namesOf(site).some((each) => wordsOf(each).includes(LIFT));
  }

  function isBeside(name: string, site: Site): boolean {
    return called(name).some((place) => {
      const km = crowFliesKm(place, site);
      return km <= CLOSE_KM || (km <= BESIDE_KM && (place.main || place.id === site.town));
    });
  }

  /** Whether a comma part may be a street or a part of the name: it names no place. */
  function isStreet(words: readonly string[]): boolean {
    const text = words.join(" ");
    return called(text).length === 0 && !farCity(text) && !isQualifier(text);
  }

  /** Sites whose name is one or two edits from a part, without the places beside it. */
  function misspelledIn(parts: readonly (readonly string[])[]): SitesFound {
    const near = new Map<Site, number>();
    for (const [at, part] of parts.entries()) {
      const others = parts.filter((_, other) => other !== at);
      for (const { words, beside } of coresOf(part)) {
        const core = words.filter(isNameWord).join(" ");
        if (core.length < SHORTEST_MISSPELLED || called(core).length > 0 || isBareKind(core)) continue;
        // "Zürich Bern" names two towns, not the Zürichberg.
        if (core.split(" ").every((word) => called(word).length > 0)) continue;
        const most = core.length < SHORTEST_MISSPELLED_TWICE ? 1 : 2;
        for (const { entry: site, edits } of entries().spellings.near(core, most)) {
          if (edits >= (near.get(site) ?? 3)) continue;
          if (fits(beside, site) && others.every((other) => fits(other, site) || isStreet(other)))
            near.set(site, edits);
        }
      }
    }
    const least = Math.min(...near.values());
    const nearest = [...near].filter(([, edits]) => edits === least).map(([site]) => site);
    // The Hotel Stanserhof is no misspelled Stanserhorn.
    return { sites: nearest, by: least > 1 ? "similar name" : "misspelled name" };
  }

  /** The part itself, and the part without a place that it begins or ends with. */
  function coresOf(part: readonly string[]): readonly { words: readonly string[]; beside: readonly string[] }[] {
    const cores: { words: readonly string[]; beside: readonly string[] }[] = [{ words: part, beside: [] }];
    for (let length = 1; length < Math.min(part.length, 5); length += 1) {
      cores.push({ words: part.slice(length), beside: part.slice(0, length) });
      cores.push({ words: part.slice(0, -length), beside: part.slice(-length) });
    }
    return cores.filter(({ beside }) => beside.length === 0 || called(beside.join(" ")).length > 0);
  }

  function meaningOf(site: Site): readonly Meaning[] {
    const town = byId(site.town);
    return town ? [{ kind: "site", site, town, label: labelOf(site) }] : [];
  }

  /** The site's name with its town, which finds it alone. */
  function labelOf({ name, town }: Site): string {
    const townName = byId(town)?.name ?? town;
    return name.includes(townName) ? name : `${name}, ${townName}`;
  }
}

/** All runs of words. */
function spansOf(words: readonly string[]): readonly string[] {
  return words.flatMap((_, from) =>
    words.slice(from).map((__, length) => words.slice(from, from + length + 1).join(" ")),
  );
}
