import FlatQueue from "flatqueue";
import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { at, type RoadGraph } from "./road-graph.ts";
import type { RoadState } from "./road-state.ts";
import { createSearch } from "./search.ts";

/**
 * The best road to the terminal of a train that does not leave before `readyMinutes` after the departure: until then
 * time costs nothing, so that a shorter road may take it. Takes no other train with a timetable on the way.
 */
export type FindApproach = (
  from: string,
  terminal: string,
  state: RoadState,
  readyMinutes: number,
) => readonly RoadEdge[] | undefined;

/** A way to a node. Of two, neither is better where one takes fewer minutes and the other fewer kilometers. */
interface Label {
  readonly node: number;
  readonly minutes: number;
  readonly km: number;
  readonly edge: RoadEdge | undefined;
  readonly before: Label | undefined;
}

/** What is left from each node to a terminal at the least, whichever roads are closed. */
type Bounds = Readonly<Record<"km" | "minutes", Float64Array>>;

/** A search by minutes and kilometers at once, in the order of what a label weighs at the terminal at the least. */
export function createFindApproach({ edges }: Pick<RoadData, "edges">, graph: RoadGraph): FindApproach {
  const { positions, firstArc, arcEdge, arcEnd } = graph;
  const search = createSearch(graph);
  /** By terminal, of which there are two for each train. */
  const bounds = new Map<number, Bounds>();

  return (from, to, state, readyMinutes) => {
    const [start, terminal] = [positions.get(from), positions.get(to)];
    if (start === undefined || terminal === undefined) return undefined;
    const left = boundsTo(terminal);
    const queue = new FlatQueue<Label>();
    const best = new Map<number, readonly Label[]>();
    add({ node: start, minutes: 0, km: 0, edge: undefined, before: undefined });
    for (let label = queue.pop(); label; label = queue.pop()) {
      if (label.node === terminal) return edgesTo(label);
      if (best.get(label.node)?.includes(label)) leave(label);
    }
    return undefined;

    function add(label: Label): void {
      const { node, minutes, km } = label;
      const others = best.get(node) ?? [];
      if (others.some((other) => other.minutes <= minutes && other.km <= km)) return;
      const worth = others.filter((other) => other.minutes < minutes || other.km < km);
      best.set(node, [...worth, label]);
      const leastMinutes = Math.max(readyMinutes, minutes + at(left.minutes, node));
      queue.push(label, state.weigh(km + at(left.km, node), leastMinutes));
    }

    function leave(before: Label): void {
      for (let arc = at(firstArc, before.node); arc < at(firstArc, before.node + 1); arc++) {
        const edge = edges[at(arcEdge, arc)];
        if (!edge || edge.carTrain?.timetable || !state.isOpen(edge)) continue;
        const minutes = before.minutes + state.minutesOf(edge);
        add({ node: at(arcEnd, arc), minutes, km: before.km + edge.km, edge, before });
      }
    }
  };

  function boundsTo(terminal: number): Bounds {
    const known = bounds.get(terminal) ?? { km: leastTo(terminal, "km"), minutes: leastTo(terminal, "minutes") };
    bounds.set(terminal, known);
    return known;
  }

  function leastTo(terminal: number, by: "km" | "minutes"): Float64Array {
    const weightOf = (position: number) => {
      const edge = edges[position];
      return edge && !edge.carTrain?.timetable ? edge[by] : Number.POSITIVE_INFINITY;
    };
    return search(terminal, weightOf).weights.slice();
  }
}

function edgesTo(label: Label): readonly RoadEdge[] {
  const edges: RoadEdge[] = [];
  for (let way: Label | undefined = label; way?.edge; way = way.before) edges.push(way.edge);
  return edges.reverse();
}
