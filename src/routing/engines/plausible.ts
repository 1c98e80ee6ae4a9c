import { crowFliesKm } from "../../places/geo.ts";
import type { RouteStop } from "../router.ts";
import type { EngineLeg } from "./road-engine.ts";

/** On shorter legs one-way streets and the way to the road say too much. */
const SHORTEST_JUDGED_KM = 2;
/** A leg starts and ends on the road, not at the position. */
const SNAP_ALLOWANCE_KM = 0.3;
const GREATEST_DETOUR = 4;
const SLOWEST_KMH = 15;
const FASTEST_KMH = 115;

/** Why a measurement is not believed, or `undefined` where it is. */
export function implausible(stops: readonly RouteStop[], legs: readonly EngineLeg[]): string | undefined {
  if (legs.length !== stops.length - 1) return `${legs.length} legs between ${stops.length} stops`;
  for (const [index, { km, minutes }] of legs.entries()) {
    const from = stops[index];
    const to = stops[index + 1];
    if (!from || !to) continue;
    const crow = crowFliesKm(from, to);
    const between = `${from.name} to ${to.name}: ${km.toFixed(1)} km in ${minutes.toFixed(0)} min, as the crow flies ${crow.toFixed(1)} km`;
    if (crow > SHORTEST_JUDGED_KM && km + SNAP_ALLOWANCE_KM < crow) return between;
    if (km > GREATEST_DETOUR * Math.max(crow, SHORTEST_JUDGED_KM)) return between;
    const speed = km / (minutes / 60);
    if (km > SHORTEST_JUDGED_KM && !(speed >= SLOWEST_KMH && speed <= FASTEST_KMH)) return between;
  }
  return undefined;
}
