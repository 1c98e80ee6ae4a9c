import type { Catalog } from "../catalog/catalog.ts";
import type { Area, ServiceRule } from "../catalog/service-rules-schema.ts";
import { PublicError } from "../contract/errors.ts";
import { isAt, isOnRoute, type RulePoint } from "../pricing/priced-direction.ts";
import type { CountryOf } from "./journey-ends.ts";
import type { LocatedPoint } from "./locate-points.ts";

/**
 * Returns the first rule that matches the two ends of a journey; `undefined` where none does, so that it is sold at
 * once. Throws UNSUPPORTED_ROUTE where the rule does not sell it. `rulePoints` are the points as the rules of the catalog
 * see them; `corridor` is the published one, if any.
 */
export function createServiceRules({ serviceRules, operator }: Catalog, countryOf: CountryOf) {
  return (points: readonly LocatedPoint[], rulePoints: readonly RulePoint[], corridor: string | null) => {
    const ends = [0, -1].flatMap((at) => {
      const [point, rulePoint] = [points.at(at), rulePoints.at(at)];
      return point && rulePoint ? [{ ...rulePoint, country: countryOf(point.place) ?? "" }] : [];
    });
    const rule = serviceRules.find((each) => matches(each, ends, corridor));
    if (rule?.offer !== "none") return rule;
    const { name, phone, email } = operator;
    throw new PublicError("UNSUPPORTED_ROUTE", `This journey is not sold. ${rule.reason}`, {
      nextAction: `Tell the traveler the reason and ask for another journey, or to contact ${name} (${phone}, ${email}).`,
    });
  };
}

type End = RulePoint & { readonly country: string };

function matches(rule: ServiceRule, ends: readonly End[], corridor: string | null): boolean {
  const { routes, endIn, bothEndsIn } = rule;
  const isIn =
    ({ countries = [], places = [] }: Area) =>
    (end: End) =>
      countries.includes(end.country) || places.some((id) => isAt(id, end));
  return (
    isOnRoute(routes, ends) &&
    (!rule.corridor || corridor !== null) &&
    (!endIn || ends.some(isIn(endIn))) &&
    (!bothEndsIn || ends.every(isIn(bothEndsIn)))
  );
}
