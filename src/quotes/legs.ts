import type { Catalog } from "../catalog/catalog.ts";
import { PublicError } from "../contract/errors.ts";
import { crowFliesKm } from "../places/geo.ts";
import type { Place } from "../places/place-finder.ts";
import type { Zones } from "../places/zones.ts";
import type { PriceLine } from "../pricing/price.ts";
import { type LegEnds, type MeasuredLeg, type PricedLeg, type PriceRules, pricedLeg } from "../pricing/priced-leg.ts";
import { isSameStop, SAME_PLACE_KM } from "../routing/leg.ts";
import type { MeasuredRoute, RouteAuthority, Router } from "../routing/router.ts";
import { type LocatedPoint, stopOf } from "./locate-points.ts";
import type { Journey, PricedJourney } from "./quote.ts";
import type { PricedCall } from "./quoting.ts";

interface LegFacts {
  readonly route: MeasuredRoute;
  readonly points: readonly LocatedPoint[];
  readonly pickupAt: Date;
  readonly waitingMinutes: number;
  /** `null` for a transfer. */
  readonly hireHours: number | null;
}

/** The ends of a journey, by the ids that rules of the catalog use. */
export function endsOf(points: readonly LocatedPoint[], zones: Zones): LegEnds {
  const [from = null, to = null] = [points[0], points[points.length - 1]].map((point) => point?.place ?? null);
  const endAt = (place: Place | null) => ({
    placeId: place?.id ?? null,
    partOf: place?.partOf,
    zoneIds: place ? zones.of(place) : [],
  });
  return { from: endAt(from), to: endAt(to) };
}

/** One direction of a journey, ready to be priced. */
export function legOf(catalog: PriceRules, zones: Zones, facts: LegFacts): PricedLeg {
  const { route, points, pickupAt, waitingMinutes, hireHours } = facts;
  const [from, to] = [points[0], points[points.length - 1]];
  const between = points.slice(1, -1);
  const isRoundTrip = from !== undefined && to !== undefined && isOnePlace(from, to);
  return pricedLeg(
    catalog,
    {
      pickupAt,
      ends: endsOf(points, zones),
      distanceKm: route.distanceKm,
      drivingMinutes: route.durationMinutes,
      fees: feesOf(route),
      waits: waitsOf(points, waitingMinutes),
      hasStops: between.some((stop) => ![from, to].some((end) => end && isOnePlace(stop, end))),
      isRoundTrip,
    },
    hireHours,
  );
}

function feesOf({ feesRappen, carTrainsRappen }: MeasuredRoute): readonly PriceLine[] {
  return [
    { label: "Car train", code: "train", rappen: carTrainsRappen },
    { label: "Tolls", code: "tolls", rappen: feesRappen - carTrainsRappen },
  ];
}

/**
 * Returns the catalog ids of a journey: its published corridor, if it has no stops, and the place or zone at each end
 * and stop. For an address or a position this is the place where the car stops, otherwise the zone that contains it.
 */
export function createListedEnds({ corridorsByEnds }: Pick<Catalog, "corridorsByEnds">, zones: Zones) {
  return (points: readonly LocatedPoint[], { from, to }: LegEnds): PricedJourney["ends"] => ({
    corridor: (points.length === 2 && corridorsByEnds.get(`${from.placeId} ${to.placeId}`)?.key) || null,
    origin: listedEnd(points[0], from),
    destination: listedEnd(points[points.length - 1], to),
    stops: points.slice(1, -1).map(({ place, carStop }) => place.id ?? carStop.id ?? zones.of(place)[0] ?? null),
  });
}

function listedEnd(point: LocatedPoint | undefined, { placeId, zoneIds }: LegEnds["from"]): string | null {
  return placeId ?? point?.carStop.id ?? zoneIds[0] ?? null;
}

/**
 * Waiting at the pickup, then dwell at each stop. Consecutive points at one place count as one wait, so that splitting
 * a wait does not multiply its free minutes.
 */
