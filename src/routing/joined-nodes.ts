import type { RoadGraph } from "./road-graph.ts";
import type { RoadState } from "./road-state.ts";
import { createSearch } from "./search.ts";

/** Whether open roads join two nodes. */
export type JoinsNodes = (from: string, to: string, state: RoadState) => boolean;

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

  /** Of each node, the first node of its part. */
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
