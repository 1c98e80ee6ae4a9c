import type { RuleRoute } from "../../domain/catalog/offer-schema.ts";
import { crowFliesKm } from "../../domain/places/geo.ts";
import type { Zones } from "../../domain/places/zones.ts";
import { type Audited, always, type Check, fault, warning } from "./catalog-check.ts";
import { directionsOf, fareConflicts } from "./fare-conflicts.ts";
import { kmBetween } from "./places.ts";
import { chf } from "./tariff.ts";

const FARES = "fares.json";

/** A fixed fare below this share of the price by kilometers, or above so many times of it, is no fare of that journey. */
const WRONG_PART = 0.25;
const WRONG_TIMES = 4;
const MOST_FREE_MINUTES = 120;

/** What can be wrong with fixed fares. */
// biome-ignore format: a table reads by its columns
export const ofFares: readonly Check[] = [
  fault(({ catalog, zones }) => fareConflicts(catalog, zones), FARES, ([{ id }]) => id, always, ([, other]) => `equal in rank to ${other.id}, and both could apply to one journey: remove one of them or limit it to other times`),
  fault(faresByKilometers, FARES, ({ path }) => path, ({ rappen, usual }) => rappen < usual * WRONG_PART || rappen > usual * WRONG_TIMES, ({ rappen, km, usual }) => `${chf(rappen)} for ${Math.round(km)} km; by kilometers ${chf(usual)}: correct it, in Rappen`),
  warning(commonClasses, FARES, ({ fare, vehicleClass }) => `${fare.id}.rappen.${vehicleClass}`, ({ fare, vehicleClass, larger }) => !(vehicleClass in fare.rappen) && larger.some((id) => id in fare.rappen), ({ siblings, vehicleClass }) => `missing, so that ${vehicleClass} goes by kilometers; ${siblings} other fares have one: add it`),
  warning(fareRoutes, FARES, ({ path }) => path, ({ from, to, isPlace }) => from === to && isPlace, ({ from }) => `leads from ${from} to ${from}: correct one of the two`),
  warning(oneWays, FARES, ({ path }) => `${path}.bothWays`, always, ({ from, to, siblings }) => `missing, so that ${to} to ${from} goes by kilometers; ${siblings} other fares have it: add it, true or false`),
  warning(({ catalog }) => catalog.fares, FARES, ({ id }) => `${id}.freeWaitingMinutes`, ({ freeWaitingMinutes = 0 }) => freeWaitingMinutes > MOST_FREE_MINUTES, ({ freeWaitingMinutes }) => `the driver waits ${freeWaitingMinutes} min free of charge: lower it`),
];

/** Each fare with each class that most fares have, and the classes after it: some have no fares for the largest. */
function commonClasses({ catalog: { fares, vehicleClasses } }: Audited) {
  const ids = vehicleClasses.map(({ id }) => id);
  return ids
    .map((id, n) => ({
      ...{ vehicleClass: id, larger: ids.slice(n + 1) },
      siblings: fares.filter(({ rappen }) => id in rappen).length,
    }))
    .filter(({ siblings }) => siblings >= 2 && siblings > fares.length / 2)
    .flatMap((each) => fares.map((fare) => ({ ...each, fare })));
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

function fareRoutes({ catalog: { fares, zones } }: Audited) {
  return fares.flatMap(({ id, routes }) =>
    routes.map((route, n) => {
      return { ...route, path: `${id}.routes.${n}`, isPlace: !zones.some((zone) => zone.id === route.from) };
    }),
  );
}

/** Routes that do not say whether they are for both ways, where most do and no fare is for the other direction. */
function oneWays(audited: Audited) {
  const all = fareRoutes(audited);
  const directions = directionsOf(all);
  const siblings = all.filter(({ bothWays }) => bothWays !== undefined).length;
  const isCovered = ({ from, to }: RuleRoute) => directions.some((each) => each.from === to && each.to === from);
  return siblings < 2 || siblings <= all.length / 2
    ? []
    : all.flatMap((each) => (each.bothWays === undefined && !isCovered(each) ? [{ ...each, siblings }] : []));
}
