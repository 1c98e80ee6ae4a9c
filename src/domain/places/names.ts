import leven from "leven";
import type { Site } from "../catalog/places-schema.ts";

/**
 * Folds a name so that the ways people write it become one: case, accents and umlauts (ü = ue = u), ß, hyphens, dots
 * and apostrophes, and St = Sankt = Saint. Spaces separate words; the result may be empty.
 */
export function fold(text: string): string {
  const plain = plainLetters(text).replace(/([aou])e/g, "$1");
  const shortened = plain.includes("s") ? plain.replace(/\b(sankt|saint|sainte|santa|ste)\b/g, "st") : plain;
  return (shortened.includes(",") ? shortened.replace(/ *, */g, ",") : shortened).trim();
}

/** The text in lower case without accents; everything but letters, digits and commas becomes a space. */
function plainLetters(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower.replace(/[^a-z0-9,]+/g, " ");
  return lower
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/[øœ]/g, "o")
    .replace(/æ/g, "a")
    .replace(/[^\p{L}\p{N},]+/gu, " ");
}

/** ASCII in lower case. */
const PLAIN = /^[\x20-\x40\x5b-\x7e]*$/;

/** The comma parts of a folded text, empty ones left out. */
export function partsOf(folded: string): readonly string[] {
  return folded.split(",").filter((part) => part !== "");
}

/** No shorter name counts as misspelled, unless it is that of a well-known place. */
export const SHORTEST_MISSPELLED = 6;

const figuresIn = (text: string) => text.replace(/\D/g, "");

/** No name has more words. */
export const MOST_NAME_WORDS = 6;

/** The name of a place or a site, and its aliases. */
export function namesOf({ name, aliases = [] }: Pick<Site, "name" | "aliases">): readonly string[] {
  return [name, ...aliases];
}

type Named<T> = readonly [name: string, entry: T];

/** Folded names by their length, so that a misspelled one is compared with few. */
export function byLength<T>(names: Iterable<Named<T>>): ReadonlyMap<number, readonly Named<T>[]> {
  const all = new Map<number, Named<T>[]>();
  for (const each of names) {
    const known = all.get(each[0].length);
    if (known) known.push(each);
    else all.set(each[0].length, [each]);
  }
  return all;
}

/**
 * The folded names that are at most `most` edits from a text, with their entries. Nobody misspells a number ("Arc 1600"),
 * nor both ends of a name.
 */
export function namesNear<T>(text: string, names: ReturnType<typeof byLength<T>>, most: number) {
  const found: { readonly name: string; readonly entry: T; readonly edits: number }[] = [];
  for (let length = text.length - most; length <= text.length + most; length += 1)
    for (const [name, entry] of names.get(length) ?? []) {
      if (name[0] !== text[0] && name.at(-1) !== text.at(-1)) continue;
      const edits = editsBetween(text, name, most);
      if (edits <= most && figuresIn(text) === figuresIn(name)) found.push({ name, entry, edits });
    }
  return found;
}

/** How many letters are inserted, left out, replaced, or swapped with their neighbor; more than `most` where many are. */
export function editsBetween(a: string, b: string, most: number): number {
  return isSwapped(a, b) ? 1 : leven(a, b, { maxDistance: most + 1 });
}

function isSwapped(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2) && a !== b;
}
