import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { PublicError } from "../contract/errors.ts";
import type { RoadState } from "./road-state.ts";
import type { RouteStop } from "./router.ts";
import { createSnapToRoad, type Snapped } from "./snap.ts";

/** The stretch between a position and the network is longer than the crow flies and driven slowly. */
export const LAST_STRETCH_DETOUR = 1.4;
export const LAST_STRETCH_KM_PER_MINUTE = 35 / 60;
const FARTHEST_FROM_ROAD_KM = 15;
/** A closed road so much nearer than the open one is taken for the one that leads there. */
const CLEARLY_NEARER_KM = 1;

/** Where a journey joins or leaves the network, and the access to it. */
export interface Entry {
  readonly node: string;
  readonly km: number;
  readonly minutes: number;
  /** The road that is driven in part between the stop and the node. */
  readonly edge: RoadEdge | undefined;
}

export interface Anchor {
  readonly entries: readonly Entry[];
  /** `undefined` where the stop is a node of the network. */
  readonly snapped: Snapped | undefined;
  /** The road that leads to the stop, where that one is closed. */
  readonly closedRoad: RoadEdge | undefined;
}

/** Puts a stop on the network. Throws UNSUPPORTED_ROUTE where no open road is near. */
export type AnchorOf = (stop: RouteStop, state: RoadState) => Anchor;

export function createAnchors(roads: RoadData): AnchorOf {
  const snapToRoad = createSnapToRoad(roads);

  return (stop, state) => {
    if (stop.roadNode !== null && roads.nodes.has(stop.roadNode)) {
      const entry = { node: stop.roadNode, km: 0, minutes: 0, edge: undefined };
      return { entries: [entry], snapped: undefined, closedRoad: undefined };
    }
    const snapped = snapToRoad(stop, state.isOpen);
    if (!snapped || snapped.crowFliesKm > FARTHEST_FROM_ROAD_KM) {
      throw new PublicError(
        "UNSUPPORTED_ROUTE",
        `${stop.name} lies more than ${FARTHEST_FROM_ROAD_KM} km from a road that is served.`,
      );
    }
    return { entries: entriesOf(snapped), snapped, closedRoad: closedRoadAt(stop, snapped) };
  };

  function closedRoadAt(stop: RouteStop, open: Snapped): RoadEdge | undefined {
    if (open.crowFliesKm <= CLEARLY_NEARER_KM) return undefined;
    const nearest = snapToRoad(stop, () => true);
    const isNearer = nearest && nearest.crowFliesKm + CLEARLY_NEARER_KM < open.crowFliesKm;
    return isNearer ? nearest.edge : undefined;
  }
}

function entriesOf({ edge, along, crowFliesKm }: Snapped): readonly Entry[] {
  const km = crowFliesKm * LAST_STRETCH_DETOUR;
  const minutes = km / LAST_STRETCH_KM_PER_MINUTE;
  const entry = (node: string, share: number): Entry => ({
    node,
    km: km + share * edge.km,
    minutes: minutes + share * edge.minutes,
    edge: share > 0 ? edge : undefined,
  });
  return [entry(edge.from, along), entry(edge.to, 1 - along)];
}
