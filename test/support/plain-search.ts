import type { RoadData } from "../../src/catalog/load-roads.ts";
import type { RoadEdge } from "../../src/catalog/roads-schema.ts";

/** What the lightest path to every node weighs, by going over all roads until nothing gets better. */
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

interface Way {
  readonly km: number;
  readonly minutes: number;
}

/** Of every node, the ways to it of which none takes both fewer kilometers and fewer minutes than another. */
export function plainSearchByTwo(
  roads: RoadData,
  start: string,
  drive: (edge: RoadEdge) => Way | undefined,
): ReadonlyMap<string, readonly Way[]> {
  const edgesAt = new Map([...roads.nodes.keys()].map((id): [string, RoadEdge[]] => [id, []]));
  for (const edge of roads.edges) for (const end of [edge.from, edge.to]) edgesAt.get(end)?.push(edge);
  const ways = new Map<string, readonly Way[]>([[start, [{ km: 0, minutes: 0 }]]]);
  const changed = new Set([start]);
  for (const node of changed) {
    changed.delete(node);
    for (const edge of edgesAt.get(node) ?? []) {
      const by = drive(edge);
      if (!by) continue;
      const end = edge.from === node ? edge.to : edge.from;
      for (const way of ways.get(node) ?? []) {
        const [km, minutes] = [way.km + by.km, way.minutes + by.minutes];
        const others = ways.get(end) ?? [];
        if (others.some((other) => other.km <= km && other.minutes <= minutes)) continue;
        ways.set(end, [...others.filter((other) => other.km < km || other.minutes < minutes), { km, minutes }]);
        changed.add(end);
      }
    }
  }
  return ways;
}
