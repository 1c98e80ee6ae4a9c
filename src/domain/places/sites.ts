import type { PlaceEntry, Site } from "../catalog/places-schema.ts";
import { MOST_CANDIDATES } from "./addresses.ts";
import { crowFliesKm } from "./geo.ts";
import type { Locations } from "./locations.ts";
import { byLength, fold, MOST_NAME_WORDS, namesNear, namesOf, partsOf, SHORTEST_MISSPELLED } from "./names.ts";
import { add, type PlaceIndex } from "./place-index.ts";
import { keyOf, LIFT } from "./words.ts";

/** A text may name a place this near to a site beside it, such as "Rolex Learning Center, Lausanne". */
const BESIDE_KM = 10;
const SHORTEST_MISSPELLED_TWICE = 10;
const ABBREVIATION = /\b\p{Lu}{2,3}\b/u;
/** A name of a site; `needsTown` where other towns have one of that name: "Schweizerhof". */
interface NamedSite {
  readonly site: Site;
  readonly needsTown: boolean;
  /** The name is an abbreviation, which may be a word as well: the LAC in Lugano is not a Hôtel du Lac. */
  readonly isAbbreviation: boolean;
}

/** Words of a comma part that may stand beside the name of a site. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly places: readonly PlaceEntry[];
  /** Whether the words may stand beside the name of this site: as fillers, a place near it, or the region it lies in. */
  readonly fits: (site: Site) => boolean;
}
interface Part {
  readonly words: readonly string[];
  readonly spans: readonly Span[];
  /** The part may be a street or a part of the name: it names no place. */
  readonly isStreet: boolean;
}

/** Words of a part that may be the name of a site, with all other parts. */
interface Core {
  readonly part: Part;
  readonly from: number;
  readonly to: number;
  readonly others: readonly Part[];
}

/** Sites that a text may mean. */
interface SitesFound {
  readonly sites: readonly Site[];
  /** "similar" also for a name without the town that belongs to it; "town" for a word such as "Kantonsspital". */
  readonly reason: "name" | "similar" | "town";
  readonly isMisspelled?: true;
}

export type Sites = ReturnType<typeof createSites>;

/**
 * Finds hotels, hospitals and other sites by the names that people say, alone or beside their town, street and region:
 * "Inselspital", "Bern Inselspital", "Hotel Baur au Lac, Talstrasse 1, 8001 Zürich". Words of a name in any order count
 * as the name, and a kind in every language. What else the text names must lie near the site. A name that has the town
 * in it is found without the town only as a question: the Schweizerhof of "Schweizerhof Bern" is one of many.
 */
