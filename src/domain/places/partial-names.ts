import type { PlaceEntry } from "../catalog/places-schema.ts";
import type { Addresses, Meaning } from "./addresses.ts";
import { crowFliesKm } from "./geo.ts";
import { createSpellings, editsBetween, fold, partsOf } from "./names.ts";
import type { PlaceIndex } from "./place-index.ts";
import type { Words } from "./words.ts";

const SHORTEST_CORRECTABLE = 6;
/** The name of a well-known place may be this short, such as "Laax". */
const SHORTEST_KNOWN = 4;
/** A word for "airport" or "station" this long may be misspelled by two edits: "Haubtbanhof". */
const SHORTEST_MISSPELLED_TWICE = 9;
const NEIGHBORHOOD_KM = 15;
const AIRPORT_KM = 40;

/** A place at the beginning or the end of a text, its name, and the words before or after it; all folded. */
interface End {
  readonly place: PlaceEntry;
  readonly before: string;
  readonly name: string;
  readonly after: string;
}

/** What a text may mean that contains a name, or nearly is one. `placesIn` finds all places that its words name. */
export function createPartialNames(
  index: PlaceIndex,
  addresses: Addresses,
  placesIn: (text: string) => readonly PlaceEntry[],
) {
  const { places, names, called, farCity, isQualifier, satisfies, work, words } = index;
  const { otherPlace, siteName, withoutAirportWord, withoutStationWord, joining, area, article, of, prefix } = words;
  const spellings = createSpellings(names, work.spend);

  return { misspelled, nameAtAnEnd, inPostcode };

  /**
   * The only place with a name that is one edit away, otherwise well-known ones at most two away ("Intrlakn"), and these
   * names of it, folded; `isSimilar` where the traveler may well have meant something else: "CERN" and "Bern".
   */
  function misspelled(folded: string) {
    const once = folded.length < SHORTEST_KNOWN ? [] : spelledLike(folded, 1, SHORTEST_KNOWN);
    const town = withoutAirportWord(withoutStationWord(folded));
    const isShort = town.length < SHORTEST_CORRECTABLE;
    const places = once.flatMap(({ name, entry }) =>
      name.length < SHORTEST_CORRECTABLE || folded.length < SHORTEST_CORRECTABLE - 1
        ? entry.filter(({ main }) => main)
        : entry,
    );
    const near = [...new Set(places)];
    if (near.length === 1) return { near, meant: once.map(({ name }) => name), isSimilar: isShort };
    // For "the airport" nothing is near.
    const isTown = town.length >= SHORTEST_CORRECTABLE && placesIn(folded).length === 0;
    const twice = isTown ? spelledLike(folded, 2, SHORTEST_CORRECTABLE + 1) : [];
    const known = new Set(twice.flatMap(({ entry }) => entry.filter(({ main }) => main)));
    return { near: [...known], meant: [], isSimilar: true };
  }

  function spelledLike(folded: string, most: number, shortest: number) {
    return [...new Set([folded, siteName(folded) ?? folded])]
      .flatMap((text) => spellings.near(text, most))
      .filter(({ name }) => name.length >= shortest);
  }

  /**
   * The place of "Kulm Hotel St. Moritz" and "Lausanne EPFL", which are read as if there were a comma between the town and
   * the rest; a question where a word beside the town says that it is no address in it.
   */
  function nameAtAnEnd(text: string): Meaning | undefined {
    const qualifiers = addresses.piecesOf(partsOf(fold(text))).filter(isQualifier);
    const parts = text.split(",");
    const ends = parts
      .flatMap((part, at) =>
        (isQualifier(fold(part)) ? [] : endsOf(part.trim().split(/\s+/))).map((end) => ({ ...end, at })),
      )
      .filter(({ place, after }) =>
        // "Bahnhof Brügg BE, Ausgang" is not in Brugg in the canton of Aargau.
        [...qualifiers, ...after.split(" ", 1).filter(isQualifier)].every((qualifier) => satisfies(place, qualifier)),
      );
    const towns = [...new Set(ends.map(({ place }) => place))];
    const named = placesIn(text);
    if (ends.some(isJoined)) return addresses.askFor(named.length > 0 ? named : towns, "similar");
    const meanings = ends.flatMap(({ before, name, after, at }) => {
      const split = [...parts.slice(0, at), before, name, after, ...parts.slice(at + 1)].join(",");
      const meaning = endsWithPrefix(before) ? undefined : addresses.wholeName(split, text);
      return meaning ?? [];
    });
    const found = meanings.flatMap((meaning) =>
      meaning.kind === "place" && towns.includes(meaning.place) ? [meaning] : [],
    );
    const [only, ...others] = found.filter(({ place }, at) => found.findIndex((other) => other.place === place) === at);
    if (!only) {
      const doubt = meanings.find((meaning) => meaning.kind === "question" && meaning.reason === "address");
      return doubt?.kind === "question" ? { ...doubt, reason: "similar" } : undefined;
    }
    // The Hotel Pilatus is called after the mountain, wherever it stands.
    const isCalledAfter = ends.some(
      ({ before, name }) => before === "hotel" && !only.place.main && fold(only.place.name) !== name,
    );
    return others.length > 0 || isCalledAfter
      ? addresses.askFor(
          [only, ...others].map(({ place }) => place),
          "similar",
        )
      : only;
  }

  /** The places that the written words of a part begin or end with, with the words beside their names. */
  function endsOf(words: readonly string[]): readonly End[] {
    const folded = (from: number, to?: number) => fold(words.slice(from, to).join(" "));
    for (let length = words.length - 1; length > 0; length -= 1) {
      const [beginning, after] = [folded(0, length), folded(length)];
      const [before, end] = [folded(0, -length), folded(-length)];
      if (farCity(beginning) || farCity(end)) return [];
      const begun = otherPlace.has(after.split(" ")[0] ?? "") ? [] : called(beginning);
      // "Zermatt Inn" does not name the airport of Innsbruck (INN).
      const ended = end.length === 3 ? (names.get(end) ?? []) : called(end);
      const found = [
        ...ended.map((place) => ({ place, before, name: end, after: "" })),
        ...begun.map((place) => ({ place, before: "", name: beginning, after })),
      ];
      if (found.length > 0) return found;
    }
    return isQualifier(folded(-1)) ? endsOf(words.slice(0, -1)) : [];
  }

  /** Whether a word beside the name makes it that of a street or a lake, or of a place near which the text means one. */
  function isJoined({ before, after }: End): boolean {
    const [first = "", ...others] = before.split(" ");
    const [next = ""] = after.split(" ");
    // "CH Bern" is in Switzerland; only before an article does "Ch" stand for "Chemin".
    const isStreet =
      words.streetBefore.has(first) &&
      (others.length > 0 || first.length > 2) &&
      others.every((each) => each.length <= 2);
    const known = withoutLast(before, of);
    const isNear = joining.has(known.at(-1) ?? "") || joining.has(known.slice(-2).join(" "));
    return isStreet || isNear || isArea(before) || joining.has(next) || words.streetAfter.has(next) || isArea(after);
  }

  /** Whether the text is "Lake" or "Lago di", which with the name of a town names no place in it. */
  function isArea(text: string): boolean {
    const [word = "", ...others] = text.split(" ");
    return area.has(word) && others.every((other) => other.length <= 2);
  }

  /** Whether "New" or "Lower La" stands before the name of a town. */
  function endsWithPrefix(before: string): boolean {
    return prefix.has(withoutLast(before, article).at(-1) ?? "");
  }

  /** The places of the postcode in "8058 Zürich" that lie near Zürich. */
  function inPostcode(pieces: readonly string[]): readonly PlaceEntry[] {
    const named = pieces.flatMap(called);
    const codes = pieces.flatMap((piece) => /\d{4,5}$/.exec(piece)?.[0] ?? []);
    if (named.length === 0 || codes.length === 0) return [];
    return places.filter(
      (place) =>
        codes.some((code) => place.postcodes.includes(code)) &&
        named.some((other) => crowFliesKm(place, other) <= (place.kind === "airport" ? AIRPORT_KM : NEIGHBORHOOD_KM)),
    );
  }
}

/** The words of a text up to the last that is none of these: "a cote" of "à côté de". */
function withoutLast(text: string, without: ReadonlySet<string>): readonly string[] {
  const words = text.split(" ");
  return words.slice(0, words.findLastIndex((word) => !without.has(word)) + 1);
}

/** The text with its misspelled words for "airport" and "station" corrected: "Genf Flughafn" is "Genf flughafen". */
export function withSiteWords(text: string, { sitesByWord }: Words): string {
  return text.replace(/[\p{L}\p{M}]+/gu, (written) => {
    const word = fold(written);
    if (word.length < SHORTEST_CORRECTABLE - 1 || sitesByWord.has(word)) return written;
    const meant = [...sitesByWord].filter((name) => isMisspelledSiteWord(word, name));
    return meant.find((name) => editsBetween(word, name, 1) <= 1) ?? meant[0] ?? written;
  });
}

function isMisspelledSiteWord(word: string, name: string): boolean {
  if (name.length < SHORTEST_CORRECTABLE) return false;
  const most = name.length < SHORTEST_MISSPELLED_TWICE ? 1 : 2;
  return editsBetween(word, name, most) <= most;
}
