import { francsText } from "../../contract/notice-formats.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { isInDays } from "../../domain/catalog/fields.ts";
import type { Fare, RuleRoute, Season, When } from "../../domain/catalog/offer-schema.ts";
import { crowFliesKm } from "../../domain/places/geo.ts";
import { createZones, type Zones } from "../../domain/places/zones.ts";
import { isHourIn } from "../../domain/pricing/calendar.ts";
import { isForSomeTimes, narrownessOf } from "../../domain/pricing/priced-direction.ts";
import { DAY } from "../../ops/durations.ts";
import { type Audited, always, type Check, fault, warning } from "./catalog-check.ts";
import { kmBetween } from "./places.ts";

const FARES = "fares.json";

/** A fixed fare below this share of the price by kilometers, or above so many times of it, is no fare of that journey. */
const WRONG_PART = 0.25;
const WRONG_TIMES = 4;
/** Discounts that add up to so many percent sell a journey for next to nothing. */
const MOST_DISCOUNT = 60;

/** What can be wrong with fixed fares and seasons, alone and with those that meet them. */
// biome-ignore format: a table reads by its columns
export const ofFares: readonly Check[] = [
  fault(({ catalog, zones }) => fareConflicts(catalog, zones), FARES, ([{ id }]) => id, always, ([, other]) => `equal in rank to ${other.id}, and both could apply to one journey: remove one of them or limit it to other times`),
  fault(faresByKilometers, FARES, ({ path }) => path, ({ rappen, usual }) => rappen < usual * WRONG_PART || rappen > usual * WRONG_TIMES, ({ rappen, km, usual }) => `${francsText(rappen)} for ${Math.round(km)} km; by kilometers ${francsText(usual)}: correct it, in Rappen`),
  warning(commonClasses, FARES, ({ path }) => path, always, ({ siblings, vehicleClass }) => `missing, so that ${vehicleClass} goes by kilometers; ${siblings} other fares have one: add it`),
  warning(({ catalog }) => catalog.seasons, "seasons.json", ({ id }) => id, ({ percent, dates = [] }) => percent > 0 && dates.some(isMostOfTheYear), ({ dates = [] }) => `most of the year, ${dates.map(({ from, to }) => `from ${from} to ${to}`).join(", ")}: swap the two days`),
  fault(deepDiscounts, "seasons.json", ({ id }) => id, always, ({ sum, names }) => `discounts of one journey add up to ${sum} %: ${names}: lower them, or limit them to other times`),
];

/** A surcharge on most days of each year has its two days swapped. */
function isMostOfTheYear(days: Days): boolean {
  return days.from.length === 5 && daysIn(days) > 186 && daysIn(days) < 365;
}

/** Classes that most fares have, in those that lack them and have a larger one: some have no fares for the largest. */
function commonClasses({ catalog: { fares, vehicleClasses } }: Audited) {
  const ids = vehicleClasses.map(({ id }) => id);
  return ids.flatMap((vehicleClass, n) => {
    const siblings = fares.filter(({ rappen }) => vehicleClass in rappen).length;
    const larger = ids.slice(n + 1);
    const lacking = fares.filter(({ rappen }) => !(vehicleClass in rappen) && larger.some((id) => id in rappen));
    const isCommon = siblings >= 2 && siblings > fares.length / 2;
    return isCommon ? lacking.map(({ id }) => ({ path: `${id}.rappen.${vehicleClass}`, vehicleClass, siblings })) : [];
  });
}

/** The fixed fares of each class with their prices by kilometers, for the shortest journey to which they apply. */
function faresByKilometers(audited: Audited) {
  const { catalog, zones } = audited;
  return catalog.fares.flatMap(({ id, routes, rappen: amounts }) => {
    const distances = routes.flatMap((route) => {
      const [from, to] = nearestPlaces(zones, route);
      // Zones that overlap have no shortest journey.
      return from === undefined || to === undefined || from === to ? [] : (kmBetween(audited, from, to) ?? []);
    });
    if (distances.length === 0) return [];
    const km = Math.min(...distances);
    return Object.entries(amounts).flatMap(([vehicleClass, rappen]) => {
      const rate = catalog.tariff.rates[vehicleClass];
      const usual = rate ? Math.max(rate.minimumRappen, rate.baseRappen + km * rate.perKmRappen) : 0;
      return usual > 0 ? [{ path: `${id}.rappen.${vehicleClass}`, rappen, km, usual }] : [];
    });
  });
}

