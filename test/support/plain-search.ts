import type { RoadData } from "../../src/catalog/load-roads.ts";
import type { RoadEdge } from "../../src/catalog/roads-schema.ts";

/** Minutes to every node, by going over all roads until nothing gets better. */
export function plainSearch(
  roads: RoadData,
  start: string,
  weigh: (edge: RoadEdge) => number,
): ReadonlyMap<string, number> {
  const minutes = new Map([...roads.nodes.keys()].map((id) => [id, id === start ? 0 : Number.POSITIVE_INFINITY]));
  for (let better = true; better; ) {
    better = false;
    for (const edge of roads.edges) {
      for (const [from, to] of [
        [edge.from, edge.to],
        [edge.to, edge.from],
      ] as const) {
        const by = (minutes.get(from) ?? 0) + weigh(edge);
        if (by < (minutes.get(to) ?? 0)) {
          minutes.set(to, by);
          better = true;
        }
      }
    }
  }
  return minutes;
}
