import type { PlaceEntry, Regions } from "../../catalog/places-schema.ts";
import { fold } from "./fold.ts";

/** The parts of a folded text that narrow down where a place is: a country, region, canton or postcode. */
export interface Qualifiers {
  /** Whether the part is only that. */
  isQualifier(part: string): boolean;
  /** Whether the place is in the region, or has the postcode. */
  satisfies(place: PlaceEntry, qualifier: string): boolean;
  /** The same for an address, by its country and the names that a map gives of what it lies in. */
  areaSatisfies(qualifier: string, country: string | null, names: readonly string[]): boolean;
}

const CANTON_BEFORE = /^(?:kanton|kt|canton|cantone|ct) (?:(?:of the|of|de la|de|du|del|di|d) )?/;
const CANTON_AFTER = / (?:canton|kanton)$/;
/** A postcode, alone or with the letters of its country. */
export const POSTCODE = /^(?:(?:ch|fl|li|at|a|de|d|fr|f|it|i) )?(\d{4,5})$/;
const ELSEWHERE = "elsewhere";

export function createQualifiers({ countries, cantons, elsewhere }: Regions): Qualifiers {
  /** What each folded name may mean: `country:FR` and `canton:FR`. */
  const meanings = new Map<string, Set<string>>();
  for (const { code, names, regions = [] } of countries) add(`country:${code}`, [code, ...names, ...regions]);
  for (const { code, names } of cantons) add(`canton:${code}`, [code, ...names]);
  add(ELSEWHERE, elsewhere);

  return { isQualifier, satisfies, areaSatisfies };

  function isQualifier(part: string): boolean {
    return POSTCODE.test(part) || meaningsOf(part) !== undefined;
  }

  function satisfies(place: PlaceEntry, qualifier: string): boolean {
    const postcode = POSTCODE.exec(qualifier)?.[1];
    if (postcode) return place.postcodes.includes(postcode);
    const meant = meaningsOf(qualifier);
    return meant?.has(`country:${place.country}`) === true || meant?.has(`canton:${place.canton}`) === true;
  }

  function areaSatisfies(qualifier: string, country: string | null, names: readonly string[]): boolean {
    const postcode = POSTCODE.exec(qualifier)?.[1];
    if (postcode) return names.some((name) => fold(name).split(" ").includes(postcode));
    const meant = meaningsOf(qualifier) ?? new Set();
    if (country === null || meant.has(`country:${country}`)) return !meant.has(ELSEWHERE);
    const meantCantons = new Set([...meant].filter((meaning) => meaning.startsWith("canton:")));
    return names.some((name) => haveOneInCommon(meantCantons, meaningsOf(fold(name))));
  }

  /** Also of "canton of valais", and of "valais wallis", which is how maps write it where two languages are spoken. */
  function meaningsOf(part: string): ReadonlySet<string> | undefined {
    const known = meanings.get(part);
    if (known) return known;
    const canton = part.replace(CANTON_BEFORE, "").replace(CANTON_AFTER, "");
    if (canton !== part) return meanings.get(canton);
    const [first, ...others] = part.split(" ").map((word) => meanings.get(word));
    const isOne = first && others.length > 0 && others.every((other) => haveOneInCommon(first, other));
    return isOne ? first : undefined;
  }

  function add(meaning: string, names: readonly string[]): void {
    for (const name of names) {
      const folded = fold(name);
      meanings.set(folded, (meanings.get(folded) ?? new Set()).add(meaning));
    }
  }
}

function haveOneInCommon(some: ReadonlySet<string>, others: ReadonlySet<string> | undefined): boolean {
  return others !== undefined && [...some].some((each) => others.has(each));
}
