import FlatQueue from "flatqueue";
import { LRUCache } from "lru-cache";
import type { RoadData } from "../catalog/catalog.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import type { Arc, RoadGraph, RoadState } from "./road-graph.ts";

export interface RoadPath {
  /** Sum of the weights of the edges. */
  readonly weight: number;
  readonly minutes: number;
  readonly km: number;
  readonly edges: readonly RoadEdge[];
  readonly hasTrain: boolean;
}

/** Finds the lightest path between two nodes; `undefined` where there is none. */
type FindPath = (from: string, to: string, state: RoadState) => RoadPath | undefined;

/** About 4 MB. Travelers ask for the same corridors again and again. */
const CACHED_PATHS = 5_000;

/** Dijkstra's algorithm, with the paths that were found last. `graph` must be built from `roads`. */
export function createLightestPath({ edges }: Pick<RoadData, "edges">, { positions, arcs }: RoadGraph): FindPath {
  const paths = new LRUCache<string, { readonly path: RoadPath | undefined }>({ max: CACHED_PATHS });

  return (from, to, state) => {
    const key = `${state.key} ${from} ${to}`;
    const found = paths.get(key) ?? { path: search(positions.get(from), positions.get(to), state) };
    paths.set(key, found);
    return found.path;
  };

  function search(start: number | undefined, goal: number | undefined, state: RoadState): RoadPath | undefined {
    if (start === undefined || goal === undefined) return undefined;
    const edgeWeights = state.weights();
    const queue = new FlatQueue<number>();
    const weights: number[] = new Array(arcs.length).fill(Number.POSITIVE_INFINITY);
    const arrivals: Arc[] = [];
    const settled: boolean[] = [];
    weights[start] = 0;
    queue.push(start, 0);
    for (let node = queue.pop(); node !== undefined && node !== goal; node = queue.pop()) {
      // A lighter path to the node was found after this one was queued.
      if (settled[node]) continue;
      settled[node] = true;
      for (const arc of arcs[node] ?? []) {
        const weight = (weights[node] ?? 0) + (edgeWeights[arc.edge] ?? Number.POSITIVE_INFINITY);
        if (weight >= (weights[arc.end] ?? 0)) continue;
        weights[arc.end] = weight;
        arrivals[arc.end] = arc;
        queue.push(arc.end, weight);
      }
    }
    return weights[goal] === Number.POSITIVE_INFINITY ? undefined : pathTo(goal, weights[goal] ?? 0, arrivals, state);
  }

  function pathTo(goal: number, weight: number, arrivals: readonly (Arc | undefined)[], state: RoadState): RoadPath {
    const path: RoadEdge[] = [];
    for (let arc = arrivals[goal]; arc; arc = arrivals[arc.start]) {
      const edge = edges[arc.edge];
      if (edge) path.push(edge);
    }
    path.reverse();
    const minutes = path.reduce((sum, edge) => sum + state.minutesOf(edge), 0);
    const km = path.reduce((sum, edge) => sum + edge.km, 0);
    return { weight, minutes, km, edges: path, hasTrain: path.some(({ carTrain }) => carTrain) };
  }
}
