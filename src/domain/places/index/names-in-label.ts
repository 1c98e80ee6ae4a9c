import type { Position } from "../geo.ts";
import { fold, partsOf } from "./names.ts";
import type { PlaceIndex } from "./place-index.ts";
import type { Words } from "./words.ts";

/** What one name in a label may mean. */
export type NameMeanings = readonly (Position & { readonly name: string })[];

const MOST_WORDS = 6;
/** Shorter names are also words and abbreviations: "Zug", "Au", "INN". */
const SHORTEST_NAME = 4;
/** Finds the places that the words of a label name, the longest names first: "via Zermatt", "Zermatt/Davos Platz". */
export function createNamesInLabel({ called, calledLocally, farCity, isQualifier, words: listed }: PlaceIndex) {
  return (label: string): readonly NameMeanings[] => {
    // The canton in "Spiez, Bern" is no second place.
    const [first = "", ...others] = partsOf(fold(label));
    const words = [first, ...others.filter((part) => !isQualifier(part))].flatMap((part) => part.split(" "));
    const names: NameMeanings[] = [];
    for (let at = 0, length = 1; at < words.length; at += length) {
      for (length = Math.min(MOST_WORDS, words.length - at); length > 0; length -= 1) {
        const meanings = isStreet(words, at, length, listed) ? [] : meaningsOf(words.slice(at, at + length).join(" "));
        if (meanings.length === 0) continue;
        names.push(meanings);
        break;
      }
      length = Math.max(1, length);
    }
    return names;
  };

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
