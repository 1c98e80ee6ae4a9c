import { crowFliesKm, type Position, radians } from "../places/geo.ts";
import type { RoadData } from "./load-roads.ts";
import type { RoadEdge } from "./schema.ts";

/** The point of the network nearest to a position. */
export interface Snapped {
  readonly edge: RoadEdge;
  /** How far along the edge from its `from` end, 0 to 1. */
  readonly along: number;
  /** Between the position and the road, as the crow flies. */
  readonly crowFliesKm: number;
}

/** Finds the nearest point of an edge, as if edges were straight; car trains and closed roads do not count. */
export function snapToRoad(
  roads: RoadData,
  position: Position,
  isOpen: (edge: RoadEdge) => boolean,
): Snapped | undefined {
  // On the few kilometres that matter the earth is flat, and a degree of longitude shorter by the cosine.
  const shrink = Math.cos(radians(position.lat));
  let best: { edge: RoadEdge; along: number; squared: number } | undefined;
  for (const edge of roads.edges) {
    const from = roads.nodes.get(edge.from);
    const to = roads.nodes.get(edge.to);
    if (!from || !to || edge.carTrain) continue;
    const x = (to.lng - from.lng) * shrink;
    const y = to.lat - from.lat;
    const px = (position.lng - from.lng) * shrink;
    const py = position.lat - from.lat;
    const length = x * x + y * y;
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * x + py * y) / length));
    const squared = (px - along * x) ** 2 + (py - along * y) ** 2;
    if ((!best || squared < best.squared) && isOpen(edge)) best = { edge, along, squared };
  }
  if (!best) return undefined;
  const { edge, along } = best;
  const from = roads.nodes.get(edge.from) ?? position;
  const to = roads.nodes.get(edge.to) ?? position;
  const foot = { lat: from.lat + along * (to.lat - from.lat), lng: from.lng + along * (to.lng - from.lng) };
  return { edge, along, crowFliesKm: crowFliesKm(position, foot) };
}
