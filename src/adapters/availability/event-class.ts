import type ICAL from "ical.js";
import { nearestName } from "../../domain/catalog/nearest-name.ts";

/** The word of events that take every vehicle of every class. */
export const ALL = "all";

/** Fewer letters are those of too many other words: "Jan" is not "van". */
const FEWEST_LETTERS = 5;

/**
 * Returns the id of a class, or "all", with which the summary or else a category of an event begins, in any case and with
 * hyphens, spaces or nothing for its underscores: "First-class van" is first_class_van.
 */
export function createWordOf(ids: readonly string[]): (component: ICAL.Component) => string | undefined {
  const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[-_\s]/g, "");
  // The longest first: a van may be the begin of another class.
  const words = [ALL, ...ids].sort((a, b) => b.length - a.length);
  const patterns = words.map((id) => id.replaceAll("_", "[-_\\s]*"));
  const begin = new RegExp(`^\\s*(${patterns.join("|")})(?![\\p{L}\\p{N}_])`, "iu");
  return (component) => {
    for (const text of textsOf(component)) {
      const [, word] = begin.exec(text) ?? [];
      if (word === undefined) continue;
      const exact = words.find((id) => id === word.toLowerCase());
      return exact ?? words.find((id) => lettersOf(id) === lettersOf(word));
    }
    return undefined;
  };
}

/** Returns the id of the class that an event of none may mean: "vans", "bussiness van". */
export function createMeantBy(ids: readonly string[]): (component: ICAL.Component) => string | undefined {
  const longestFirst = [...ids].sort((a, b) => b.length - a.length);
  return (component) => longestFirst.find((id) => textsOf(component).some((text) => isLike(id, text)));
}

function isLike(id: string, text: string): boolean {
  const parts = id.split("_");
  const name = parts.join("");
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [words.slice(0, parts.length).join(""), words[0] ?? ""].some((begin) => {
    if (begin === name || begin === `${name}s`) return true;
    return Math.min(begin.length, name.length) >= FEWEST_LETTERS && nearestName(begin, [name]) !== undefined;
  });
}

function textsOf(component: ICAL.Component): readonly string[] {
  const categories = component.getAllProperties("categories").flatMap((each) => each.getValues());
  return [component.getFirstPropertyValue("summary"), ...categories].map((text) => String(text ?? ""));
}