export function createSites(sites: readonly Site[], index: PlaceIndex, { byId }: Locations) {
  const { called, foldedNames, names, farCity, isQualifier, satisfies } = index;
  const { besideSite, commonName, sitesByWord, hotel, isBareKind, isNameWord, isSiteWord, withoutPostcode, wordsOf } =
    index.words;
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
      if (!needsTown && !isAbbreviation && name.length >= SHORTEST_MISSPELLED) spellings.push([name, site]);
      add(byKey, keyOf(own), { site, needsTown, isAbbreviation });
      const alone = withoutTown(words, site).filter(isNameWord);
      if (alone.length > 0 && !names.has(alone.join(" ")))
        add(byKey, keyOf(alone), { site, needsTown: true, isAbbreviation });
    }

  const spellingsByLength = byLength(spellings);

  return { all: sites, find, called: sitesCalled, withAllWords };

  /** The sites with these words in their name, in any order. */
  function withWords(words: readonly string[]): readonly NamedSite[] {
    return byKey.get(keyOf(words)) ?? [];
  }

  /** The words of a name without the town at its end or beginning; none where it has no town. */
  function withoutTown(words: readonly string[], { town }: Site): readonly string[] {
    const text = words.join(" ");
    const towns = [byId(town), byId(byId(town)?.partOf ?? "")].flatMap((place) => place ?? []);
    for (const name of towns.flatMap((place) => foldedNames.get(place) ?? [])) {
      if (text.endsWith(` ${name}`)) return text.slice(0, -name.length - 1).split(" ");
      if (text.startsWith(`${name} `)) return text.slice(name.length + 1).split(" ");
    }
    return [];
  }

  function find(text: string): SitesFound {
    const parts = partsOf(fold(text)).flatMap(withoutPostcode).map(wordsOf).map(partOf);
    const words = parts.flatMap((part) => part.words);
    // A comma changes no name: "Hilton, Zurich" is the Hilton Zurich.
    const joined = parts.length > 1 ? sitesCalled(words.join(" ")) : [];
    if (joined.length > 0) return { sites: joined, reason: "name" };
    const named = namedIn(parts);
    const sitesOf = (several: readonly NamedSite[]) => [...new Set(several.map(({ site }) => site))];
    const inTown = sitesOf(named.filter(({ needsTown }) => !needsTown));
    if (inTown.length > 0) return { sites: inTown, reason: "name" };
    // "Kantonsspital" alone may be any of many, and "Kinderspital" one of two.
    const [all, isKind] = [sitesOf(named), isBareKind(keyOf(words.filter(isNameWord)))];
    if (isKind && (all.length === 1 || all.length > MOST_CANDIDATES)) return { sites: [], reason: "town" };
    return all.length > 0 ? { sites: all, reason: isKind ? "name" : "similar" } : misspelledIn(parts);
  }

  /** The sites that have the whole text as a name. */
  function sitesCalled(text: string): readonly Site[] {
    const named = withWords(wordsOf(text).filter(isNameWord)).filter(({ needsTown }) => !needsTown);
    return [...new Set(named.map(({ site }) => site))];
  }

  /** The sites whose names have all words of the text, unless these are words of many names: "The Hilton". */
  function withAllWords(text: string): readonly Site[] {
    const wanted = wordsOf(text).filter(isNameWord);
    const isListed = (word: string) => [commonName, besideSite, sitesByWord].some((each) => each.has(word));
    const isCommon = (word: string) =>
      isListed(word) || isBareKind(word) || isQualifier(word) || called(word).length > 0;
    if (wanted.every(isCommon) || wanted.length > MOST_NAME_WORDS) return [];
    const [first = [], ...others] = wanted.map((word) => new Set(byWord.get(word)));
    return [...first].filter((site) => others.every((each) => each.has(site)));
  }

  function partOf(words: readonly string[]): Part {
    const text = words.join(" ");
    const isStreet = called(text).length === 0 && !farCity(text) && !isQualifier(text);
    return { words, spans: spansOf(words), isStreet };
  }

  /** The runs of words that may stand beside the name of some site. */
  function spansOf(words: readonly string[]): readonly Span[] {
    return words.flatMap((_, from) =>
      words.slice(from, from + MOST_NAME_WORDS).flatMap((__, at): readonly Span[] => {
        const to = from + at + 1;
        const own = words.slice(from, to);
        const text = own.join(" ");
        const places = called(text);
        const isRegion = isQualifier(text);
        const named = withWords(own);
        const isStation = isSiteWord(text);
        const isAnywhere =
          (at === 0 && !isNameWord(text)) ||
          own.every((word, nth) => besideSite.has(word) || isBareKind(word) || (nth > 0 && /^\d+$/.test(word)));
        if (!isAnywhere && !isRegion && !isStation && places.length + named.length === 0) return [];
        const fits = (site: Site) => {
          const town = byId(site.town);
          return (
            isAnywhere ||
            places.some((place) => crowFliesKm(place, site) <= BESIDE_KM) ||
            named.some((other) => other.site === site) ||
            (isRegion && town !== undefined && satisfies(town, text)) ||
            // A word for "station" beside the name of a lift means its own.
            (isStation && byWord.get(LIFT)?.includes(site) === true)
          );
        };
        return [{ from, to, places, fits }];
      }),
    );
  }

  /** The sites with the longest name in the text, where all other words fit; `needsTown` where the town is missing. */
  function namedIn(parts: readonly Part[]): readonly NamedSite[] {
    for (let length = MOST_NAME_WORDS; length > 0; length -= 1) {
      const found = parts.flatMap((part) => namedBy(part, without(parts, part), length));
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The sites whose name is `length` words of a part. */
  function namedBy(part: Part, others: readonly Part[], length: number): readonly NamedSite[] {
    const names = part.words.flatMap((word, at) => (isNameWord(word) ? [at] : []));
    return names.slice(length - 1).flatMap((last, first) => {
      const [from, to] = [names[first] ?? last, last + 1];
      const named = withWords(part.words.slice(from, to).filter(isNameWord));
      const isHotel = part.words.slice(0, to).some((word) => hotel.has(word));
      return named.flatMap((each) =>
        isHotel && each.isAbbreviation ? [] : inItsTown(each, { part, from, to, others }),
      );
    });
  }

  /** The site named by these words, where all others fit. */
  function inItsTown(named: NamedSite, core: Core): readonly NamedSite[] {
    const { site, needsTown } = named;
    const { part, from, to, others } = core;
    if (!fitsAround(site, core)) return [];
    const beside = part.spans.filter((span) => span.to <= from || span.from >= to);
    const places = [...beside, ...others.flatMap(({ spans }) => spans)].flatMap((span) => span.places);
    if (!needsTown || places.some(({ id }) => id === site.town)) return [{ ...named, needsTown: false }];
    // "Seehof, Arosa" is a hotel in Arosa that the catalog does not have, and not a question about the Seehof in Davos.
    return places.length === 0 && others.every((other) => doFit(site, other)) ? [named] : [];
  }

  /** Whether all these words of a part fit beside the site. */
  function doFit(site: Site, { words, spans }: Part, from = 0, to = words.length): boolean {
    const reached = new Set([from]);
    for (const span of spans) if (reached.has(span.from) && span.to <= to && span.fits(site)) reached.add(span.to);
    return reached.has(to);
  }

  /** Whether everything else in the text fits the site of this name. */
  function fitsAround(site: Site, { part, from, to, others }: Core): boolean {
    const areFit = doFit(site, part, 0, from) && doFit(site, part, to);
    return areFit && others.every((other) => other.isStreet || doFit(site, other));
  }

  /** Sites whose name is one or two edits from a part, without the places at its ends. */
  function misspelledIn(parts: readonly Part[]): SitesFound {
    const near = new Map<Site, number>();
    for (const part of parts) {
      const { words, spans } = part;
      const others = without(parts, part);
      const ends = spans.filter(({ places, from, to }) => places.length > 0 && (from === 0 || to === words.length));
      const cores = ends.map(({ from, to }) => (from === 0 ? { from: to, to: words.length } : { from: 0, to: from }));
      for (const { from, to } of [{ from: 0, to: words.length }, ...cores]) {
        const core = words.slice(from, to).filter(isNameWord).join(" ");
        if (core.length < SHORTEST_MISSPELLED || called(core).length > 0 || isBareKind(core)) continue;
        const most = core.length < SHORTEST_MISSPELLED_TWICE ? 1 : 2;
        for (const { entry: site, edits } of namesNear(core, spellingsByLength, most))
          if (edits < (near.get(site) ?? 3) && fitsAround(site, { part, from, to, others })) near.set(site, edits);
      }
    }
    const least = Math.min(...near.values());
    const nearest = [...near].filter(([, edits]) => edits === least).map(([site]) => site);
    // The Hotel Stanserhof is no misspelled Stanserhorn.
    return { sites: nearest, reason: least > 1 ? "similar" : "name", isMisspelled: true };
  }
}

function without(parts: readonly Part[], part: Part): readonly Part[] {
  return parts.filter((other) => other !== part);
}
