import { LRUCache } from "lru-cache";
import createGraph, { type Graph } from "ngraph.graph";
import pathfinding from "ngraph.path";
import { EARTH_RADIUS_KM, radians } from "../places/geo.ts";
import type { RoadData } from "./load-roads.ts";
import type { RoadState } from "./road-state.ts";
import type { RoadEdge, RoadNode } from "./schema.ts";

/** No road of the network is faster; what keeps the search's guess below the truth. */
const FASTEST_KM_PER_MINUTE = 115 / 60;

export interface RoadPath {
  /** What the search weighed. */
  readonly weight: number;
  readonly minutes: number;
  readonly edges: readonly RoadEdge[];
}

/** Searches the lightest path between two nodes; `undefined` where there is none. Found paths are kept. */
export type FindPath = (from: string, to: string, state: RoadState) => RoadPath | undefined;

const KEPT_PATHS = 10_000;
const NO_PATH = "no path";

export function createShortestTime(roads: RoadData): FindPath {
  const graph: Graph<Point, RoadEdge> = createGraph();
  for (const [id, node] of roads.nodes) graph.addNode(id, pointOf(node));
  for (const edge of roads.edges) graph.addLink(edge.from, edge.to, edge);

  const kept = new LRUCache<string, RoadPath | typeof NO_PATH>({ max: KEPT_PATHS });

  return function findPath(from, to, state) {
    if (from === to) return { weight: 0, minutes: 0, edges: [] };
    const key = `${state.key} ${from} ${to}`;
    const found = kept.get(key) ?? search(from, to, state) ?? NO_PATH;
    kept.set(key, found);
    return found === NO_PATH ? undefined : found;
  };

  function search(from: string, to: string, { weigh }: RoadState): RoadPath | undefined {
    const finder = pathfinding.aStar<Point, RoadEdge>(graph, {
      distance: (_from, _to, link) => weigh(link.data),
      heuristic: (here, there) => fewestMinutes(here.data, there.data),
      blocked: (_from, _to, link) => weigh(link.data) === Number.POSITIVE_INFINITY,
    });
    const nodes = finder.find(from, to);
    // A goal behind closed roads alone comes back as a path of itself.
    if (nodes.length < 2) return undefined;
    const edges = nodes.slice(1).flatMap((node, index) => {
      const before = nodes[index]?.id ?? "";
      const link = graph.getLink(before, node.id) ?? graph.getLink(node.id, before);
      return link ? [link.data] : [];
    });
    const minutes = edges.reduce((sum, edge) => sum + edge.minutes, 0);
    return { weight: edges.reduce((sum, edge) => sum + weigh(edge), 0), minutes, edges };
  }
}

/** A node in space, with the minutes of the fastest road as the unit. */
interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

function pointOf({ lat, lng }: RoadNode): Point {
  const scale = EARTH_RADIUS_KM / FASTEST_KM_PER_MINUTE;
  const [phi, lambda] = [radians(lat), radians(lng)];
  return {
    x: scale * Math.cos(phi) * Math.cos(lambda),
    y: scale * Math.cos(phi) * Math.sin(lambda),
    z: scale * Math.sin(phi),
  };
}

/** Straight through the earth, which is never longer than over it and far quicker to compute. */
function fewestMinutes(a: Point, b: Point): number {
  return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2);
}
