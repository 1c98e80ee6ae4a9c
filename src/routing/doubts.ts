import type { DateTime } from "luxon";
import { crowFliesKm } from "../places/geo.ts";
import type { Anchor } from "./anchor.ts";
import { isWithin } from "./closure.ts";
import type { RouteStop } from "./router.ts";
import type { RoadEdge } from "./schema.ts";
import { dayName, type SeasonalRoad } from "./seasons.ts";

/** A last stretch beyond this is looked at by a person before money is taken. */
const DOUBTFUL_STRETCH_KM = 3;
/** So is a leg so many times as long as the crow flies, where it is no short hop: a link may be missing. */
const DOUBTFUL_DETOUR = 3.5;
const SHORT_HOP_KM = 3;

/** What makes a stop's way to the network doubtful. */
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
    `The way from ${from?.name} to ${to?.name} is ${(km / direct).toFixed(1)} times as long as the crow flies.`,
  ];
}

/** A car train that somebody has to ask about, or that does not run when the journey reaches it. */
export function carTrainDoubts(
  { carTrain, name = "car train" }: RoadEdge,
  reached: DateTime,
): readonly string[] {
  if (!carTrain) return [];
  const { byArrangement, hours } = carTrain;
  const time = reached.toFormat("HH:mm");
  return [
    ...(byArrangement ? [`The ${name} has no timetable and runs by arrangement.`] : []),
    ...(hours && !isWithin(hours, time)
      ? [`The ${name} runs from ${hours.from} to ${hours.to}; the journey would reach it at ${time}.`]
      : []),
  ];
}

/** Near its usual opening or closing nobody knows whether a pass on the way will be open. */
export function seasonDoubts({ name, closedFrom, closedTo, isUncertain }: SeasonalRoad): readonly string[] {
  if (!isUncertain) return [];
  return [
    `${name} is usually closed from ${dayName(closedFrom)} to ${dayName(closedTo)}; the pickup lies within three weeks of that change.`,
  ];
}
