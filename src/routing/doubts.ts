import type { RoadEdge } from "../catalog/roads-schema.ts";
import { crowFliesKm } from "../places/geo.ts";
import type { Anchor } from "./anchor.ts";
import type { RouteStop } from "./router.ts";
import { dayName, type SeasonalRoad } from "./seasons.ts";

/** A longer last stretch needs manual confirmation. */
const DOUBTFUL_STRETCH_KM = 3;
/** So does a leg so many times as long as the crow flies, unless it is short: a road may be missing from the data. */
const DOUBTFUL_DETOUR = 3.5;
const SHORT_HOP_KM = 3;

/** Reasons to check where a stop joins the network. */
export function anchorDoubts({ snapped, closedRoad }: Anchor, stop?: RouteStop): readonly string[] {
  const closed = closedRoad
    ? [`${stop?.name} lies by ${closedRoad.name ?? "a road"}, which is closed at that time.`]
    : [];
  if (!snapped || snapped.crowFliesKm <= DOUBTFUL_STRETCH_KM) return closed;
  return [...closed, `${stop?.name} lies ${snapped.crowFliesKm.toFixed(1)} km from the measured roads.`];
}

export function detourDoubts(km: number, from?: RouteStop, to?: RouteStop): readonly string[] {
  const direct = from && to ? crowFliesKm(from, to) : 0;
  if (direct < SHORT_HOP_KM || km <= direct * DOUBTFUL_DETOUR) return [];
  return [
    `The route from ${from?.name} to ${to?.name} is ${(km / direct).toFixed(1)} times as long as the straight line.`,
  ];
}

export function carTrainDoubts({ carTrain, name }: RoadEdge): readonly string[] {
  return carTrain?.byArrangement ? [`The ${name ?? "car train"} has no timetable and runs by arrangement.`] : [];
}

/** Near its usual opening or closing it is not known whether a pass on the route will be open. */
export function seasonDoubts({ name, closedFrom, closedTo, isUncertain }: SeasonalRoad): readonly string[] {
  if (!isUncertain) return [];
  return [
    `${name} is usually closed from ${dayName(closedFrom)} to ${dayName(closedTo)}; the pickup lies within three weeks of that change.`,
  ];
}

/** Nor whether one would be that the route avoids. */
export function seasonNotes({ name, closedFrom, closedTo, isUncertain }: SeasonalRoad): readonly string[] {
  if (!isUncertain) return [];
  return [
    `${name} is usually closed from ${dayName(closedFrom)} to ${dayName(closedTo)}; within three weeks of that change the route avoids it. If it is open, it may shorten the drive.`,
  ];
}
