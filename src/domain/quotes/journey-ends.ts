import { PublicError } from "../../contract/errors.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Area, ServiceRule } from "../catalog/offer-schema.ts";
import { townText } from "../places/place-finder.ts";
import { isAt, isOnRoute, type RulePoint } from "../pricing/priced-direction.ts";
import type { LocatedPoint } from "./locate-points.ts";
import type { ListedEnds, NamedPlace } from "./quote.ts";

/**
 * The catalog ids of a journey: its published corridor, if it has no stops, and the place or zone at each end and stop,
 * `null` at a point that was not found. For an address or a position this is the place where the car stops, otherwise
 * the zone that contains it.
 */
export function listedEnds(
  catalog: Pick<Catalog, "corridorsByEnds">,
  points: readonly (LocatedPoint | undefined)[],
  rulePoints: readonly (RulePoint | undefined)[],
): ListedEnds {
  const [from, to] = [rulePoints.at(0)?.placeId, rulePoints.at(-1)?.placeId];
  const listed = points.map(
    (point, index) => rulePoints[index]?.placeId ?? point?.carStop.id ?? rulePoints[index]?.zoneIds[0] ?? null,
  );
  return {
    corridor: (points.length === 2 && catalog.corridorsByEnds.get(`${from} ${to}`)?.key) || null,
    origin: listed[0] ?? null,
    destination: listed.at(-1) ?? null,
    stops: listed.slice(1, -1),
  };
}

/** Names the place that a point was read as. */
export function namedPlace({ place, position }: LocatedPoint): NamedPlace {
  const { country, isPosition, isSite } = place;
  const town = townText(place.town);
  // The name of coordinates is the caller's own.
  const isOwn = isPosition && (position !== null || !/\p{L}/u.test(place.name));
  const name = isOwn ? town : place.name;
  const kind = isSite ? "site" : isOwn ? "position" : isPosition ? "address" : place.kind;
  return { name, ...(town !== name && { town }), country, kind };
}

/**
 * Returns why a journey is on request, by the first rule that matches its two ends; `undefined` where it is sold at
 * once. Throws UNSUPPORTED_ROUTE where the rule does not sell it. `rulePoints` are the points as the rules of the catalog
 * see them; `corridor` is the published one, if any.
 */
export function createServiceRules({ serviceRules, operator }: Catalog) {
  return (
    points: readonly LocatedPoint[],
    rulePoints: readonly RulePoint[],
    corridor: string | null,
  ): string | undefined => {
    const ends = [0, -1].flatMap((at) => {
      const [point, rulePoint] = [points.at(at), rulePoints.at(at)];
      return point && rulePoint ? [{ ...rulePoint, place: point.place }] : [];
    });
    const rule = serviceRules.find((each) => matches(each, ends, corridor));
    if (rule?.offer !== "none") return rule?.offer === "on_request" ? rule.reason : undefined;
    const { name, phone, email } = operator;
    throw new PublicError("UNSUPPORTED_ROUTE", `This journey is not sold. ${rule.reason}`, {
      nextAction: `Tell the traveler the reason and ask for another journey, or to contact ${name} (${phone}, ${email}).`,
    });
  };
}

type End = RulePoint & Pick<LocatedPoint, "place">;

function matches(rule: ServiceRule, ends: readonly End[], corridor: string | null): boolean {
  const { routes, endIn, bothEndsIn } = rule;
  const isIn =
    ({ countries = [], cantons = [], places = [] }: Area) =>
    (end: End) =>
      countries.includes(end.place.country) ||
      cantons.includes(end.place.canton ?? "") ||
      places.some((id) => isAt(id, end));
  return (
    isOnRoute(routes, ends) &&
    (!rule.corridor || corridor !== null) &&
    (!endIn || ends.some(isIn(endIn))) &&
    (!bothEndsIn || ends.every(isIn(bothEndsIn)))
  );
}
