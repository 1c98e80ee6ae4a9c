import FlatQueue from "flatqueue";
import { at, type RoadGraph } from "./road-graph.ts";
import type { RoadState } from "./road-state.ts";

/** What an edge weighs, by its position; `Infinity` where it cannot be driven. */
export type WeightOf = (edge: number) => number;

/** The lightest paths from a node, to its goal and to what was searched on the way; valid until the next search. */
interface Searched {
  readonly weights: Float64Array;
  /** Position of the last edge on the path to a node. */
  readonly lastEdges: Uint32Array;
}

/** Where a search ends, and at least what is left to it from a node. */
export interface Goal {
  readonly node: number;
  leastFrom(node: number): number;
}

/** Dijkstra's algorithm on numbers alone; with a goal, A*, which searches towards it and ends there. */
export type Search = (start: number, weightOf: WeightOf, goal?: Goal) => Searched;

/** Searches share their memory, since none is interrupted by another. */
export function createSearch({ firstArc, arcEdge, arcEnd }: RoadGraph): Search {
  const nodes = firstArc.length - 1;
  const weights = new Float64Array(nodes);
  const lastEdges = new Uint32Array(nodes);
  const isSettled = new Uint8Array(nodes);
  const queue = new FlatQueue<number>();

  return (start, weightOf, goal) => {
    weights.fill(Number.POSITIVE_INFINITY);
    isSettled.fill(0);
    queue.clear();
    weights[start] = 0;
    queue.push(start, 0);
    for (let node = queue.pop(); node !== undefined && node !== goal?.node; node = queue.pop()) {
      // A lighter path to the node was found after this one was queued.
      if (isSettled[node]) continue;
      isSettled[node] = 1;
      const weight = at(weights, node);
      for (let arc = at(firstArc, node); arc < at(firstArc, node + 1); arc++) {
        const end = at(arcEnd, arc);
        if (isSettled[end]) continue;
        const edge = at(arcEdge, arc);
        const reached = weight + weightOf(edge);
        if (reached >= at(weights, end)) continue;
        const least = goal ? reached + goal.leastFrom(end) : reached;
        if (least === Number.POSITIVE_INFINITY) continue;
        weights[end] = reached;
        lastEdges[end] = edge;
        queue.push(end, least);
      }
    }
    return { weights, lastEdges };
  };
}

/** Whether open roads join two nodes. */
type JoinsNodes = (from: string, to: string, state: RoadState) => boolean;

/**
 * Searches once for each part of the network that is joined in a state, and not for each pair of nodes: that took a
 * third of what an audit of the catalog takes.
 */
export function createJoinsNodes(graph: RoadGraph): JoinsNodes {
  const { positions } = graph;
  const search = createSearch(graph);
  const partsByState = new WeakMap<RoadState, Int32Array>();

  return (from, to, state) => {
    const [start, end] = [positions.get(from), positions.get(to)];
    if (start === undefined || end === undefined) return false;
    const parts = partsByState.get(state) ?? partsIn(state);
    partsByState.set(state, parts);
    return parts[start] === parts[end];
  };

  /** For each node the first node that open roads join with it. */
  function partsIn({ weightOf }: RoadState): Int32Array {
    const parts = new Int32Array(positions.size).fill(-1);
    for (const [node, part] of parts.entries()) {
      if (part >= 0) continue;
      for (const [reached, weight] of search(node, weightOf).weights.entries()) {
        if (Number.isFinite(weight)) parts[reached] = node;
      }
    }
    return parts;
  }
}
