import type { Fare, RuleRoute, When, Zone } from "../catalog/offer-schema.ts";
import { isHourIn } from "../pricing/calendar.ts";
import { isForSomeTimes } from "../pricing/priced-direction.ts";

/** Ids of two fixed fares of equal rank that could both price a journey, so that their order would decide. */
export interface FareConflict {
  readonly fare: string;
  readonly other: string;
}

interface Ends {
  meet(id: string, otherId: string): boolean;
  isPlace(id: string): boolean;
}

/** `meet` returns whether two areas overlap, each given as the id of a place or zone. */
export function fareConflicts(
  fares: readonly Fare[],
  zones: readonly Pick<Zone, "id">[],
  meet: Ends["meet"],
): readonly FareConflict[] {
  const zoneIds = new Set(zones.map(({ id }) => id));
  const ends = { meet, isPlace: (id: string) => !zoneIds.has(id) };
  return fares.flatMap((fare, index) =>
    fares
      .slice(index + 1)
      .filter((other) => haveCommonClass(fare, other) && haveCommonTime(fare, other) && meetEqually(fare, other, ends))
      .map((other) => ({ fare: fare.id, other: other.id })),
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

function meetEqually(a: Fare, b: Fare, { meet, isPlace }: Ends): boolean {
  // The fare of a part of a town takes precedence over the town's.
  const conflict = (id: string, otherId: string) =>
    isPlace(id) && isPlace(otherId) ? id === otherId : meet(id, otherId);
  const precision = ({ from, to }: Directed) => Number(isPlace(from)) + Number(isPlace(to));
  return directionsOf(a.routes).some((one) =>
    directionsOf(b.routes).some(
      (two) => precision(one) === precision(two) && conflict(one.from, two.from) && conflict(one.to, two.to),
    ),
  );
}

type Directed = Required<Pick<RuleRoute, "from" | "to">>;

/** The routes as single directions: a route for both ways becomes two. */
export function directionsOf<R extends RuleRoute>(routes: readonly R[]): readonly Pick<R, "from" | "to">[] {
  return routes.flatMap(({ from, to, bothWays }) =>
    bothWays
      ? [
          { from, to },
          { from: to, to: from },
        ]
      : [{ from, to }],
  );
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
  const years = [a, b].flatMap(({ from, to }) =>
    from.length === 10 ? [Number(from.slice(0, 4)), Number(to.slice(0, 4))] : [],
  );
  const [first, last] = years.length > 0 ? [Math.min(...years) - 1, Math.max(...years)] : [2000, 2001];
  const inYears = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return dated(a, inYears).some((one) => dated(b, inYears).some((two) => one.from <= two.to && two.from <= one.to));
}

/** A range without years, once for each of `years`; a range across New Year ends in the following year. */
function dated({ from, to }: Days, years: readonly number[]): readonly Days[] {
  if (from.length === 10) return [{ from, to }];
  return years.map((year) => ({ from: `${year}-${from}`, to: `${from <= to ? year : year + 1}-${to}` }));
}
