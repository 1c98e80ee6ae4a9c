import type { Site } from "../../catalog/places-schema.ts";
import type { Position } from "../geo.ts";
import { fold, partsOf } from "./names.ts";
import { namesOf, type PlaceIndex } from "./place-index.ts";
import type { Words } from "./words.ts";

/** What one name in a text may mean. */
export type NameMeanings = readonly (Position & { readonly name: string })[];

const MOST_WORDS = 6;
/** A position this near to a site may be in it: about 2 km. */
const SITE_DEGREES = 0.02;
/** Shorter names are also words and abbreviations: "Zug", "Au", "INN". */
const SHORTEST_NAME = 4;
/** What stands between a name and others: no title belongs to the name in the bracket of "Frau (Zermatt)". */
const BORDERS = /[^\p{L}\p{M}\p{N}\s.'’&-]+|\s-\s/gu;
/** A name within a text, folded. */
export interface Mention<Meaning> {
  readonly name: string;
  readonly meanings: readonly Meaning[];
}

/** Finds the names in a text, the longest from the left: "via Zermatt", "Zermatt/Davos Platz". */
export function createNamesInLabel(index: PlaceIndex, sites: readonly Site[]) {
  const { called, calledLocally, farCity, isQualifier, satisfies, words: listed } = index;
  return { namesIn, namesInLabel, namesOfSitesIn, mentionsIn };

  function namesIn(text: string): readonly NameMeanings[] {
    return mentionsIn(text, meaningsOf).map(({ meanings }) => meanings);
  }

  /**
   * As `namesIn`, without names of people and companies ("Frau Morel", "Romont AG"), and those within the name of a site
   * at the position ("Art Deco Hotel Montana").
   */
  function namesInLabel(label: string, position: Position): readonly NameMeanings[] {
    const parts = partsOf(fold(label.replace(BORDERS, ",")));
    const sites = namesOfSitesIn(label, position);
    return mentionsIn(label, meaningsOf)
      .filter(({ name }) => !isOfSomebody(name, parts) && !sites.some((site) => hasWords(site, name)))
      .map(({ meanings }) => meanings);
  }

  /** The names in a label of the sites at its position, folded. */
  function namesOfSitesIn(label: string, { lat, lng }: Position): readonly string[] {
    const near = sites.filter((site) => Math.abs(site.lat - lat) + Math.abs(site.lng - lng) < SITE_DEGREES);
    return near.flatMap((site) => namesOf(site).map(fold)).filter((name) => hasWords(fold(label), name));
  }

  function mentionsIn<Meaning>(
    text: string,
    meaningsOf: (name: string) => readonly Meaning[],
  ): readonly Mention<Meaning>[] {
    // The canton in "Spiez, Bern" is no second place.
    const parts = partsOf(fold(text)).filter((part, at) => at === 0 || !isQualifier(part));
    return parts.flatMap((part) => mentionsInPart(part.split(" "), meaningsOf));
  }

  function mentionsInPart<Meaning>(
    words: readonly string[],
    meaningsOf: (name: string) => readonly Meaning[],
  ): readonly Mention<Meaning>[] {
    const names: Mention<Meaning>[] = [];
    for (let at = 0, next = 0; at < words.length; at = next) {
      next = at + 1;
      for (let to = Math.min(at + MOST_WORDS, words.length); to > at; to -= 1) {
        const name = words.slice(at, to).join(" ");
        const isNone = isStreet(words, at, to - at, listed) || listed.not.has(words[at - 1] ?? "");
        const meanings = isNone ? [] : meaningsOf(name);
        if (meanings.length === 0) continue;
        names.push({ name, meanings });
        // A kind of site may begin the next name as well: "Schwyz Hôpital Riviera-Chablais".
        const isShared = to - at > 1 && listed.isBareKind(listed.wordsOf(words[to - 1] ?? "").join(" "));
        next = isShared ? to - 1 : to;
        break;
      }
    }
    return names;
  }

  /**
   * Whether the name stands beside a title or the form of a company wherever it is in the label, with at most two more
   * names between them ("Dr. med. Anna Morel"), and nothing beside it says a place.
   */
  function isOfSomebody(name: string, parts: readonly string[]): boolean {
    const own = parts.filter((part) => hasWords(part, name));
    return own.length > 0 && own.every((part) => isBesideForm(name, part));
  }

  function isBesideForm(name: string, part: string): boolean {
    const [before = [], after = []] = ` ${part} `.split(` ${name} `).map((side) => side.trim().split(" "));
    const isBeside = (side: readonly string[], forms: ReadonlySet<string>) => {
      const gap = side.slice(0, 3).findIndex((word) => forms.has(word));
      return gap >= 0 && side.slice(0, gap).every(isUnknownName);
    };
    const [form = ""] = after;
    const isPerson = () => isBeside(before.filter((word) => !listed.article.has(word)).reverse(), listed.title);
    // "Wohlen AG" is in the canton of Aargau.
    const isCanton = () => isQualifier(form) && called(name).some((place) => satisfies(place, form));
    return (isPerson() || (isBeside(after, listed.company) && !isCanton())) && !part.split(" ").some(saysPlace);
  }

  function isUnknownName(word: string): boolean {
    return /^\p{L}+$/u.test(word) && called(word).length === 0 && !farCity(word);
  }

  /** Whether the word says that a place is meant: "in", "Hotel", "Bahnhof". */
  function saysPlace(word: string): boolean {
    const { before, joining, direction, area, hotel, generic, besideSite, sitesByWord, streetAfter, article } = listed;
    if (article.has(word) || listed.title.has(word)) return false;
    const roles = [before, joining, direction, area, hotel, generic, besideSite, sitesByWord];
    const isKind = listed.isBareKind(listed.wordsOf(word).join(" "));
    return isKind || roles.some((role) => role.has(word)) || [...streetAfter].some((street) => word.endsWith(street));
  }

  function meaningsOf(name: string): NameMeanings {
    if (name.length < SHORTEST_NAME || listed.ordinary.has(name)) return [];
    const city = farCity(name);
    return [...called(name), ...calledLocally(name), ...(city ? [city] : [])];
  }
}

/** Whether a folded text has these words in a row. */
function hasWords(text: string, words: string): boolean {
  return ` ${text} `.includes(` ${words} `);
}

/** Whether the words are the end of "Rue de Berne", or the beginning of "Zürich-Strasse". */
function isStreet(
  words: readonly string[],
  at: number,
  length: number,
  { streetBefore, streetAfter, article: articles }: Words,
): boolean {
  const [street = "", article = ""] = words.slice(Math.max(0, at - 2), at);
  return (streetBefore.has(street) && articles.has(article)) || streetAfter.has(words[at + length] ?? "");
}
