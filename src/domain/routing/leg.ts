import { type Notice, notice } from "../../contract/notices.ts";
import type { RoadData } from "../catalog/catalog.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { crowFliesKm, type Position } from "../places/geo.ts";
import { type Anchor, type Entry, LAST_STRETCH_DETOUR, LAST_STRETCH_KM_PER_MINUTE } from "./anchor.ts";
import type { RoadState } from "./road-graph.ts";
import type { RouteStop } from "./router.ts";
import type { FindTimedPath, TimedPath } from "./timed-path.ts";
import { minutesAfter } from "./timetable.ts";

/** The best route between two neighboring stops. */
export interface Leg extends Pick<TimedPath, "waits" | "avoided"> {
  readonly km: number;
  readonly minutes: number;
  /** The weight by which routes are compared, in minutes (`RoadState.weigh`). */
  readonly weight: number;
  /** `node` is absent where the leg passes no node. */
  readonly start: Pick<Entry, "edge">;
  /** The edges that are driven from node to node, in their order. */
  readonly path: readonly RoadEdge[];
  readonly end: Pick<Entry, "edge">;
  /** For the traveler: how the leg was measured, where that is an assumption. */
  readonly note?: Notice;
}

interface Search {
  readonly state: RoadState;
  readonly findPath: FindTimedPath;
  readonly departure: Date | undefined;
}

/** `undefined` where no open road joins the two. Without a departure, each train has its usual wait. */
export function legBetween(from: Anchor, to: Anchor, { state, findPath, departure }: Search): Leg | undefined {
  const legs = from.entries.flatMap((start) =>
    to.entries.flatMap((end): Leg[] => {
      const path = findPath(start.node, end.node, state, departure && minutesAfter(departure, start.minutes));
      if (!path) return [];
      const km = start.km + path.km + end.km;
      const access = start.minutes + end.minutes;
      const weight = state.weigh(start.km + end.km, access) + path.weight;
      const { edges, waits, avoided } = path;
      return [{ km, minutes: access + path.minutes, weight, start, path: edges, end, waits, avoided }];
    }),
  );
  return [...legs, ...alongOneEdge(from, to, state)].sort((a, b) => a.weight - b.weight)[0];
}

/** The leg between two positions on the same edge, which need not pass either end of it; empty for other positions. */
function alongOneEdge(from: Anchor, to: Anchor, { weigh }: RoadState): readonly Leg[] {
  if (!from.snapped || !to.snapped || from.snapped.edge !== to.snapped.edge) return [];
  const share = Math.abs(from.snapped.along - to.snapped.along);
  const road = from.snapped.edge;
  const stretches = (from.snapped.crowFliesKm + to.snapped.crowFliesKm) * LAST_STRETCH_DETOUR;
  const km = share * road.km + stretches;
  const minutes = share * road.minutes + stretches / LAST_STRETCH_KM_PER_MINUTE;
  const edge = share > 0 ? road : undefined;
  return [{ km, minutes, weight: weigh(km, minutes), start: { edge }, end: { edge }, ...NO_ROADS }];
}

const NO_ROADS = { path: [], waits: new Map(), avoided: [] };

/** A leg on the streets of a town, which the network does not contain. */
export function throughTown({ km, minutes, note }: TownLeg, { weigh }: RoadState): Leg {
  const end = { edge: undefined };
  return { km, minutes, weight: weigh(km, minutes), start: end, end, ...NO_ROADS, note };
}

/** The edges of all legs in their order; an edge that continues after a stop appears once. */
export function roadsOf(legs: readonly Leg[]): readonly RoadEdge[] {
  const [only, another] = legs;
  if (only && !another && !only.start.edge && !only.end.edge) return only.path;
  return legs.flatMap(({ start, path, end }, index) => {
    const isOnIt = start.edge === legs[index - 1]?.end.edge;
    const isAllOfIt = path.length === 0 && start.edge === end.edge;
    return [isOnIt ? undefined : start.edge, ...path, isAllOfIt ? undefined : end.edge].filter(
      (edge) => edge !== undefined,
    );
  });
}

/** Stops that are at most this far apart are one place. */
export const SAME_PLACE_KM = 0.2;
const USUAL_RADIUS_KM = 1;
const KM_PER_DEGREE = 111;

/** A drive between two stops in one town, whose streets the network does not contain. */
export interface TownLeg {
  readonly km: number;
  readonly minutes: number;
  /** Both positions are known; otherwise `km` is at least what the radius of the town gives. */
  readonly isBetweenPositions: boolean;
  readonly note: Notice;
}

/** `undefined` where the stops are not in the same town, or are one place. */
export type LegInTown = (from: RouteStop, to: RouteStop) => TownLeg | undefined;

interface Town extends Position {
  readonly node: string;
  readonly radiusKm: number;
}

/** A town is a node of the network; stops at the node and positions within the radius of the node are in the town. */
export function createLegInTown({ nodes }: Pick<RoadData, "nodes">): LegInTown {
  const towns = [...nodes.values()].flatMap(({ id: node, lat, lng, radiusKm }) =>
    radiusKm === undefined ? [] : [{ node, lat, lng, radiusKm }],
  );

  return (from, to) => {
    const town = townOf(from);
    if (!town || town.node !== townOf(to)?.node || isSameStop(from, to)) return undefined;
    const isBetweenPositions = !from.isAnywhereInTown && !to.isAnywhereInTown;
    const direct = crowFliesKm(from, to);
    const km = (isBetweenPositions ? direct : Math.max(direct, town.radiusKm)) * LAST_STRETCH_DETOUR;
    const note = notice("TOWN_DISTANCE", { from: from.name, to: to.name, km: km.toFixed(1) });
    return { km, minutes: km / LAST_STRETCH_KM_PER_MINUTE, isBetweenPositions, note };
  };

  function townOf(stop: RouteStop): Pick<Town, "node" | "radiusKm"> | undefined {
    const node = stop.roadNode === null ? undefined : nodes.get(stop.roadNode);
    return node ? { node: node.id, radiusKm: node.radiusKm ?? USUAL_RADIUS_KM } : townAt(stop);
  }

  /** The town that contains a position; of several, the one that is nearest in proportion to its radius. */
  function townAt(position: Position): Town | undefined {
    let nearest: { readonly town: Town; readonly share: number } | undefined;
    for (const town of towns) {
      // Most towns are far away: their distance is not worth calculating.
      if (Math.abs(town.lat - position.lat) * KM_PER_DEGREE > town.radiusKm) continue;
      const share = crowFliesKm(town, position) / town.radiusKm;
      if (share <= 1 && (!nearest || share < nearest.share)) nearest = { town, share };
    }
    return nearest?.town;
  }
}

/** Whether two stops are one place. Different addresses of which only the town is known have the same position. */
export function isSameStop(a: RouteStop, b: RouteStop): boolean {
  return a.address === b.address && crowFliesKm(a, b) <= SAME_PLACE_KM;
}
