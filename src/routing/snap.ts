import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge, RoadNode } from "../catalog/roads-schema.ts";
import { crowFliesKm, type Position, radians } from "../places/geo.ts";

/** The point of the network nearest to a position. */
export interface Snapped {
  readonly edge: RoadEdge;
  /** How far along the edge from its `from` end, 0 to 1. */
  readonly along: number;
  /** Between the position and the road, as the crow flies. */
  readonly crowFliesKm: number;
}

/** Finds the nearest point of an open edge, as if edges were straight; `undefined` where nothing is open. */
export type SnapToRoad = (position: Position, isOpen: (edge: RoadEdge) => boolean) => Snapped | undefined;

interface Stretch {
  readonly edge: RoadEdge;
  readonly from: RoadNode;
  readonly to: RoadNode;
  readonly south: number;
  readonly north: number;
}

/** Ignores car trains and tunnels. */
export function createSnapToRoad({ nodes, edges }: Pick<RoadData, "nodes" | "edges">): SnapToRoad {
  // Built when first needed: places are attached to nodes, and only bare positions are snapped.
  let stretches: readonly Stretch[] | undefined;

  return (position, isOpen) => {
    stretches ??= stretchesOf();
    // Over a few kilometers the earth is flat enough; a degree of longitude is shorter by the cosine.
    const shrink = Math.cos(radians(position.lat));
    let best: { stretch: Stretch; along: number; squared: number } | undefined;
    for (const stretch of stretches) {
      const { edge, from, to, south, north } = stretch;
      // Most roads lie farther north or south than the nearest one so far.
      const beside = Math.max(south - position.lat, position.lat - north, 0);
      if (best && beside * beside >= best.squared) continue;
      const x = (to.lng - from.lng) * shrink;
      const y = to.lat - from.lat;
      const px = (position.lng - from.lng) * shrink;
      const py = position.lat - from.lat;
      const length = x * x + y * y;
      const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * x + py * y) / length));
      const squared = (px - along * x) ** 2 + (py - along * y) ** 2;
      if ((!best || squared < best.squared) && isOpen(edge)) best = { stretch, along, squared };
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
      .map((edge) => stretchOf(edge, endOf(edge.from), endOf(edge.to)));
  }

  function stretchOf(edge: RoadEdge, from: RoadNode, to: RoadNode): Stretch {
    return { edge, from, to, south: Math.min(from.lat, to.lat), north: Math.max(from.lat, to.lat) };
  }

  function endOf(id: string): RoadNode {
    const node = nodes.get(id);
    if (!node) throw new Error(`There is no node ${id}.`);
    return node;
  }
}
