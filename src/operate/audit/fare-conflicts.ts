import type { Catalog } from "../../domain/catalog/catalog.ts";
import { isInDays } from "../../domain/catalog/fields.ts";
import type { Fare, RuleRoute, When } from "../../domain/catalog/offer-schema.ts";
import { createZones, type Zones } from "../../domain/places/zones.ts";
import { isHourIn } from "../../domain/pricing/calendar.ts";
import { isForSomeTimes, narrownessOf } from "../../domain/pricing/priced-direction.ts";

/** Fixed fares of equal rank that could both price a journey, so that their order would decide. */
export function fareConflicts(
  catalog: Pick<Catalog, "fares" | "zones" | "places">,
  { meet }: Zones = createZones(catalog),
): readonly (readonly [Fare, Fare])[] {
  const zoneIds = new Set(catalog.zones.map(({ id }) => id));
  const isPlace = (id: string) => !zoneIds.has(id);
  const areOtherPlaces = (id: string, other: string) => id !== other && isPlace(id) && isPlace(other);
  // The fare of a part of a town takes precedence over the town's.
  const conflict = (id: string, other: string) => !areOtherPlaces(id, other) && meet(id, other);
  const directed = catalog.fares.map((fare) => {
    const directions = directionsOf(fare.routes);
    return {
      fare,
      directions: directions.map((each) => {
        const places = [each.from, each.to].filter(isPlace).length;
        return { ...each, rank: places + narrownessOf(each, catalog.zones) };
      }),
    };
  });
  type Directed = (typeof directed)[number];
  const meetEqually = ({ directions }: Directed, { directions: others }: Directed) =>
    directions.some(({ from, to, rank }) =>
      // Places are compared at once, zones by all places in them.
      others.some(
        (two) => two.rank === rank && !areOtherPlaces(to, two.to) && conflict(from, two.from) && conflict(to, two.to),
      ),
    );
  return directed.flatMap((one, index) =>
    directed
      .slice(index + 1)
      .filter(
        (two) => meetEqually(one, two) && haveCommonClass(one.fare, two.fare) && haveCommonTime(one.fare, two.fare),
      )
      .map((two) => [one.fare, two.fare] as const),
  );
}

function haveCommonClass(a: Fare, b: Fare): boolean {
  return Object.keys(a.rappen).some((id) => id in b.rappen);
}

/** A fare limited to certain days or hours takes precedence over one without limits, so those two never conflict. */
function haveCommonTime(a: Fare, b: Fare): boolean {
  if (isForSomeTimes(a) !== isForSomeTimes(b)) return false;
  const isBefore = (one: Fare, two: Fare) => (one.validTo ?? "9999") < (two.validFrom ?? "0000");
  return !isBefore(a, b) && !isBefore(b, a) && couldCoincide(a, b);
}

/** The routes as single directions: a route for both ways becomes two. */
export function directionsOf<R extends RuleRoute>(routes: readonly R[]): readonly Pick<R, "from" | "to">[] {
  return routes.flatMap(({ from, to, bothWays }) => [{ from, to }, ...(bothWays ? [{ from: to, to: from }] : [])]);
}

/** Whether two rules could apply at the same time. */
export function couldCoincide(a: When, b: When): boolean {
  const weekdays =
    a.weekdays === undefined || b.weekdays === undefined || a.weekdays.some((day) => b.weekdays?.includes(day));
  const hours = HOURS.some((hour) => [a, b].every((each) => !each.hours || isHourIn(each.hours, hour)));
  const dates =
    a.dates === undefined ||
    b.dates === undefined ||
    a.dates.some((one) => b.dates?.some((two) => beginsIn(one, two) || beginsIn(two, one)));
  return weekdays && hours && dates;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

type Days = NonNullable<When["dates"]>[number];

/** Whether the first day of one is a day of the other; in each of its years where the first has none. */
function beginsIn({ from }: Days, days: Days): boolean {
  if (from.length >= days.from.length) return isInDays(days, from);
  const [first = 0, last = 0] = [days.from, days.to].map((day) => Number(day.slice(0, 4)));
  return Array.from({ length: last - first + 1 }, (_, n) => `${first + n}-${from}`).some((day) => isInDays(days, day));
}
