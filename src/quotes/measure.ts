import type { MeasuredRoute, RouteAuthority, Router } from "../routing/router.ts";
import type { Journey } from "./journey.ts";
import { type LocatedPoint, stopOf } from "./locate-points.ts";
import type { PricedCall } from "./quoting.ts";

type CallerMetrics = Journey["callerMetrics"];

/** Measures the route between the points; metrics that the caller states replace the measured ones. */
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