function waitsOf(points: readonly LocatedPoint[], waitingMinutes: number): MeasuredLeg["waits"] {
  const waits: MeasuredLeg["waits"][number][] = [];
  points.slice(0, -1).forEach((point, index) => {
    const previous = points[index - 1];
    const before = previous && isOnePlace(previous, point) ? waits.pop() : undefined;
    const minutes = previous ? (point.dwellMinutes ?? 0) : waitingMinutes;
    waits.push({
      minutes: (before?.minutes ?? 0) + minutes,
      atAirport: before?.atAirport || point.place.kind === "airport",
    });
  });
  return waits;
}

/** A place and a position in it are one, as are a car-free place and its car stop; two positions in a town are not. */
function isOnePlace(a: LocatedPoint, b: LocatedPoint): boolean {
  if (crowFliesKm(a.carStop, b.carStop) <= SAME_PLACE_KM) return true;
  const isSpot = a.place.kind === "airport" || !a.place.isPosition || !b.place.isPosition;
  return a.place.id !== null && a.place.id === b.place.id && isSpot;
}

type CallerMetrics = Journey["callerMetrics"];

/** Measures the route between the points; the caller's own metrics replace the measured ones. */
export async function measure(
  router: Router,
  points: readonly LocatedPoint[],
  departure: Date,
  caller: CallerMetrics,
  { signal, observe }: PricedCall,
): Promise<MeasuredRoute> {
  if (isFullyStated(caller)) {
    const { distanceKm, durationMinutes } = caller;
    const { dataVersion } = router;
    return { distanceKm, durationMinutes, feesRappen: 0, carTrainsRappen: 0, notes: [], doubts: [], dataVersion };
  }
  const stops = points.map((point) => ({ field: point.field, dwellMinutes: point.dwellMinutes, ...stopOf(point) }));
  const measured = await observe("routing", () => router.measure(stops, departure, signal));
  if (!caller) return measured;
  return {
    ...measured,
    distanceKm: caller.distanceKm ?? measured.distanceKm,
    durationMinutes: caller.durationMinutes ?? measured.durationMinutes,
  };
}

/** Whether the caller states both metrics, so that nothing is measured. */
export function isFullyStated(
  caller: CallerMetrics,
): caller is { readonly distanceKm: number; readonly durationMinutes: number } {
  return caller !== null && caller.distanceKm !== null && caller.durationMinutes !== null;
}

export function authorityOf(caller: CallerMetrics): RouteAuthority {
  const isStated = caller !== null && (caller.distanceKm !== null || caller.durationMinutes !== null);
  return isStated ? "CLIENT_PROVIDED" : "SERVER_VERIFIED";
}

/** Throws INVALID_LOCATION if all points are one place: a transfer without distance would cost the minimum fare. */
export function checkEnds(points: readonly LocatedPoint[]): void {
  const [origin, ...others] = points;
  if (!origin || others.some((point) => !isSameStop(stopOf(origin), stopOf(point)))) return;
  const { name } = origin.carStop;
  throw new PublicError("INVALID_LOCATION", `destination: The journey starts and ends at ${name}.`, {
    fieldErrors: [
      {
        field: "destination",
        message: `Same place as origin, ${name}; send another place, or both ends as "lat, lng".`,
      },
    ],
    nextAction:
      "Ask the traveler where the journey ends; send the coordinates of two addresses in one town, and booking_type hourly for a hire.",
  });
}

/** Returns the VAT that prices of a journey include, in percent; `null` across a border or if the tariff has no VAT. */
export function createVatOf({ tariff: { vat }, places }: Pick<Catalog, "tariff" | "places">) {
  const countries = new Map(places.map(({ id, country }) => [id, country]));

  return (points: readonly LocatedPoint[]): number | null =>
    vat && points.every(({ place }) => countryOf(place) === vat.country) ? vat.percent : null;

  /** A position outside of every place is in the country of the nearest one. */
  function countryOf(place: Place): string | undefined {
    if (place.id !== null) return countries.get(place.id);
    const nearest = places.reduce((best, each) => (crowFliesKm(place, each) < crowFliesKm(place, best) ? each : best));
    return nearest.country;
  }
}
