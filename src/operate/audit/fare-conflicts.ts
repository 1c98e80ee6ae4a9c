import type { Catalog } from "../../domain/catalog/catalog.ts";
import { isInDays } from "../../domain/catalog/fields.ts";
import type { Fare, RuleRoute, When } from "../../domain/catalog/offer-schema.ts";
import { createZones, type Zones } from "../../domain/places/zones.ts";
import { isHourIn } from "../../domain/pricing/calendar.ts";
import { isForSomeTimes } from "../../domain/pricing/priced-direction.ts";

/** Fixed fares of equal rank that could both price a journey, so that their order would decide. */
export function fareConflicts(
  catalog: Pick<Catalog, "fares" | "zones" | "places">,
  { meet }: Zones = createZones(catalog),
): readonly (readonly [Fare, Fare])[] {
  const zoneIds = new Set(catalog.zones.map(({ id }) => id));
  const isPlace = (id: string) => !zoneIds.has(id);
  const directed = catalog.fares.map((fare) => ({
    fare,
    directions: directionsOf(fare.routes).map(({ from, to }) => {
      return { from, to, places: Number(isPlace(from)) + Number(isPlace(to)) };
    }),
  }));
  return directed.flatMap(({ fare, directions }, index) =>
    directed
      .slice(index + 1)
      .filter((other) => meetEqually(directions, other.directions))
      .filter((other) => haveCommonClass(fare, other.fare) && haveCommonTime(fare, other.fare))
      .map((other) => [fare, other.fare] as const),
  );

  function meetEqually(some: readonly Directed[], others: readonly Directed[]): boolean {
    return some.some((one) =>
      others.some(
        (two) =>
          one.places === two.places &&
          // Places are compared at once, zones by all places in them.
          !areOtherPlaces(one.to, two.to) &&
          conflict(one.from, two.from) &&
          conflict(one.to, two.to),
      ),
    );
  }

  /** The fare of a part of a town takes precedence over the town's. */
  function conflict(id: string, otherId: string): boolean {
    return !areOtherPlaces(id, otherId) && meet(id, otherId);
  }

  function areOtherPlaces(id: string, otherId: string): boolean {
    return id !== otherId && isPlace(id) && isPlace(otherId);
  }
}

/** One direction of a route, and how many of its ends are places. */
interface Directed {
  readonly from: string;
  readonly to: string;
  readonly places: number;
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
  const hours = hoursOf(a).some((hour) => hoursOf(b).includes(hour));
  const dates =
    a.dates === undefined || b.dates === undefined || a.dates.some((one) => b.dates?.some((two) => overlap(one, two)));
  return weekdays && hours && dates;
}

function hoursOf({ hours = { from: 0, to: 24 } }: When): readonly number[] {
  return Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => isHourIn(hours, hour));
}

type Days = NonNullable<When["dates"]>[number];

function overlap(a: Days, b: Days): boolean {
  return beginsIn(a, b) || beginsIn(b, a);
}

/** Whether the first day of one is a day of the other; in each of its years where the first has none. */
function beginsIn({ from }: Days, days: Days): boolean {
  if (from.length >= days.from.length) return isInDays(days, from);
  const [first = 0, last = 0] = [days.from, days.to].map((day) => Number(day.slice(0, 4)));
  return Array.from({ length: last - first + 1 }, (_, n) => `${first + n}-${from}`).some((day) => isInDays(days, day));
}
