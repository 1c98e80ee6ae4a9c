import { PublicError } from "../../contract/errors.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { crowFliesKm } from "../places/geo.ts";
import { isSameStop, SAME_PLACE_KM } from "../routing/leg.ts";
import { type LocatedPoint, stopOf } from "./locate-points.ts";

/** A journey by the points that count. All that is measured, priced and said counts these, not the stated ones. */
export interface RegularJourney {
  /** Origin, stops and destination. The car drives from each to the next, except on a hire without a destination. */
  readonly points: readonly LocatedPoint[];
  /** Requested at the pickup, with the stays at stops there before the car leaves. */
  readonly waitingMinutes: number;
  /** By point: the first point at the same spot, where all stays are one wait. */
  readonly spots: readonly number[];
  /** Whether it leads back to the spot where it starts. */
  readonly isRoundTrip: boolean;
  /** Whether the car never leaves its pickup. */
  readonly staysThere: boolean;
}

/**
 * Makes a journey regular: points that follow each other at the same spot are one, and their stays add up. At the origin
 * they are waiting at the pickup.
 *
 * Two points are the same spot if they are one place by its id or lie within 200 m, however they were written. Only
 * neighbors need more than one id: between two addresses of one town the car drives, and from a car-free place to its
 * car stop the traveler goes on by train.
 */
export function createRegularJourney({ places }: Pick<Catalog, "places">) {
  const byId = new Map(places.map((place) => [place.id, place]));
  // However a place was written, its own position counts.
  const positionOf = ({ carStop }: LocatedPoint) => byId.get(carStop.id ?? "") ?? carStop;
  const isSameSpot = (a: LocatedPoint, b: LocatedPoint) =>
    (a.carStop.id !== null && a.carStop.id === b.carStop.id) ||
    crowFliesKm(positionOf(a), positionOf(b)) <= SAME_PLACE_KM ||
    staysBetween(a, b);

  return (stated: readonly LocatedPoint[], waitingMinutes: number): RegularJourney => {
    const [origin, destination] = endsOf(stated);
    const points = [origin];
    for (const stop of stated.slice(1, -1)) {
      const before = points[points.length - 1] ?? origin;
      if (areNeighborsOne(before, stop)) points[points.length - 1] = withStay(before, stop);
      else points.push(stop);
    }
    const last = points[points.length - 1] ?? origin;
    if (points.length > 1 && areNeighborsOne(last, destination))
      points[points.length - 1] = { ...destination, dwellMinutes: last.dwellMinutes || null };
    else points.push(destination);
    const [start = origin, ...others] = points;
    const isThere = (point: LocatedPoint) => isSameSpot(start, point);
    return {
      points: [{ ...start, dwellMinutes: null }, ...others],
      waitingMinutes: waitingMinutes + (start.dwellMinutes ?? 0),
      spots: points.map((point) => points.findIndex((each) => isSameSpot(each, point))),
      isRoundTrip: isThere(destination) && (staysBetween(start, destination) || !points.every(isThere)),
      staysThere: points.every((point) => staysBetween(start, point)),
    };
  };
}

function areNeighborsOne(a: LocatedPoint, b: LocatedPoint): boolean {
  return staysBetween(a, b) && a.connection?.name === b.connection?.name;
}

/** Whether the car does not move between two points. */
function staysBetween(a: LocatedPoint, b: LocatedPoint): boolean {
  return isSameStop(stopOf(a), stopOf(b));
}

function withStay(point: LocatedPoint, { dwellMinutes }: LocatedPoint): LocatedPoint {
  if (dwellMinutes === null) return point;
  return { ...point, dwellMinutes: (point.dwellMinutes ?? 0) + dwellMinutes };
}

/** The ends of a journey without its stops. */
export function endsOf<Point>(points: readonly Point[]): readonly [Point, Point] {
  const [from, to] = [points[0], points[points.length - 1]];
  if (!from || !to) throw new Error("a journey has two points");
  return [from, to];
}

/** Throws INVALID_LOCATION where a transfer leads nowhere: without distance it would cost the minimum fare. */
export function checkLeadsSomewhere({ points, staysThere }: RegularJourney): void {
  if (!staysThere) return;
  const { name } = endsOf(points)[0].carStop;
  const message = `Same place as origin, ${name}; send another place, or both ends as "lat, lng".`;
  const carFree = points.flatMap(({ connection }) => connection ?? [])[0];
  const onward = carFree ? ` ${carFree.name} is car-free. ${carFree.onward}` : "";
  throw new PublicError("INVALID_LOCATION", `destination: The journey starts and ends at ${name}.${onward}`, {
    fieldErrors: [{ field: "destination", message }],
    nextAction:
      "Ask the traveler where the journey ends; send the coordinates of two addresses in one town, and booking_type hourly for a hire.",
  });
}
