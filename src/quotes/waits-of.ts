import { crowFliesKm } from "../places/geo.ts";
import type { MeasuredLeg } from "../pricing/priced-leg.ts";
import { SAME_PLACE_KM } from "../routing/in-town.ts";
import type { LocatedPoint } from "./locate-points.ts";

/**
 * Waiting at the pickup and dwell at each stop of the outbound journey, which ends at its last point. Consecutive points
 * at one place are one wait: splitting it must not multiply its free part.
 */
export function waitsOf(points: readonly LocatedPoint[], waitingMinutes: number): MeasuredLeg["waits"] {
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

/** Compares where the car stops: a place, its position and the car-free place above it are one. */
export function isOnePlace(a: LocatedPoint, b: LocatedPoint): boolean {
  return crowFliesKm(a.carStop, b.carStop) <= SAME_PLACE_KM;
}
