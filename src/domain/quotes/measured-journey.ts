import { PublicError } from "../../contract/errors.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { crowFliesKm } from "../places/geo.ts";
import { createZones } from "../places/zones.ts";
import type { LeastJourney } from "../pricing/price.ts";
import {
  type MeasuredDirection,
  type PricedDirection,
  type PriceRules,
  pricedDirection,
  type RulePoint,
} from "../pricing/priced-direction.ts";
import { SAME_PLACE_KM } from "../routing/leg.ts";
import type { MeasuredRoute, Router } from "../routing/router.ts";
import { type LocatedPoint, stopOf } from "./locate-points.ts";
import type { Journey } from "./quote.ts";
import type { PricedCall } from "./quoting.ts";

/** One direction of a journey, as driven. */
export interface Driven {
  readonly route: MeasuredRoute;
  /** The ways with fewer of the stops, first that without any; empty where there are none that are open. */
  readonly shorter: readonly Pick<Driven, "route" | "points">[];
  readonly points: readonly LocatedPoint[];
  readonly pickupAt: Date;
  readonly waitingMinutes: number;
  /** `null` for a transfer. */
  readonly hireHours: number | null;
}

export function isOneSpot(a: LocatedPoint, b: LocatedPoint): boolean {
  return crowFliesKm(a.carStop, b.carStop) <= SAME_PLACE_KM;
}

/** Prepares directions for pricing: their points by the ids of the catalog, and what the driver waits where. */
export function createDirections(catalog: Pick<Catalog, "zones" | "places">) {
  const zones = createZones(catalog);
  const byId = new Map(catalog.places.map((place) => [place.id, place]));

  // However a place was written, its own position counts.
  const positionOf = ({ carStop }: LocatedPoint) => byId.get(carStop.id ?? "") ?? carStop;
  /** Whether two points are one place: a place and a position in it are, and a car-free place and its car stop. */
  const isOnePlace = (a: LocatedPoint, b: LocatedPoint) =>
    (a.carStop.id !== null && a.carStop.id === b.carStop.id) ||
    crowFliesKm(positionOf(a), positionOf(b)) <= SAME_PLACE_KM;

  return { rulePoints, priced, atLeast };

  function rulePoints(points: readonly LocatedPoint[]): readonly RulePoint[] {
    return points.map(({ place }) => ({ placeId: place.id, partOf: place.partOf, zoneIds: zones.of(place) }));
  }

  function priced(rules: PriceRules, driven: Driven): PricedDirection {
    const { route, shorter, points, pickupAt, waitingMinutes, hireHours } = driven;
    const [from, to] = endsOf(points);
    const measured = {
      pickupAt,
      points: rulePoints(points),
      distanceKm: route.distanceKm,
      directKm: shorter[0]?.points.length === 2 ? shorter[0].route.distanceKm : 0,
      drivingMinutes: route.durationMinutes,
      ...feesOf(route),
      waits: waitsOf(points, waitingMinutes),
      hasStops: points.slice(1, -1).some((stop) => !isOneSpot(stop, from) && !isOneSpot(stop, to)),
      isRoundTrip: isOnePlace(from, to),
    };
    return pricedDirection(rules, measured, hireHours);
  }

  /** The journeys that one with these directions costs at least as much as. */
  function atLeast(rules: PriceRules, driven: Driven, outbound: PricedDirection): readonly LeastJourney[] {
    const isHire = driven.hireHours !== null;
    const without = driven.shorter.map((way) => priced(rules, { ...driven, ...way, shorter: [] }));
    const transfers = isHire && !outbound.isRoundTrip ? [outbound, ...without] : [];
    return [
      ...without.map((each) => ({ code: "stops_minimum" as const, outbound: each, isHire })),
      ...transfers.map((each) => ({ code: "transfer_minimum" as const, outbound: each, isHire: false })),
      ...(outbound.hasStops ? partsOf(rules, driven) : []),
    ];
  }

  /** The parts of a journey with stops that have a fixed fare. */
  function partsOf(rules: PriceRules, { route, points, pickupAt }: Driven): readonly LeastJourney[] {
    const ids = rulePoints(points);
    // The way of a part is not measured; its tolls and car trains are among those of the whole.
    const unmeasured = { distanceKm: 0, directKm: 0, drivingMinutes: 0, ...feesOf(route), waits: [] };
    const part = { ...unmeasured, pickupAt, hasStops: false, isRoundTrip: false };
    return ids.flatMap((from, start) =>
      ids.slice(start + 1).flatMap((to) => {
        const outbound = pricedDirection(rules, { ...part, points: [from, to] });
        return outbound.fares.length > 0 ? [{ code: "part_minimum" as const, outbound, isHire: false }] : [];
      }),
    );
  }

  /**
   * Waiting at the pickup, then the stays at each other place. All stays at one place count as one, so that splitting a
   * stay does not multiply its free minutes.
   */
  function waitsOf(points: readonly LocatedPoint[], waitingMinutes: number): MeasuredDirection["waits"] {
    const waits: { minutes: number; atAirport: boolean; hasStays: boolean; readonly at: LocatedPoint }[] = [];
    points.slice(0, -1).forEach((point, index) => {
      const minutes = index === 0 ? waitingMinutes : (point.dwellMinutes ?? 0);
      const atAirport = point.place.kind === "airport";
      const same = waits.find(({ at }) => isOnePlace(at, point));
      if (!same) {
        waits.push({ minutes, atAirport, hasStays: index > 0, at: point });
        return;
      }
      same.minutes += minutes;
      same.atAirport ||= atAirport;
      same.hasStays ||= minutes > 0;
    });
    return waits.map(({ at: _, ...wait }) => wait);
  }
}

