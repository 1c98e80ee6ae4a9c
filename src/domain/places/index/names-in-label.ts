import type { Position } from "../geo.ts";
import { fold, partsOf } from "./names.ts";
import type { PlaceIndex } from "./place-index.ts";

/** What one name in a label may mean. */
export type NameMeanings = readonly (Position & { readonly name: string })[];

const MOST_WORDS = 6;
/** Shorter names are also words and abbreviations: "Zug", "Au", "INN". */
const SHORTEST_NAME = 4;
/** Names of places that are as well given names or ordinary words of labels: "Pick up Nancy". */
// biome-ignore format: several fit on a line
const WORDS = new Set([
  "austin", "bath", "brest", "carona", "denver", "elm", "florence", "gent", "laufen", "lech", "lens", "lima", "marin",
  "mase", "nancy", "nice", "palma", "phoenix", "port", "root", "rust", "santiago", "sent", "siena", "singen", "sofia",
  "split", "stein", "sydney", "thal", "tours", "valence", "verona", "wald",
]);
/** Words for streets before a name, folded. */
export const STREETS_BEFORE: ReadonlySet<string> = new Set(
  "rue avenue av route rte chemin ch quai boulevard bd place via viale piazza".split(" ").map(fold),
);
const ARTICLES = new Set(["de", "du", "des", "d", "di", "del", "della"]);
/** Words for streets after a name, folded. */
export const STREETS_AFTER: ReadonlySet<string> = new Set(["strasse", "str", "gasse"].map(fold));

/** Finds the places that the words of a label name, the longest names first: "via Zermatt", "Zermatt/Davos Platz". */
export function createNamesInLabel({ called, calledLocally, farCity, isQualifier }: PlaceIndex) {
  return (label: string): readonly NameMeanings[] => {
    // The canton in "Spiez, Bern" is no second place.
    const [first = "", ...others] = partsOf(fold(label));
    const words = [first, ...others.filter((part) => !isQualifier(part))].flatMap((part) => part.split(" "));
    const names: NameMeanings[] = [];
    for (let at = 0, length = 1; at < words.length; at += length) {
      for (length = Math.min(MOST_WORDS, words.length - at); length > 0; length -= 1) {
        const meanings = isStreet(words, at, length) ? [] : meaningsOf(words.slice(at, at + length).join(" "));
        if (meanings.length === 0) continue;
        names.push(meanings);
        break;
      }
      length = Math.max(1, length);
    }
    return names;
  };

  function meaningsOf(name: string): NameMeanings {
    if (name.length < SHORTEST_NAME || WORDS.has(name)) return [];
    const city = farCity(name);
    return [...called(name), ...calledLocally(name), ...(city ? [city] : [])];
  }
}

/** Whether the words are the end of "Rue de Berne", or the beginning of "Zürich-Strasse". */
function isStreet(words: readonly string[], at: number, length: number): boolean {
  const [street = "", article = ""] = words.slice(Math.max(0, at - 2), at);
  return (STREETS_BEFORE.has(street) && ARTICLES.has(article)) || STREETS_AFTER.has(words[at + length] ?? "");
}
