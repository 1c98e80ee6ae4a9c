import type { RoadEdge } from "../catalog/roads-schema.ts";
import type { Notice } from "../contract/notices.ts";
import { type Anchor, type Entry, LAST_STRETCH_DETOUR, LAST_STRETCH_KM_PER_MINUTE } from "./anchor.ts";
import type { TownLeg } from "./in-town.ts";
import type { RoadState } from "./road-state.ts";
import type { RoutePath, RouteStop } from "./router.ts";
import type { FindTimedPath, TimedPath } from "./timed-path.ts";
import { minutesAfter } from "./timetable.ts";

/** The best route between two neighboring stops. */
export interface Leg extends Pick<TimedPath, "waits" | "avoided"> {
  readonly km: number;
  readonly minutes: number;
  /** What decides between routes. */
  readonly weight: number;
  /** Without a node where no node is passed. */
  readonly start: Pick<Entry, "edge"> & Partial<Pick<Entry, "node">>;
  /** The roads that are driven from node to node. */
  readonly path: readonly RoadEdge[];
  readonly end: Pick<Entry, "edge">;
  /** A sentence for the traveler about how it was measured. */
  readonly note?: Notice;
}

interface Search {
  readonly state: RoadState;
  readonly findPath: FindTimedPath;
  readonly departure: Date | undefined;
}

/** `undefined` where no open road joins the two; without a departure, as if trains ran at any hour. */
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

/** Two positions on the same stretch of road need not pass either of its ends. */
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

/** On streets that the network does not contain. */
export function throughTown({ km, minutes, note }: TownLeg, { weigh }: RoadState): Leg {
  const end = { edge: undefined };
  return { km, minutes, weight: weigh(km, minutes), start: end, end, ...NO_ROADS, note };
}

/** The roads of all legs in their order; one that a stop lies on counts once before and after it. */
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

export function pathOf(stops: readonly RouteStop[], legs: readonly Leg[]): RoutePath {
  return {
    stops: stops.map(({ name, roadNode, isPosition, lat, lng }) => ({
      name: roadNode === null || isPosition ? "" : name,
      lat: degrees(lat),
      lng: degrees(lng),
    })),
    legs: legs.map(nodesOf),
  };
}

function nodesOf({ start, path }: Leg): string {
  if (start.node === undefined) return "";
  const nodes = [start.node];
  for (const { from, to } of path) nodes.push(nodes[nodes.length - 1] === from ? to : from);
  return nodes.join(" ");
}

/** Rounded to about a meter. */
function degrees(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}