function feesOf({ carTrainsRappen, feesRappen }: MeasuredRoute) {
  return { trainsRappen: carTrainsRappen, tollsRappen: feesRappen - carTrainsRappen };
}

export function dwellOf(points: readonly LocatedPoint[]): number {
  return points.reduce((minutes, { dwellMinutes }) => minutes + (dwellMinutes ?? 0), 0);
}

/** The ends of a journey without its stops. */
export function endsOf(points: readonly LocatedPoint[]): readonly [LocatedPoint, LocatedPoint] {
  const [from, to] = [points[0], points[points.length - 1]];
  if (!from || !to) throw new Error("a journey has two points");
  return [from, to];
}

/** With more stops, the ways with some of them are not compared. */
const MOST_COMPARED_STOPS = 3;

/** Measures the ways with fewer stops, which are the least that a journey with stops is charged. */
export async function measureShorter(
  points: readonly LocatedPoint[],
  callerMetrics: CallerMetrics,
  measureAlong: (points: readonly LocatedPoint[]) => ReturnType<Measure>,
): Promise<Driven["shorter"]> {
  const [from, to] = endsOf(points);
  const stops = points.slice(1, -1);
  if (callerMetrics?.distanceKm) return [];
  const selections = stops.length <= MOST_COMPARED_STOPS ? someOf(stops) : [[]];
  const ways = selections
    .filter((some) => some.length < stops.length && (some.length > 0 || !isOneSpot(from, to)))
    .map((some) => [from, ...some, to]);
  const measured = ways.map(async (points) => ({ points, route: await measureAlong(points).catch(unlessClosed) }));
  return (await Promise.all(measured)).flatMap(({ points, route }) => (route ? [{ points, route }] : []));
}

/** Every selection of the items, the smallest first. */
function someOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const all: (readonly T[])[] = [[]];
  for (const item of items) all.push(...all.map((some) => [...some, item]));
  return all.sort((a, b) => a.length - b.length);
}

function unlessClosed(error: unknown): undefined {
  if (error instanceof PublicError && error.code === "UNSUPPORTED_ROUTE") return undefined;
  throw error;
}

type CallerMetrics = Journey["callerMetrics"];

/** Measures the route between the points; the caller's own metrics replace the measured ones. */
export type Measure = (points: readonly LocatedPoint[], departure: Date) => Promise<MeasuredRoute>;

export function createMeasure(router: Router, caller: CallerMetrics, { signal, observe }: PricedCall): Measure {
  return async (points, departure) => {
    if (isFullyStated(caller)) {
      const nothing = { feesRappen: 0, carTrainsRappen: 0, notes: [], doubts: [] };
      return { ...caller, ...nothing, dataVersion: router.dataVersion };
    }
    const stops = points.map((point) => ({ field: point.field, dwellMinutes: point.dwellMinutes, ...stopOf(point) }));
    const measured = await observe("routing", () => router.measure(stops, departure, signal));
    if (!caller) return measured;
    return {
      ...measured,
      distanceKm: caller.distanceKm ?? measured.distanceKm,
      durationMinutes: caller.durationMinutes ?? measured.durationMinutes,
    };
  };
}

/** Whether the caller states both metrics, so that nothing is measured. */
export function isFullyStated(caller: CallerMetrics): caller is Record<"distanceKm" | "durationMinutes", number> {
  return caller !== null && caller.distanceKm !== null && caller.durationMinutes !== null;
}

/** Whether the caller states at least one. */
export function isStated(caller: CallerMetrics): boolean {
  return caller !== null && (caller.distanceKm !== null || caller.durationMinutes !== null);
}
