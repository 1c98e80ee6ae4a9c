import { PublicError } from "../../contract/errors.ts";
import type { RoadData } from "../catalog/catalog.ts";
import type { RoadEdge, RoadNode } from "../catalog/roads-schema.ts";
import { crowFliesKm, type Position, radians } from "../places/geo.ts";
import type { RoadState } from "./road-graph.ts";
import type { RouteStop } from "./router.ts";

/** The point of the network nearest to a position. */
interface Snapped {
  readonly edge: RoadEdge;
  /** Share of the edge between its `from` end and the point, 0 to 1. */
  readonly along: number;
  /** Straight-line distance between the position and the road. */
  readonly crowFliesKm: number;
}

interface Stretch {
  readonly edge: RoadEdge;
  readonly from: RoadNode;
  readonly to: RoadNode;
  readonly south: number;
  readonly north: number;
}

/**
 * Finds the nearest point on an open road, each edge taken as a straight line, car trains and tunnels left out;
 * `undefined` where no road is open.
 */
function createSnapToRoad({ nodes, edges }: Pick<RoadData, "nodes" | "edges">) {
  // Built on first use: places have a node, so that only other positions are snapped.
  let stretches: readonly Stretch[] | undefined;

  return (position: Position, isOpen: (edge: RoadEdge) => boolean): Snapped | undefined => {
    stretches ??= stretchesOf();
    // The earth is taken as flat: a degree of longitude is shorter than one of latitude by the cosine of the latitude.
    const shrink = Math.cos(radians(position.lat));
    let best: { readonly stretch: Stretch; readonly along: number; readonly degrees: number } | undefined;
    for (const stretch of stretches) {
      const { edge, from, to, south, north } = stretch;
      // Too far north or south. Without it a journey between positions takes twice the CPU time, 9 instead of 4.5 ms
      // where both are new (Node 24).
      if (best && Math.max(south - position.lat, position.lat - north) > best.degrees) continue;
      const x = (to.lng - from.lng) * shrink;
      const y = to.lat - from.lat;
      const px = (position.lng - from.lng) * shrink;
      const py = position.lat - from.lat;
      const length = x * x + y * y;
      const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * x + py * y) / length));
      const degrees = Math.hypot(px - along * x, py - along * y);
      // Roads that meet at a node are equally near: the first one in the data is taken.
      if ((!best || degrees < best.degrees) && isOpen(edge)) best = { stretch, along, degrees };
    }
    if (!best) return undefined;
    const { along } = best;
    const { edge, from, to } = best.stretch;
    const foot = { lat: from.lat + along * (to.lat - from.lat), lng: from.lng + along * (to.lng - from.lng) };
    return { edge, along, crowFliesKm: crowFliesKm(position, foot) };
  };

  function stretchesOf(): readonly Stretch[] {
    return edges
      .filter(({ carTrain, tunnel }) => !carTrain && !tunnel)
      .map((edge) => {
        const [from, to] = [endOf(edge.from), endOf(edge.to)];
        return { edge, from, to, south: Math.min(from.lat, to.lat), north: Math.max(from.lat, to.lat) };
      });
  }

  function endOf(id: string): RoadNode {
    const node = nodes.get(id);
    if (!node) throw new Error(`There is no node ${id}.`);
    return node;
  }
}

/** The access between a position and the road is longer than the straight line and driven slowly. */
export const LAST_STRETCH_DETOUR = 1.4;
export const LAST_STRETCH_KM_PER_MINUTE = 35 / 60;
const FARTHEST_FROM_ROAD_KM = 15;
/** A closed road that is nearer than the open one by more than this is assumed to be the access road. */
const CLEARLY_NEARER_KM = 1;

/** A node where a journey joins or leaves the network, with the distance and time between stop and node. */
export interface Entry {
  readonly node: string;
  readonly km: number;
  readonly minutes: number;
  /** The edge that is driven in part between stop and node; `undefined` where there is none. */
  readonly edge: RoadEdge | undefined;
}

export interface Anchor {
  readonly entries: readonly Entry[];
  /** `undefined` where the stop is a node of the network. */
  readonly snapped: Snapped | undefined;
  /** The access road of the stop, where it is closed. */
  readonly closedRoad: RoadEdge | undefined;
}

/** Puts a stop on the network; throws UNSUPPORTED_ROUTE where no open road is near. */
export function createAnchors(roads: RoadData) {
  const snapToRoad = createSnapToRoad(roads);

  return (stop: RouteStop, state: RoadState): Anchor => {
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
