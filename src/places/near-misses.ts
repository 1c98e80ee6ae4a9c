import { crowFliesKm } from "./geo.ts";
import { isWithinOneEdit } from "./one-edit.ts";
import type { PlaceIndex } from "./place-index.ts";
import { isQualifier, satisfies } from "./qualifiers.ts";
import type { PlaceEntry } from "./schema.ts";
import { siteName } from "./site-words.ts";

const LONGEST_NAME = 64;
const SHORTEST_CORRECTABLE = 6;
const MOST_WORDS = 12;
const NEIGHBOURHOOD_KM = 15;
const AIRPORT_KM = 40;
/** "Baden bei Wien" is another Baden. */
const OTHER_PLACE = new Set(["ob", "bei", "in", "im", "am", "an", "auf", "sur", "sous", "les"]);

/**
 * What a text that names no place may have meant, to be offered and never taken: the one name that is one edit away;
 * the place that "Kulm Hotel St. Moritz" ends with, or "Zurich Airport Terminal 2" begins with; the places of the
 * postcode in "8058 Zürich" that lie near Zürich.
 */
export function createNearMisses({ places, names, called, farCity }: PlaceIndex) {
  return function nearMisses(parts: readonly string[], pieces: readonly string[]): readonly PlaceEntry[] {
    for (const found of [misspelt(parts.join(" ")), inPostcode(pieces), contained(pieces)])
      if (found.length > 0) return [...new Set(found)];
    return [];
  };

  function misspelt(folded: string): readonly PlaceEntry[] {
    if (folded.length < SHORTEST_CORRECTABLE - 1 || folded.length > LONGEST_NAME) return [];
    const texts = [folded, siteName(folded) ?? folded];
    const near = new Set<PlaceEntry>();
    for (const [name, named] of names) {
      if (name.length >= SHORTEST_CORRECTABLE && texts.some((text) => isMisspelt(text, name)))
        for (const place of named) near.add(place);
    }
    return near.size === 1 ? [...near] : [];
  }

  function contained(pieces: readonly string[]): readonly PlaceEntry[] {
    const qualifiers = pieces.filter(isQualifier);
    return pieces
      .filter((piece) => !isQualifier(piece))
      .flatMap((piece) => atAnEnd(piece.split(" ")))
      .filter((place) => qualifiers.every((qualifier) => satisfies(place, qualifier)));
  }

  function atAnEnd(words: readonly string[]): readonly PlaceEntry[] {
    if (words.length > MOST_WORDS) return [];
    for (let length = words.length - 1; length > 0; length--) {
      const [beginning, end] = [words.slice(0, length).join(" "), words.slice(-length).join(" ")];
      if (farCity(beginning) || farCity(end)) return [];
      const begun = OTHER_PLACE.has(words[length] ?? "") ? [] : called(beginning);
      // "Zermatt Inn" is no way to say INN.
      const ended = end.length === 3 ? (names.get(end) ?? []) : called(end);
      const found = [...ended, ...begun];
      if (found.length > 0) return found;
    }
    const [last = ""] = words.slice(-1);
    return isQualifier(last) ? atAnEnd(words.slice(0, -1)) : [];
  }

  function inPostcode(pieces: readonly string[]): readonly PlaceEntry[] {
    const named = pieces.flatMap(called);
    const codes = pieces.flatMap((piece) => /\d{4,5}$/.exec(piece)?.[0] ?? []);
    if (named.length === 0 || codes.length === 0) return [];
    return places.filter(
      (place) =>
        codes.some((code) => place.postcodes.includes(code)) &&
        named.some(
          (other) => crowFliesKm(place, other) <= (place.kind === "airport" ? AIRPORT_KM : NEIGHBOURHOOD_KM),
        ),
    );
  }
}

/** Figures are not misspelt: "Arc 1600" is no misspelt "Arc 1800". */
function isMisspelt(text: string, name: string): boolean {
  return isWithinOneEdit(text, name) && text.replace(/\D/g, "") === name.replace(/\D/g, "");
}
