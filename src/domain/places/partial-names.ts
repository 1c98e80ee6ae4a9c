import type { PlaceEntry } from "../catalog/places-schema.ts";
import type { Addresses } from "./addresses.ts";
import { byLength, editsBetween, fold, namesNear, SHORTEST_MISSPELLED } from "./names.ts";
import type { OtherNames } from "./other-names.ts";
import type { Location } from "./place-finder.ts";
import type { PlaceIndex } from "./place-index.ts";
import type { Words } from "./words.ts";

/** The name of a well-known place may be this short, such as "Laax". */
const SHORTEST_KNOWN = 4;

/** Places whose name a comma part begins or ends with, the name, and the words before or after it; all folded. */
interface End {
  readonly places: readonly PlaceEntry[];
  readonly before: string;
  readonly name: string;
  readonly after: string;
}

/** What a text may mean that contains a name, or nearly is one. */
export function createPartialNames(index: PlaceIndex, { askFor, wholeName }: Addresses, { placesIn }: OtherNames) {
  const { names, called, farCity, isQualifier, words } = index;
  const { isWithdrawn, siteName, withoutAirportWord, withoutStationWord } = words;
  const { hotel, joining, area, article, of, ordinary, prefix, otherPlace, streetBefore, streetAfter } = words;

  const spellings = byLength(names);

  return { misspelled, nameAtAnEnd };

  /**
   * The only place with a name that is one edit away, otherwise well-known ones at most two away ("Intrlakn"), and these
   * names of it, folded; `isSimilar` where the traveler may well have meant something else: "CERN" and "Bern".
   */
  function misspelled(folded: string) {
    const once = folded.length < SHORTEST_KNOWN ? [] : spelledLike(folded, 1, SHORTEST_KNOWN);
    const town = withoutAirportWord(withoutStationWord(folded));
    const isLong = (name: string) => name.length >= SHORTEST_MISSPELLED;
    const near = [...new Set(once.flatMap(({ name, entry }) => entry.filter(({ main }) => main || isLong(name))))];
    if (near.length === 1) return { near, meant: once.map(({ name }) => name), isSimilar: !isLong(town) };
    // For "the airport" nothing is near.
    const isTown = isLong(town) && placesIn(folded).length === 0;
    const twice = isTown ? spelledLike(folded, 2, SHORTEST_MISSPELLED + 1) : [];
    const known = new Set(twice.flatMap(({ entry }) => entry.filter(({ main }) => main)));
    return { near: [...known], meant: [], isSimilar: true };
  }

  function spelledLike(folded: string, most: number, shortest: number) {
    const near = [...new Set([folded, siteName(folded)])].flatMap((text) => namesNear(text, spellings, most));
    return near.filter(({ name }) => name.length >= shortest);
  }

  /**
   * The place of "Kulm Hotel St. Moritz" and "Lausanne EPFL", which are read as if there were a comma between the town and
   * the rest; a question where a word beside the town says that it is no address in it.
   */
  function nameAtAnEnd(text: string): Location | undefined {
    const parts = text.split(",").map(withEnds);
    const ends = parts.flatMap((part) => part.ends);
    if (ends.length === 0) return undefined;
    const named = placesIn(text);
    // "Ich kann nicht laufen" names no place in lower case.
    const isWord = ({ name }: End) => ordinary.has(name) && text.includes(name);
    if (ends.some((end) => isJoined(end) || isCalledAfter(end) || isWord(end)))
      return askFor(named.length > 0 ? named : ends.flatMap(({ places }) => places), "similar");
    const location = wholeName(parts.flatMap(({ pieces }) => pieces).join(","), text);
    if (location?.kind !== "question") return location;
    return location.reason === "name" ? undefined : { ...location, reason: "similar" };
  }

  /** A comma part with the longest name that it begins or ends with, and split at this. */
  function withEnds(part: string): { readonly ends: readonly End[]; readonly pieces: readonly string[] } {
    const words = part.trim().split(/\s+/);
    const folded = (from: number, to?: number) => fold(words.slice(from, to).join(" "));
    for (let length = isQualifier(fold(part)) ? 0 : words.length - 1; length > 0; length -= 1) {
      const [beginning, end] = [folded(0, length), folded(-length)];
      if (farCity(beginning) || farCity(end)) break;
      // An inn is not Innsbruck Airport.
      const [begun = [], ended = []] = [beginning, end].map((name) => (hotel.has(name) ? [] : called(name)));
      if (begun.length + ended.length === 0) continue;
      const [from, to] = [begun.length > 0 ? length : 0, ended.length > 0 ? -length : undefined];
      const [next = "", ...others] = folded(from, to).split(" ");
      return {
        ends: [
          { places: ended, before: folded(0, -length), name: end, after: "" },
          { places: begun, before: "", name: beginning, after: folded(length) },
        ].filter(({ places }) => places.length > 0),
        pieces: [
          from > 0 ? beginning : "",
          // "Bahnhof Brügg BE, Ausgang" is not in Brugg in the canton of Aargau.
          ...(isQualifier(next) ? [next, others.join(" ")] : [[next, ...others].join(" ")]),
          to === undefined ? "" : end,
        ],
      };
    }
    return { ends: [], pieces: [part] };
  }

  /** The Hotel Pilatus is called after the mountain, wherever it stands. */
  function isCalledAfter({ before, name, places }: End): boolean {
    return before === "hotel" && !places.some((place) => place.main || fold(place.name) === name);
  }

  /** Whether a word beside the name makes it that of a street, a lake, another place, one that is near, or one not meant. */
  function isJoined({ before, after }: End): boolean {
    const known = before.split(" ");
    while (article.has(known.at(-1) ?? "") || of.has(known.at(-1) ?? "")) known.pop();
    const [last, next] = [known.at(-1) ?? "", after.split(" ")[0] ?? ""];
    const isNear = [last, known.slice(-2).join(" "), next].some((words) => joining.has(words));
    const isOther = streetBefore.has(last) || streetAfter.has(next) || prefix.has(last) || otherPlace.has(next);
    const isArea = area.has(next) || (known.length === 1 && area.has(last));
    return isNear || isOther || isArea || isWithdrawn(before) || isWithdrawn(after);
  }
}

/** The text with its misspelled words for "airport" and "station" corrected: "Genf Flughafn" is "Genf flughafen". */
export function withSiteWords(text: string, { sitesByWord }: Words): string {
  const names = [...sitesByWord].filter(({ length }) => length >= SHORTEST_MISSPELLED);
  return text.replace(/[\p{L}\p{M}]+/gu, (written) => {
    const word = fold(written);
    if (word.length < SHORTEST_MISSPELLED - 1 || sitesByWord.has(word)) return written;
    return names.find((name) => editsBetween(word, name, 1) <= 1) ?? written;
  });
}
