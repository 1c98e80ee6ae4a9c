import type { Position } from "../geo.ts";
import { fold, partsOf } from "./names.ts";
import type { PlaceIndex } from "./place-index.ts";
import type { Words } from "./words.ts";

/** What one name in a text may mean. */
export type NameMeanings = readonly (Position & { readonly name: string })[];

const MOST_WORDS = 6;
/** Shorter names are also words and abbreviations: "Zug", "Au", "INN". */
const SHORTEST_NAME = 4;
/** A name within a text, folded. */
export interface Mention<Meaning> {
  readonly name: string;
  readonly meanings: readonly Meaning[];
}

/** Finds the names in a text, the longest from the left: "via Zermatt", "Zermatt/Davos Platz". */
export function createNamesInLabel({ called, calledLocally, farCity, isQualifier, words: listed }: PlaceIndex) {
  return { namesIn: (label: string) => mentionsIn(label, meaningsOf).map(({ meanings }) => meanings), mentionsIn };

  function mentionsIn<Meaning>(
    label: string,
    meaningsOf: (name: string) => readonly Meaning[],
  ): readonly Mention<Meaning>[] {
    // The canton in "Spiez, Bern" is no second place.
    const parts = partsOf(fold(label)).filter((part, at) => at === 0 || !isQualifier(part));
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

  function meaningsOf(name: string): NameMeanings {
    if (name.length < SHORTEST_NAME || listed.ordinary.has(name)) return [];
    const city = farCity(name);
    return [...called(name), ...calledLocally(name), ...(city ? [city] : [])];
  }
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
