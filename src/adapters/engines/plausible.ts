import { crowFliesKm } from "../../domain/places/geo.ts";
import { type RouteStop, sum } from "../../domain/routing/router.ts";
import type { EngineLeg } from "./road-engine.ts";

// Every check of what an engine has measured: by itself, and against the route on the catalog's roads.

/** Legs with a shorter straight line may be shorter than it, since they start and end on the road. */
const SHORTEST_JUDGED_KM = 2;
/** Other legs may be this much shorter than their straight line. */
const SNAP_ALLOWANCE_KM = 0.3;
const GREATEST_DETOUR = 4;
const SLOWEST_KMH = 15;
const FASTEST_KMH = 115;
/** Any leg may be this long, because of one-way streets; a whole journey may exceed its limits by this much. */
const SHORT_KM = 4;
const SHORT_MINUTES = 12;

interface Stretch extends EngineLeg {
  /** Without the names of places, since it is logged. */
  readonly name: string;
  readonly crowKm: number;
}

/**
 * Why a measurement is implausible; `undefined` where it is plausible. With `isDetourKnown` a route may be any number
 * of times as long as its straight line.
 */
export function implausible(
  stops: readonly RouteStop[],
  legs: readonly EngineLeg[],
  isDetourKnown: boolean,
): string | undefined {
  const greatestDetour = isDetourKnown ? Number.POSITIVE_INFINITY : GREATEST_DETOUR;
  if (legs.length !== stops.length - 1) return `${legs.length} legs between ${stops.length} stops`;
  const stretches = legs.map(({ km, minutes }, index): Stretch => {
    const [from, to] = [stops[index], stops[index + 1]];
    return { name: `leg ${index}`, km, minutes, crowKm: from && to ? crowFliesKm(from, to) : 0 };
  });
  const total = (field: "km" | "minutes" | "crowKm") => sum(stretches.map((stretch) => stretch[field]));
  const whole = { name: "all legs together", km: total("km"), minutes: total("minutes"), crowKm: total("crowKm") };
  const refused =
    stretches.find((leg) => !isPlausible(leg, greatestDetour, Math.max)) ??
    [whole].find((each) => !isPlausible(each, greatestDetour, (limit, more) => limit + more));
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

/** Measurements that differ by more than both the share and the kilometers belong to different routes. */
const SAME_ROUTE_SHARE = 0.2;
const SAME_ROUTE_KM = 5;
/** A route that is shorter by more than this share may lead over a closed pass; a smaller difference hardly matters. */
const CLEARLY_SHORTER_SHARE = 0.1;

/** Whether two measurements belong to different routes. */
export function differs(aKm: number, bKm: number): boolean {
  return Math.abs(aKm - bKm) > Math.max(SAME_ROUTE_KM, SAME_ROUTE_SHARE * bKm);
}

/** Whether a route may lead over a closed pass, because it is so much shorter than the open one. */
export function isClearlyShorter(aKm: number, bKm: number): boolean {
  return bKm - aKm > Math.max(SAME_ROUTE_KM, CLEARLY_SHORTER_SHARE * bKm);
}
