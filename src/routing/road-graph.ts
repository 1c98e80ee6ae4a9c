import type { RoadData } from "./load-roads.ts";

/**
 * The network in numbers, for the search: nodes and edges are named by their position in the data, and the arcs that
 * leave node n stand from `firstArc[n]` up to `firstArc[n + 1]`.
 */
export interface RoadGraph {
  readonly positions: ReadonlyMap<string, number>;
  readonly firstArc: Uint32Array;
  /** Edge of an arc. */
  readonly arcEdge: Uint32Array;
  /** Node that an arc leads to. */
  readonly arcEnd: Uint32Array;
  /** The two ends of an edge added up: less the one, it is the other. */
  readonly endsOf: Uint32Array;
}

export function createRoadGraph({ nodes, edges }: Pick<RoadData, "nodes" | "edges">): RoadGraph {
  const positions = new Map([...nodes.keys()].map((id, position) => [id, position]));
  const ends = edges.map(({ from, to }) => [positionOf(from), positionOf(to)] as const);

  const firstArc = new Uint32Array(nodes.size + 1);
  for (const node of ends.flat()) firstArc[node + 1] = at(firstArc, node + 1) + 1;
  for (let node = 0; node < nodes.size; node++) {
    firstArc[node + 1] = at(firstArc, node + 1) + at(firstArc, node);
  }

  const next = firstArc.slice();
  const arcEdge = new Uint32Array(edges.length * 2);
  const arcEnd = new Uint32Array(edges.length * 2);
  for (const [edge, [from, to]] of ends.entries()) {
    addArc(from, to, edge);
    addArc(to, from, edge);
  }
  return { positions, firstArc, arcEdge, arcEnd, endsOf: Uint32Array.from(ends, ([from, to]) => from + to) };

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
export function at(numbers: Uint32Array | Float64Array, position: number): number {
  return numbers[position] ?? Number.NaN;
}
