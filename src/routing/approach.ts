import FlatQueue from "flatqueue";
import { LRUCache } from "lru-cache";
import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import type { RoadState } from "./road-state.ts";

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

interface Label {
  readonly node: string;
  readonly minutes: number;
  readonly km: number;
  readonly edge: RoadEdge | undefined;
  readonly before: Label | undefined;
}

/** For each terminal and the roads of a day. About 100 kB each. */
const CACHED_BOUNDS = 100;

/** A search by minutes and kilometers at once, in the order of what a label weighs at the terminal at the least. */
export function createFindApproach({ nodes, edges }: Pick<RoadData, "nodes" | "edges">): FindApproach {
  const roadsAt = new Map<string, RoadEdge[]>([...nodes.keys()].map((id) => [id, []]));
  for (const edge of edges) {
    if (edge.carTrain?.timetable) continue;
    roadsAt.get(edge.from)?.push(edge);
    roadsAt.get(edge.to)?.push(edge);
  }
  const bounds = new LRUCache<string, Record<"km" | "minutes", ReadonlyMap<string, number>>>({ max: CACHED_BOUNDS });

  return (from, terminal, state, readyMinutes) => {
    const left = boundsTo(terminal, state);
    const least = ({ node, minutes, km }: Label) =>
      state.weigh(
        km + (left.km.get(node) ?? Number.POSITIVE_INFINITY),
        Math.max(readyMinutes, minutes + (left.minutes.get(node) ?? Number.POSITIVE_INFINITY)),
      );
    const queue = new FlatQueue<Label>();
    const reached = new Map<string, Label[]>();
    const add = (label: Label) => {
      const weight = least(label);
      const others = reached.get(label.node) ?? [];
      if (
        weight === Number.POSITIVE_INFINITY ||
        others.some((other) => other.minutes <= label.minutes && other.km <= label.km)
      )
        return;
      reached.set(label.node, [
        ...others.filter((other) => other.minutes < label.minutes || other.km < label.km),
        label,
      ]);
      queue.push(label, weight);
    };
    add({ node: from, minutes: 0, km: 0, edge: undefined, before: undefined });
    for (let label = queue.pop(); label; label = queue.pop()) {
      if (label.node === terminal) return edgesTo(label);
      for (const edge of roadsAt.get(label.node) ?? []) {
        if (!state.isOpen(edge)) continue;
        const node = edge.from === label.node ? edge.to : edge.from;
        add({ node, minutes: label.minutes + state.minutesOf(edge), km: label.km + edge.km, edge, before: label });
      }
    }
    return undefined;
  };

  function boundsTo(terminal: string, state: RoadState) {
    const key = `${state.key} ${terminal}`;
    const known = bounds.get(key) ?? {
      km: leastFrom(terminal, state, "km"),
      minutes: leastFrom(terminal, state, "minutes"),
    };
    bounds.set(key, known);
    return known;
  }

  /** Of every node that open roads join to this one. */
  function leastFrom(start: string, state: RoadState, by: "km" | "minutes"): ReadonlyMap<string, number> {
    const least = new Map([[start, 0]]);
    const queue = new FlatQueue<string>();
    queue.push(start, 0);
    for (let value = queue.peekValue(); value !== undefined; value = queue.peekValue()) {
      const node = queue.pop() ?? start;
      if (value > (least.get(node) ?? 0)) continue;
      for (const edge of roadsAt.get(node) ?? []) {
        const end = edge.from === node ? edge.to : edge.from;
        const sum = value + (by === "km" ? edge.km : state.minutesOf(edge));
        if (!state.isOpen(edge) || sum >= (least.get(end) ?? Number.POSITIVE_INFINITY)) continue;
        least.set(end, sum);
        queue.push(end, sum);
      }
    }
    return least;
  }
}

function edgesTo(label: Label): readonly RoadEdge[] {
  const edges: RoadEdge[] = [];
  for (let at: Label | undefined = label; at?.edge; at = at.before) edges.push(at.edge);
  return edges.reverse();
}
