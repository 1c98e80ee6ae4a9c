import { closestMatch } from "leven";

/** The known name that an unknown one misspells, by a letter or two; `undefined` where there is none. */
export function nearestName(
  unknown: string,
  known: readonly string[],
  mostLetters = unknown.length < 6 ? 1 : 2,
): string | undefined {
  return closestMatch(unknown, known, { maxDistance: mostLetters });
}

/** "; did you mean davos?", or nothing where no known name is similar. Two letters of a code are similar to any other two. */
export function didYouMean(unknown: string, known: Iterable<string>): string {
  if (unknown.length < 3) return "";
  const nearest = nearestName(unknown, [...known], Math.ceil(unknown.length / 4));
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}

/** As many as there are cantons and airports. */
const MOST_LISTED = 31;

/** The similar name, or what is allowed where that is a short list. */
export function nearOrAllowed(unknown: string, known: Iterable<string>): string {
  const names = [...known];
  return didYouMean(unknown, names) || (names.length > MOST_LISTED ? "" : `; allowed: ${names.join(", ")}`);
}
