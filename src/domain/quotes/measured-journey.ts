import type { Catalog } from "../catalog/catalog.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import type { PlaceFinder } from "../places/place-finder.ts";
import { createZones } from "../places/zones.ts";
import { chargedKm } from "../pricing/charge.ts";
import { dearestWay, type Way, type Ways } from "../pricing/dearest-way.ts";
import {
  type MeasuredDirection,
  type PricedDirection,
  type PriceRules,
  pricedDirection,
  type RulePoint,
} from "../pricing/priced-direction.ts";
import { type MeasuredRoute, type Router, unlessClosed } from "../routing/router.ts";
import { minutesAfter } from "../routing/timetable.ts";
import { type LocatedPoint, stopOf } from "./locate-points.ts";
import type { Journey, PricedJourney } from "./quote.ts";
import type { RegularJourney } from "./regular-journey.ts";

/** The call for which a journey is priced. */
export interface PricedCall {
  /** Aborts pricing. */
  readonly signal: AbortSignal;
  readonly observe: <A>(stage: "places" | "routing" | "pricing", task: () => A) => A;
  readonly places: PlaceFinder;
  /** The client that the caller's token was issued to. */
  readonly client?: string | undefined;
  /** Gets what returns the ends of the journey, once its places are known, also if it cannot be priced. */
  readonly onAsked?: ((ends: () => PricedJourney["ends"]) => void) | undefined;
}

/** One direction of a journey, as driven. */
export interface Driven extends RegularJourney {
  readonly direction: "outbound" | "return";
  readonly route: ChargedRoute;
  /** The ways between any two of the points; empty without stops, and where the caller stated the metrics. */
  readonly ways: Ways;
  readonly pickupAt: Date;
  /** `null` for a transfer. */
  readonly hireHours: number | null;
}

/** Prepares directions for pricing: their points by the ids of the catalog, and what the driver waits where. */
export function createDirections(catalog: Pick<Catalog, "zones" | "places">) {
  const zones = createZones(catalog);

  return { rulePointsOf, priced, parts };

  function rulePointsOf(points: readonly LocatedPoint[]): readonly RulePoint[] {
    return points.map(({ place }) => ({ placeId: place.id, partOf: place.partOf, zoneIds: zones.of(place) }));
  }

  function priced(rules: PriceRules, driven: Driven): PricedDirection {
    const { route, ways, points, pickupAt, waitingMinutes, hireHours, isRoundTrip, staysThere } = driven;
    const measured = {
      ...{ pickupAt, departsAt: minutesAfter(pickupAt, waitingMinutes), ways, isRoundTrip, staysThere },
      points: rulePointsOf(points),
      ...wayOf(route),
      distanceKm: route.freeKm > 0 ? chargedKm(wayOf(route).distanceKm) : route.distanceKm,
      freeKm: route.freeKm,
      drivingMinutes: route.durationMinutes,
      waits: waitsOf(driven),
      isDetour: isFarLonger(route),
      keepsFixedFare: !isFarLonger(route) && (points.length === 2 || isOnTheWay(driven)),
    };
    return pricedDirection(rules, measured, hireHours);
  }

  /** The parts of a journey with stops, as transfers of their own, that may cost more than the whole. */
  function parts(
    rules: PriceRules,
    { points, ways, pickupAt, route }: Driven,
    { keepsFixedFare, surcharges }: PricedDirection,
  ): readonly PricedDirection[] {
    if (points.length === 2) return [];
    // Otherwise no kilometers of a part cost more than those of the whole.
    const isAnyDearer = keepsFixedFare || surcharges.some(({ percent }) => percent < 0);
    const rulePoints = rulePointsOf(points);
    const transfer = { pickupAt, ways: [], waits: [], isRoundTrip: false, staysThere: false };
    return rulePoints.flatMap((from, start) =>
      rulePoints.slice(start + 1).flatMap((to, index) => {
        // Where nothing was measured, the fixed fare and the fees of the whole way are known.
        const way = ways[start]?.[start + 1 + index] ?? { ...wayOf(route), distanceKm: 0, drivingMinutes: 0 };
        const ofPart = { points: [from, to], isDetour: isFarLonger(way), keepsFixedFare: !isFarLonger(way) };
        const part = pricedDirection(rules, { ...transfer, ...way, ...ofPart });
        return isAnyDearer || part.fares.length > 0 ? [part] : [];
      }),
    );
  }
}

/** How much longer than the direct way one with stops may be for them to be on it. */
const ON_THE_WAY = { share: 0.03, km: 3 };

/** Whether the stops are on the direct way: no way over some of them is much longer, so that another one keeps it so. */
function isOnTheWay({ ways, route }: Driven): boolean {
  const directKm = ways[0]?.at(-1)?.distanceKm ?? 0;
  const longestKm = dearestWay(ways, ({ distanceKm }) => distanceKm)?.distanceKm ?? Number.POSITIVE_INFINITY;
  const longerKm = Math.max(longestKm, wayOf(route).distanceKm) - directKm;
  return longerKm <= Math.min(ON_THE_WAY.share * directKm, ON_THE_WAY.km);
}

