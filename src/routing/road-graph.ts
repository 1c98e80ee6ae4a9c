import type { RoadData } from "../catalog/load-roads.ts";

/**
 * The network as typed arrays for the search (compressed sparse rows). Nodes and edges are identified by their position
 * in the data; the arcs that leave node n have the indexes from `firstArc[n]` up to, but not including, `firstArc[n + 1]`.
 */
export interface RoadGraph {
  readonly positions: ReadonlyMap<string, number>;
  readonly firstArc: Uint32Array;
  /** Edge of an arc. */
  readonly arcEdge: Uint32Array;
  /** Node that an arc leads to. */
  readonly arcEnd: Uint32Array;
  /** Sum of the positions of an edge's two ends: minus one end, it is the other end. */
  readonly endsOf: Uint32Array;
}

export function createRoadGraph({ nodes, edges }: Pick<RoadData, "nodes" | "edges">): RoadGraph {
  const positions = new Map([...nodes.keys()].map((id, position) => [id, position]));
  const firstArc = new Uint32Array(nodes.size + 1);
  const startOf = new Uint32Array(edges.length);
  const endsOf = new Uint32Array(edges.length);
  edges.forEach(({ from, to }, edge) => {
    const start = positionOf(from);
    const end = positionOf(to);
    startOf[edge] = start;
    endsOf[edge] = start + end;
    firstArc[start + 1] = at(firstArc, start + 1) + 1;
    firstArc[end + 1] = at(firstArc, end + 1) + 1;
  });
  for (let node = 0; node < nodes.size; node++) {
    firstArc[node + 1] = at(firstArc, node + 1) + at(firstArc, node);
  }

  const next = firstArc.slice();
  const arcEdge = new Uint32Array(edges.length * 2);
  const arcEnd = new Uint32Array(edges.length * 2);
  for (let edge = 0; edge < edges.length; edge++) {
    const start = at(startOf, edge);
    const end = at(endsOf, edge) - start;
    addArc(start, end, edge);
    addArc(end, start, edge);
  }
  return { positions, firstArc, arcEdge, arcEnd, endsOf };

  function addArc(from: number, to: number, edge: number): void {
    const arc = at(next, from);
    arcEdge[arc] = edge;
    arcEnd[arc] = to;
    next[from] = arc + 1;
  }

  function positionOf(id: string): number {
    const position = positions.get(id);
    if (position === undefined) throw new Error(`There is no node ${id}.`);
    return position;
  }
}

/** An element that is there. */
export function at(numbers: Uint32Array | Int16Array | Float64Array, position: number): number {
  return numbers[position] ?? Number.NaN;
}
