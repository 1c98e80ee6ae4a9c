import type { Season } from "../../domain/catalog/offer-schema.ts";
import { crowFliesKm } from "../../domain/places/geo.ts";
import type { Zones } from "../../domain/places/zones.ts";
import { DAY } from "../../ops/durations.ts";
import { type Audited, always, type Check, fault, warning } from "./catalog-check.ts";
import { couldCoincide, directionsOf, fareConflicts } from "./fare-conflicts.ts";
import { kmBetween } from "./places.ts";
import { chf } from "./tariff.ts";

const FARES = "fares.json";
const SEASONS = "seasons.json";

/** A fixed fare below this share of the price by kilometers, or above so many times of it, is no fare of that journey. */
const WRONG_PART = 0.25;
const WRONG_TIMES = 6;

/** Discounts that add up to so many percent sell a journey for next to nothing. */
const MOST_DISCOUNT = 60;

/** What can be wrong with fixed fares, and with seasons. */
// biome-ignore format: a table reads by its columns
export const ofFares: readonly Check[] = [
  fault(({ catalog, zones }) => fareConflicts(catalog, zones), FARES, ([{ id }]) => id, always, ([, other]) => `equal in rank to ${other.id}, and both could apply to one journey: remove one of them or limit it to other times`),
  fault(faresByKilometers, FARES, ({ path }) => path, ({ rappen, usual }) => rappen < usual * WRONG_PART || rappen > usual * WRONG_TIMES, ({ rappen, km, usual }) => `${chf(rappen)} for ${Math.round(km)} km; by kilometers ${chf(usual)}: correct it, in Rappen`),
  warning(commonClasses, FARES, ({ fare, vehicleClass }) => `${fare.id}.rappen.${vehicleClass}`, ({ fare, vehicleClass }) => !(vehicleClass in fare.rappen), ({ siblings, vehicleClass }) => `missing, so that ${vehicleClass} goes by kilometers; ${siblings} other fares have one: add it`),
  fault(deepDiscounts, SEASONS, ({ id }) => id, always, ({ sum, names }) => `discounts of one journey add up to ${sum} %: ${names}: lower them, or limit them to other times`),
  warning(({ catalog }) => catalog.seasons, SEASONS, ({ id }) => id, ({ percent, dates = [] }) => percent > 0 && dates.some(isMostOfTheYear), ({ dates = [] }) => `most of the year, ${dates.map(({ from, to }) => `from ${from} to ${to}`).join(", ")}: swap the two days`),
];

/** Each fare with each class that most fares have. */
function commonClasses({ catalog: { fares, vehicleClasses } }: Audited) {
  return vehicleClasses
    .map(({ id }) => ({ vehicleClass: id, siblings: fares.filter(({ rappen }) => id in rappen).length }))
    .filter(({ siblings }) => siblings >= 2 && siblings > fares.length / 2)
    .flatMap((each) => fares.map((fare) => ({ ...each, fare })));
}

function isMostOfTheYear({ from, to }: { readonly from: string; readonly to: string }): boolean {
  const [first = 0, last = 0] = [from, to].map((day) => Date.parse(`2027-${day}T00:00Z`) / DAY);
  const days = (last - first + 365) % 365;
  return days > 185 && days < 364;
}

/** Each fixed fare with the price by kilometers of the shortest journey to which it applies. */
function faresByKilometers(audited: Audited) {
  const { catalog, zones } = audited;
  return catalog.fares.flatMap(({ id, routes, rappen }) => {
    const distances = routes.flatMap((route) => {
      const [from, to] = nearestPlaces(zones, route);
      return from === undefined || to === undefined ? [] : (kmBetween(audited, from, to) ?? []);
    });
    if (distances.length === 0) return [];
    const km = Math.min(...distances);
    return Object.entries(rappen).flatMap(([vehicleClass, amount]) => {
      const rate = catalog.tariff.rates[vehicleClass];
      const usual = rate ? Math.max(rate.minimumRappen, rate.baseRappen + km * rate.perKmRappen) : 0;
      return usual > 0 ? [{ path: `${id}.rappen.${vehicleClass}`, rappen: amount, km, usual }] : [];
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

/**
 * Discounts that can apply to one journey together and take nearly all of its price, if there are: each season with the
 * deepest that meet it. A quote adds them up anew.
 */
function deepDiscounts({ catalog, zones }: Audited) {
  const seasons = catalog.seasons.filter(({ percent }) => percent < 0).sort((a, b) => a.percent - b.percent);
  const [client] = catalog.clients
    .flatMap(({ id, percent = 0 }) => (percent < 0 ? [{ id, percent }] : []))
    .sort((a, b) => a.percent - b.percent);
  const groups = seasons.map((first) => {
    const group = [first];
    for (const each of seasons) if (each !== first && group.every((one) => meet(one, each))) group.push(each);
    return client ? [...group, client] : group;
  });
  return groups
    .map((group) => ({ id: group[0]?.id ?? "", group, sum: group.reduce((sum, { percent }) => sum - percent, 0) }))
    .filter(({ group, sum }) => group.length > 1 && sum >= MOST_DISCOUNT)
    .map((each) => ({ ...each, names: each.group.map(({ id, percent }) => `${id} ${percent} %`).join(", ") }))
    .slice(0, 1);

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
