import type { RoadEdge } from "../catalog/roads-schema.ts";
import { type Notice, notice } from "../contract/notices.ts";
import { crowFliesKm } from "../places/geo.ts";
import type { Anchor } from "./anchor.ts";
import type { RouteStop } from "./router.ts";
import type { SeasonalRoad } from "./seasons.ts";

/** A longer last stretch needs manual confirmation. */
const DOUBTFUL_STRETCH_KM = 3;
/** So does a leg so many times as long as the crow flies, unless it is short: a road may be missing from the data. */
const DOUBTFUL_DETOUR = 3.5;
const SHORT_HOP_KM = 3;

/** Reasons to check where a stop joins the network. */
export function anchorDoubts({ snapped, closedRoad }: Anchor, stop?: RouteStop): readonly Notice[] {
  const place = stop?.name ?? "";
  const closed = closedRoad ? [notice("ROAD_CLOSED", { place, name: closedRoad.name ?? "a road" })] : [];
  if (!snapped || snapped.crowFliesKm <= DOUBTFUL_STRETCH_KM) return closed;
  return [...closed, notice("OFF_THE_ROADS", { place, km: snapped.crowFliesKm.toFixed(1) })];
}

export function detourDoubts(km: number, from?: RouteStop, to?: RouteStop): readonly Notice[] {
  if (!from || !to) return [];
  const direct = crowFliesKm(from, to);
  if (direct < SHORT_HOP_KM || km <= direct * DOUBTFUL_DETOUR) return [];
  return [notice("LONG_DETOUR", { from: from.name, to: to.name, times: (km / direct).toFixed(1) })];
}

export function carTrainDoubts({ carTrain, name = "car train" }: RoadEdge): readonly Notice[] {
  return carTrain?.byArrangement ? [notice("TRAIN_BY_ARRANGEMENT", { name })] : [];
}

/** Near its usual opening or closing it is not known whether a pass on the route will be open. */
export function seasonDoubts({ name, closedFrom: from, closedTo: to, isUncertain }: SeasonalRoad): readonly Notice[] {
  return isUncertain ? [notice("PASS_UNCERTAIN", { name, from, to })] : [];
}

/** Nor whether one would be that the route avoids. */
export function seasonNotes({ name, closedFrom: from, closedTo: to, isUncertain }: SeasonalRoad): readonly Notice[] {
  return isUncertain ? [notice("PASS_AVOIDED", { name, from, to })] : [];
}
