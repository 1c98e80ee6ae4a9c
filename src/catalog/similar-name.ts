import { closestMatch } from "leven";

/** "; did you mean davos?", or nothing where no known name is similar. */
export function didYouMean(unknown: string, known: Iterable<string>): string {
  const nearest = closestMatch(unknown, [...known], { maxDistance: Math.max(1, Math.ceil(unknown.length / 4)) });
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}
