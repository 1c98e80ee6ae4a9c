import FlatQueue from "flatqueue";
import { LRUCache } from "lru-cache";
import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadArcs } from "../catalog/prepared.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { at, createRoadGraph } from "./road-graph.ts";
import type { RoadState } from "./road-state.ts";

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

/** Journeys start at few places, so the tree of one start serves many goals. About 20 kB each. */
const CACHED_STARTS = 500;
/** Between the ends of corridors, say: a leg took 5 µs from the tree and takes 1. About 0.5 kB each. */
const CACHED_PATHS = 5_000;

/** The lightest paths from one node to every other. */
interface PathTree {
  readonly weights: Float64Array;
  /** Position of the last edge on the path to a node. */
  readonly lastEdges: Uint32Array;
}

/** Dijkstra's algorithm from one start to all nodes, on numbers alone. */
export function createLightestPath(roads: RoadData, arcs?: RoadArcs): FindPath {
  const { positions, firstArc, arcEdge, arcEnd, endsOf } = createRoadGraph(roads, arcs);
  const trees = new LRUCache<string, PathTree>({ max: CACHED_STARTS });
  const paths = new LRUCache<string, RoadPath>({ max: CACHED_PATHS });
  const queue = new FlatQueue<number>();

  return function findPath(from, to, state) {
    const key = `${state.key} ${from} ${to}`;
    const path = paths.get(key) ?? pathInTree(from, to, state);
    if (path) paths.set(key, path);
    return path;
  };

  function pathInTree(from: string, to: string, state: RoadState): RoadPath | undefined {
    const [start, goal] = [positions.get(from), positions.get(to)];
    if (start === undefined || goal === undefined) return undefined;
    const key = `${state.key} ${start}`;
    const tree = trees.get(key) ?? search(start, state.weights());
    trees.set(key, tree);
    const weight = at(tree.weights, goal);
    if (weight === Number.POSITIVE_INFINITY) return undefined;
    const edges = edgesTo(goal, start, tree);
    const minutes = edges.reduce((sum, edge) => sum + state.minutesOf(edge), 0);
    const km = edges.reduce((sum, edge) => sum + edge.km, 0);
    return { weight, minutes, km, edges, hasTrain: edges.some(({ carTrain }) => carTrain) };
  }

  function search(start: number, edgeWeights: Float64Array): PathTree {
    const weights = new Float64Array(roads.nodes.size).fill(Number.POSITIVE_INFINITY);
    const lastEdges = new Uint32Array(roads.nodes.size);
    weights[start] = 0;
    queue.push(start, 0);
    for (let weight = queue.peekValue(); weight !== undefined; weight = queue.peekValue()) {
      const node = queue.pop() ?? start;
      // A lighter path to the node was found after this one was queued.
      if (weight > at(weights, node)) continue;
      for (let arc = at(firstArc, node); arc < at(firstArc, node + 1); arc++) {
        const edge = at(arcEdge, arc);
        const end = at(arcEnd, arc);
        const reached = weight + at(edgeWeights, edge);
        if (reached >= at(weights, end)) continue;
        weights[end] = reached;
        lastEdges[end] = edge;
        queue.push(end, reached);
      }
    }
    return { weights, lastEdges };
  }

  function edgesTo(goal: number, start: number, { lastEdges }: PathTree): readonly RoadEdge[] {
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
