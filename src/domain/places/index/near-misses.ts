import type { PlaceEntry } from "../../catalog/places-schema.ts";
import { crowFliesKm } from "../geo.ts";
import { fold } from "./names.ts";
import type { PlaceIndex } from "./place-index.ts";
import { createSpellings, editsBetween } from "./spelling.ts";
import type { Words } from "./words.ts";

const LONGEST_NAME = 64;
const SHORTEST_CORRECTABLE = 6;
/** The name of a well-known place may be this short, such as "Laax". */
const SHORTEST_KNOWN = 4;
/** A word for "airport" or "station" this long may be misspelled by two edits: "Haubtbanhof". */
const SHORTEST_MISSPELLED_TWICE = 9;
const MOST_WORDS = 12;
const NEIGHBORHOOD_KM = 15;
const AIRPORT_KM = 40;
/** What a text that names no place may have meant. */
export function createNearMisses(index: PlaceIndex) {
  const { places, names, called, farCity, isQualifier, satisfies, work, words } = index;
  const { otherPlace, siteName, withoutAirportWord, withoutStationWord } = words;
  const spellings = createSpellings(names, work.spend);

  return { misspelled, misspelledTwice, contained, inPostcode };

  /**
   * The only place with a name that is one edit away, and these names of it, folded; `isShort` where the traveler may
   * well have meant something else: "CERN" and "Bern".
   */
  function misspelled(folded: string) {
    const meant: string[] = [];
    const isShort = folded.length < SHORTEST_CORRECTABLE;
    if (folded.length < SHORTEST_KNOWN || folded.length > LONGEST_NAME) return { near: [], meant, isShort };
    const near = new Set<PlaceEntry>();
    for (const text of new Set([folded, siteName(folded) ?? folded]))
      for (const { name, entry } of spellings.near(text, 1)) {
        if (name.length < SHORTEST_KNOWN) continue;
        meant.push(name);
        const isLong = name.length >= SHORTEST_CORRECTABLE && folded.length >= SHORTEST_CORRECTABLE - 1;
        for (const place of entry) if (isLong || place.main) near.add(place);
      }
    return { near: near.size === 1 ? [...near] : [], meant, isShort };
  }

  /** Well-known places whose name is at most two edits away: "Intrlakn"; for "the airport" that is none. */
  function misspelledTwice(folded: string): readonly PlaceEntry[] {
    const town = withoutAirportWord(withoutStationWord(folded));
    if (town.length < SHORTEST_CORRECTABLE || folded.length > LONGEST_NAME) return [];
    const near = spellings
      .near(folded, 2)
      .flatMap(({ name, entry }) => (name.length > SHORTEST_CORRECTABLE ? entry.filter(({ main }) => main) : []));
    return [...new Set(near)];
  }

  /** The places that the pieces begin or end with beside other words: "Kulm Hotel St. Moritz", "Zermatt Inn". */
  function contained(pieces: readonly string[]): readonly PlaceEntry[] {
    const qualifiers = pieces.filter(isQualifier);
    const found = pieces
      .filter((piece) => !isQualifier(piece))
      .flatMap((piece) => atAnEnd(piece.split(" ")))
      .filter((place) => qualifiers.every((qualifier) => satisfies(place, qualifier)));
    return [...new Set(found)];
  }

  function atAnEnd(parts: readonly string[]): readonly PlaceEntry[] {
    if (parts.length > MOST_WORDS) return [];
    for (let length = parts.length - 1; length > 0; length--) {
      const [beginning, end] = [parts.slice(0, length).join(" "), parts.slice(-length).join(" ")];
      if (farCity(beginning) || farCity(end)) return [];
      const begun = otherPlace.has(parts[length] ?? "") ? [] : called(beginning);
      // "Zermatt Inn" does not name the airport of Innsbruck (INN).
      const ended = end.length === 3 ? (names.get(end) ?? []) : called(end);
      const found = [...ended, ...begun];
      if (found.length > 0) return found;
    }
    const [last = ""] = parts.slice(-1);
    return isQualifier(last) ? atAnEnd(parts.slice(0, -1)) : [];
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
