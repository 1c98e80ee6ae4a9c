import { closestMatch } from "leven";

/** The known name that an unknown one misspells, by a letter or two; `undefined` where there is none. */
export function nearestName(
  unknown: string,
  known: readonly string[],
  mostLetters = unknown.length < 6 ? 1 : 2,
): string | undefined {
  return closestMatch(unknown, known, { maxDistance: mostLetters });
}

/** "; did you mean davos?", or nothing where no known name is similar. */
export function didYouMean(unknown: string, known: Iterable<string>): string {
  const nearest = nearestName(unknown, [...known], Math.max(1, Math.ceil(unknown.length / 4)));
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}

const MOST_LISTED = 12;

/** The similar name, or what is allowed where that is a short list. */
export function nearOrAllowed(unknown: string, known: Iterable<string>): string {
  const names = [...known];
  return didYouMean(unknown, names) || (names.length > MOST_LISTED ? "" : `; allowed: ${names.join(", ")}`);
}