/** How much longer than the usual way one may be for a fixed fare to apply to it. */
const FAR_LONGER = { share: 0.5, km: 10 };

/** Whether roads are closed, or trains do not run, so that the way is far longer than the one that a fixed fare is for. */
function isFarLonger({ distanceKm, usualKm = distanceKm }: Pick<ChargedRoute, "distanceKm" | "usualKm">): boolean {
  return distanceKm - usualKm > Math.max(FAR_LONGER.share * usualKm, FAR_LONGER.km);
}

/** Waiting at the pickup, then the stays at each other spot: splitting a stay does not multiply its free minutes. */
function waitsOf({ points, spots, waitingMinutes }: RegularJourney): MeasuredDirection["waits"] {
  return points.flatMap(({ carStop }, spot) => {
    if (spots[spot] !== spot) return [];
    const here = points.filter((_, index) => spots[index] === spot);
    const stayMinutes = dwellOf(here);
    return {
      minutes: stayMinutes + (spot === 0 ? waitingMinutes : 0),
      atAirport: here.some(({ place }) => place.kind === "airport"),
      hasStays: stayMinutes > 0,
      place: carStop.name,
    };
  });
}

export function dwellOf(points: readonly LocatedPoint[]): number {
  return points.reduce((minutes, { dwellMinutes }) => minutes + (dwellMinutes ?? 0), 0);
}

function wayOf({
  exact,
  distanceKm,
  freeKm,
  durationMinutes,
  feesRappen,
  carTrainsRappen,
  usualKm,
}: ChargedRoute): Way {
  return {
    ...(usualKm !== undefined && { usualKm }),
    distanceKm: (exact?.km ?? distanceKm) - freeKm,
    drivingMinutes: exact?.minutes ?? durationMinutes,
    trainsRappen: carTrainsRappen,
    tollsRappen: feesRappen - carTrainsRappen,
  };
}

type CallerMetrics = Journey["callerMetrics"];

/** A measured route, and how many of its kilometers on car trains the tariff does not charge. */
export interface ChargedRoute extends MeasuredRoute {
  readonly freeKm: number;
}

/** Measures the route between the points; the caller's own metrics replace the measured ones. */
export type Measure = (points: readonly LocatedPoint[], departure: Date) => Promise<ChargedRoute>;

/**
 * Measures the ways between any two points of a journey with stops, each at the time when the car leaves the first of
 * the two; none where the caller stated the metrics.
 *
 * A quote costs one measurement, and another one for a return. The pickup of an `arrive_by` mostly takes three
 * (`pickupToArrive`), and a pickup at most five more where what is charged may change within its free waiting
 * (`leaveByNotices`). With n points a quote costs n(n-1)/2 more, because the dearest of all selections of the stops is
 * the least that is charged: of ten stops there are 1,024, between twelve points there are 66 ways. All from one point
 * are measured at once and share a search; an engine is asked for each of them, and its answers are cached.
 */
export async function measureWays(
  points: readonly LocatedPoint[],
  leavesAt: Date,
  callerMetrics: CallerMetrics,
  measure: Measure,
): Promise<Ways> {
  if (points.length === 2 || callerMetrics) return [];
  const ways: (readonly (Way | undefined)[])[] = [];
  let departure = leavesAt;
  for (const [index, point] of points.entries()) {
    const from = { ...point, dwellMinutes: null };
    const later = points.slice(index + 1);
    const row = await Promise.all(later.map((to) => measure([from, to], departure).then(wayOf, unlessClosed)));
    ways.push([...points.slice(0, index + 1).map(() => undefined), ...row]);
    departure = minutesAfter(departure, (row[0]?.drivingMinutes ?? 0) + (points[index + 1]?.dwellMinutes ?? 0));
  }
  return ways;
}

export function createMeasure(
  router: Router,
  { trainKilometers }: Pick<Tariff, "trainKilometers">,
  caller: CallerMetrics,
  { signal, observe }: PricedCall,
): Measure {
  return async (points, departure) => {
    if (isFullyStated(caller)) {
      const nothing = { feesRappen: 0, carTrainsRappen: 0, carTrainKm: 0, freeKm: 0, notes: [], doubts: [] };
      return { ...caller, ...nothing, dataVersion: router.dataVersion };
    }
    const stops = points.map((point) => ({ field: point.field, dwellMinutes: point.dwellMinutes, ...stopOf(point) }));
    const measured = await observe("routing", () => router.measure(stops, departure, signal));
    if (!caller) return { ...measured, freeKm: trainKilometers === "free" ? measured.carTrainKm : 0 };
    // The caller's own way may be another one.
    const { via: _, usualKm, ...others } = measured;
    return {
      ...others,
      ...(caller.distanceKm === null && usualKm !== undefined && { usualKm }),
      freeKm: 0,
      distanceKm: caller.distanceKm ?? measured.distanceKm,
      durationMinutes: caller.durationMinutes ?? measured.durationMinutes,
    };
  };
}

/** Whether the caller states both metrics, so that nothing is measured. */
export function isFullyStated(caller: CallerMetrics): caller is Record<"distanceKm" | "durationMinutes", number> {
  return caller !== null && caller.distanceKm !== null && caller.durationMinutes !== null;
}
