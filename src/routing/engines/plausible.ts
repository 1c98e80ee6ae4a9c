import { crowFliesKm } from "../../places/geo.ts";
import type { RouteStop } from "../router.ts";
import type { EngineLeg } from "./road-engine.ts";

/** On shorter stretches the access to the road weighs too much. */
const SHORTEST_JUDGED_KM = 2;
/** A leg starts and ends on the road, not at the position. */
const SNAP_ALLOWANCE_KM = 0.3;
const GREATEST_DETOUR = 4;
const SLOWEST_KMH = 15;
const FASTEST_KMH = 115;
/** Accepted of any leg, for its one-way streets, and beyond the limits once in a journey. */
const SHORT_KM = 4;
const SHORT_MINUTES = 12;

interface Stretch extends EngineLeg {
  /** Names neither place, since it is logged. */
  readonly name: string;
  readonly crowKm: number;
}

/**
 * Why a measurement is implausible, or `undefined` where it is not. Around a closed pass a route may be any number of
 * times as long as its straight line.
 */
export function implausible(
  stops: readonly RouteStop[],
  legs: readonly EngineLeg[],
  isDetourKnown = false,
): string | undefined {
  const greatestDetour = isDetourKnown ? Number.POSITIVE_INFINITY : GREATEST_DETOUR;
  if (legs.length !== stops.length - 1) return `${legs.length} legs between ${stops.length} stops`;
  const stretches = legs.map((leg, index) => stretchOf(leg, index, stops));
  const whole = wholeOf(stretches);
  const isWholePlausible = isPlausible(whole, greatestDetour, (limit, more) => limit + more);
  const refused =
    stretches.find((leg) => !isPlausible(leg, greatestDetour, Math.max)) ?? (isWholePlausible ? undefined : whole);
  if (!refused) return undefined;
  const { name, km, minutes, crowKm } = refused;
  return `${name}: ${km.toFixed(1)} km in ${minutes.toFixed(0)} min, as the crow flies ${crowKm.toFixed(1)} km`;
}

function isPlausible(
  { km, minutes, crowKm }: Stretch,
  greatestDetour: number,
  allow: (limit: number, short: number) => number,
): boolean {
  if (crowKm > SHORTEST_JUDGED_KM && km + SNAP_ALLOWANCE_KM < crowKm) return false;
  if (km > allow(greatestDetour * crowKm, SHORT_KM)) return false;
  if (minutes > allow((km / SLOWEST_KMH) * 60, SHORT_MINUTES)) return false;
  return km - SNAP_ALLOWANCE_KM <= FASTEST_KMH * (minutes / 60);
}

function stretchOf({ km, minutes }: EngineLeg, index: number, stops: readonly RouteStop[]): Stretch {
  const [from, to] = [stops[index], stops[index + 1]];
  const crowKm = from && to ? crowFliesKm(from, to) : 0;
  return { name: `leg ${index}`, km, minutes, crowKm };
}

function wholeOf(stretches: readonly Stretch[]): Stretch {
  const whole = { name: "all legs together", km: 0, minutes: 0, crowKm: 0 };
  for (const { km, minutes, crowKm } of stretches) {
    whole.km += km;
    whole.minutes += minutes;
    whole.crowKm += crowKm;
  }
  return whole;
}
