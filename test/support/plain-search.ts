import type { RoadData } from "../../src/catalog/load-roads.ts";
import type { RoadEdge } from "../../src/catalog/roads-schema.ts";

/** The weight of the lightest path to every node, by relaxing all roads until nothing improves (Bellman-Ford). */
export function plainSearch(
  roads: RoadData,
  start: string,
  weigh: (edge: RoadEdge, position: number) => number,
): ReadonlyMap<string, number> {
  const ids = [...roads.nodes.keys()];
  const positions = new Map(ids.map((id, position) => [id, position]));
  const weights = ids.map((id) => (id === start ? 0 : Number.POSITIVE_INFINITY));
  const arcs = roads.edges.flatMap((edge, index) => {
    const [from, to] = [positions.get(edge.from) ?? -1, positions.get(edge.to) ?? -1];
    const weight = weigh(edge, index);
    return [
      { from, to, weight },
      { from: to, to: from, weight },
    ];
  });
  for (let better = true; better; ) {
    better = false;
    for (const { from, to, weight } of arcs) {
      const by = (weights[from] ?? Number.NaN) + weight;
      if (by < (weights[to] ?? Number.NaN)) {
        weights[to] = by;
        better = true;
      }
    }
  }
  return new Map(ids.map((id, position) => [id, weights[position] ?? Number.NaN]));
}