/** Two places of a route's ends that are near each other: of two zones not always the nearest of all pairs. */
function nearestPlaces(zones: Zones, { from, to }: { readonly from: string; readonly to: string }) {
  const [starts, ends] = [[...zones.placesIn(from)], [...zones.placesIn(to)]];
  const nearest = ([first, ...others]: typeof starts, to: (typeof starts)[number] | undefined) =>
    first && to && others.reduce((best, each) => (crowFliesKm(each, to) < crowFliesKm(best, to) ? each : best), first);
  const end = nearest(ends, starts[0]);
  const start = nearest(starts, end);
  return [start?.id, nearest(ends, start)?.id];
}

/** Fixed fares of equal rank that could both price a journey, so that their order would decide. */
export function fareConflicts(
  catalog: Pick<Catalog, "fares" | "zones" | "places">,
  { meet }: Zones = createZones(catalog),
): readonly (readonly [Fare, Fare])[] {
  const zoneIds = new Set(catalog.zones.map(({ id }) => id));
  // The fare of a part of a town takes precedence over the town's.
  const areOtherPlaces = (id: string, other: string) => id !== other && !zoneIds.has(id) && !zoneIds.has(other);
  const ranked = catalog.fares.map(({ routes }) =>
    directionsOf(routes).map((each) => {
      const places = [each.from, each.to].filter((id) => !zoneIds.has(id)).length;
      return { ...each, rank: places + narrownessOf(each, catalog.zones) };
    }),
  );
  const meetEqually = (directions: (typeof ranked)[number] = [], others: typeof directions = []) =>
    directions.some(({ from, to, rank }) =>
      others.some((other) => {
        // Places are compared at once, zones by all places in them.
        if (other.rank !== rank || areOtherPlaces(to, other.to) || areOtherPlaces(from, other.from)) return false;
        return meet(from, other.from) && meet(to, other.to);
      }),
    );
  return catalog.fares.flatMap((one, n) =>
    catalog.fares
      .slice(n + 1)
      .filter(
        (two, m) => meetEqually(ranked[n], ranked[n + 1 + m]) && haveCommonClass(one, two) && haveCommonTime(one, two),
      )
      .map((two) => [one, two] as const),
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
function directionsOf<R extends RuleRoute>(routes: readonly R[]): readonly Pick<R, "from" | "to">[] {
  return routes.flatMap(({ from, to, bothWays }) => [{ from, to }, ...(bothWays ? [{ from: to, to: from }] : [])]);
}

/** Whether two rules could apply at the same time. */
function couldCoincide(a: When, b: When): boolean {
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

/** Days from the first to the last, both included, of dates with or without a year. */
export function daysIn({ from, to }: Days): number {
  const [first = 0, last = 0] = [from, to].map((day) => Date.parse(`${`2027-${day}`.slice(-10)}T00:00Z`) / DAY);
  return last - first + 1 + (last < first ? 365 : 0);
}

/**
 * Discounts that can apply to one journey together and take nearly all of its price, if there are: a season with the
 * deepest that meet it, and the deepest of a client. A quote adds them up anew.
 */
function deepDiscounts({ catalog, zones }: Audited) {
  const deepest = <Each extends { readonly percent?: number | undefined }>(all: readonly Each[]) =>
    all.filter(({ percent = 0 }) => percent < 0).sort((a, b) => (a.percent ?? 0) - (b.percent ?? 0));
  const seasons = deepest(catalog.seasons);
  const clients = deepest(catalog.clients).slice(0, 1);
  const groups = seasons.map((first) => {
    const group = [first];
    for (const each of seasons) if (each !== first && group.every((one) => meet(one, each))) group.push(each);
    const all = [...group, ...clients];
    const names = all.map(({ id, percent }) => `${id} ${percent} %`).join(", ");
    return { id: first.id, count: all.length, names, sum: all.reduce((sum, { percent = 0 }) => sum - percent, 0) };
  });
  return groups.filter(({ count, sum }) => count > 1 && sum >= MOST_DISCOUNT).slice(0, 1);

  function meet(a: Season, b: Season): boolean {
    const isSharedClass = !a.classes || !b.classes || a.classes.some((id) => b.classes?.includes(id));
    return isSharedClass && couldCoincide(a, b) && meetSomewhere(a, b);
  }

  function meetSomewhere({ routes: some = [{}] }: Season, { routes: others = [{}] }: Season): boolean {
    return directionsOf(some).some((one) =>
      directionsOf(others).some((two) => areJoined(one.from, two.from) && areJoined(one.to, two.to)),
    );
  }

  /** An end that is not stated matches every place. */
  function areJoined(id: string | undefined, otherId: string | undefined): boolean {
    return id === undefined || otherId === undefined || zones.meet(id, otherId);
  }
}
