import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { createBoundedCache } from "../ops/bounded-cache.ts";
import { createLandmarks } from "./landmarks.ts";
import { at, type RoadGraph } from "./road-graph.ts";
import { leastWeights, type RoadState } from "./road-state.ts";
import { createSearch } from "./search.ts";

export interface RoadPath {
  /** What the search weighed. */
  readonly weight: number;
  readonly minutes: number;
  readonly km: number;
  readonly edges: readonly RoadEdge[];
  /** Whether one of the edges is a car train. */
  readonly hasTrain: boolean;
}

/** Finds the lightest path between two nodes; `undefined` where there is none. */
export type FindPath = (from: string, to: string, state: RoadState) => RoadPath | undefined;

/** Between the ends of corridors, say: a search takes some 20 µs, and a cached path 1. About 0.5 kB each. */
const CACHED_PATHS = 5_000;

/** `graph` is that of these roads. */
export function createLightestPath(roads: RoadData, graph: RoadGraph): FindPath {
  const { positions, endsOf } = graph;
  const search = createSearch(graph);
  const least = leastWeights(roads);
  const goalAt = createLandmarks(search, roads.nodes.size, (edge) => at(least, edge));
  const paths = createBoundedCache<RoadPath>(CACHED_PATHS);

  return (from, to, state) => {
    const key = `${state.key} ${from} ${to}`;
    const path = paths.get(key) ?? searched(from, to, state);
    if (path) paths.set(key, path);
    return path;
  };

  function searched(from: string, to: string, state: RoadState): RoadPath | undefined {
    const [start, goal] = [positions.get(from), positions.get(to)];
    if (start === undefined || goal === undefined) return undefined;
    const { weights, lastEdges } = search(start, state.weightOf, goalAt(goal));
    const weight = at(weights, goal);
    if (weight === Number.POSITIVE_INFINITY) return undefined;
    const edges = edgesTo(goal, start, lastEdges);
    const minutes = edges.reduce((sum, edge) => sum + state.minutesOf(edge), 0);
    const km = edges.reduce((sum, edge) => sum + edge.km, 0);
    return { weight, minutes, km, edges, hasTrain: edges.some(({ carTrain }) => carTrain) };
  }

  function edgesTo(goal: number, start: number, lastEdges: Uint32Array): readonly RoadEdge[] {
    const edges: RoadEdge[] = [];
    for (let node = goal; node !== start; ) {
      const position = at(lastEdges, node);
      const edge = roads.edges[position];
      if (edge) edges.push(edge);
      node = at(endsOf, position) - node;
    }
    return edges.reverse();
  }
}
