import { closestMatch } from "leven";

/** The known name from which the unknown one differs by at most a letter; `undefined` where there is none. */
export function misspelledName(unknown: string, known: Iterable<string>): string | undefined {
  return closestMatch(unknown, [...known], { maxDistance: 1 });
}

/** "; did you mean davos?", or nothing where no known name is similar. */
export function didYouMean(unknown: string, known: Iterable<string>): string {
  const nearest = closestMatch(unknown, [...known], { maxDistance: Math.max(1, Math.ceil(unknown.length / 4)) });
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}
