import FlatQueue from "flatqueue";
import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { at, type RoadGraph, type RoadState } from "./road-graph.ts";
import { createLightestPath, createSearch, type RoadPath } from "./search.ts";
import { minutesAfter, waitAt } from "./timetable.ts";

/** A path with the true waits for its car trains, by their timetables. */
export interface TimedPath extends RoadPath {
  /** Minutes at the terminal of each train before it leaves, loading included. */
  readonly waits: ReadonlyMap<RoadEdge, number>;
  /** Trains that the path would take at another hour. */
  readonly avoided: readonly RoadEdge[];
}

/** Without a departure, each train has its usual wait. */
export type FindTimedPath = (
  from: string,
  to: string,
  state: RoadState,
  departure: Date | undefined,
) => TimedPath | undefined;

const NO_WAITS: TimedPath["waits"] = new Map();

function kmOf(edges: readonly RoadEdge[]): number {
  return edges.reduce((sum, { km }) => sum + km, 0);
}

/**
 * Searches with the usual wait at each train. If that path reaches a train outside its hours, it is compared, by true
 * waits, with the same path on the best road to the train and with the paths without the train.
 */
export function createTimedPath(roads: RoadData, timeZone: string, graph: RoadGraph): FindTimedPath {
  const findPath = createLightestPath(roads, graph);
  const findApproach = createFindApproach(roads, graph);

  return function find(from, to, state, departure) {
    const path = findPath(from, to, state);
    if (!path || !departure || !path.hasTrain) return path && { waits: NO_WAITS, avoided: [], ...path };
    const { timed, delayed } = byTimetable(path, state, departure);
    const approached = approachOf(from, path, timed, state);
    const shorter = approached ? [byTimetable(approached, state, departure).timed] : [];
    const others = delayed.flatMap((train): TimedPath[] => {
      const other = find(from, to, state.without(train), departure);
      return other ? [{ ...other, avoided: [train, ...other.avoided] }] : [];
    });
    return [timed, ...shorter, ...others]
      .filter(({ weight }) => Number.isFinite(weight))
      .sort((a, b) => a.weight - b.weight)[0];
  };

  /**
   * The path with the best road to its first train with a timetable; `undefined` without an extra wait for that train.
   */
  function approachOf(from: string, path: RoadPath, { waits }: TimedPath, state: RoadState): RoadPath | undefined {
    const position = path.edges.findIndex(({ carTrain }) => carTrain?.timetable);
    const train = path.edges[position];
    const wait = train && waits.get(train);
    if (!train || wait === undefined) return undefined;
    const before = path.edges.slice(0, position);
    const late = train.minutes + wait - state.minutesOf(train);
    if (late <= 0) return undefined;
    const terminal = before.reduce((node, edge) => (edge.from === node ? edge.to : edge.from), from);
    const minutesOf = (edges: readonly RoadEdge[]) => edges.reduce((sum, edge) => sum + state.minutesOf(edge), 0);
    const minutes = minutesOf(before);
    const edges = findApproach(from, terminal, state, minutes + late);
    if (!edges) return undefined;
    const [moreMinutes, moreKm] = [minutesOf(edges) - minutes, kmOf(edges) - kmOf(before)];
    return {
      ...path,
      weight: path.weight + state.weigh(moreKm, moreMinutes),
      minutes: path.minutes + moreMinutes,
      km: path.km + moreKm,
      edges: [...edges, ...path.edges.slice(position)],
    };
  }

  function byTimetable(path: RoadPath, state: RoadState, departure: Date) {
    const waits = new Map<RoadEdge, number>();
    const delayed: RoadEdge[] = [];
    let minutes = 0;
    let delay = 0;
    for (const edge of path.edges) {
      const usual = state.minutesOf(edge);
      if (edge.carTrain) {
        const arrival = minutesAfter(departure, minutes + delay);
        const wait = waitAt(edge.carTrain, arrival, timeZone) ?? Number.POSITIVE_INFINITY;
        const late = edge.minutes + wait - usual;
        if (late !== 0) delayed.push(edge);
        // The train no longer runs: later trains do not matter.
        if (late === Number.POSITIVE_INFINITY) return { timed: { ...path, weight: late, waits, avoided: [] }, delayed };
        waits.set(edge, wait);
        delay += late;
      }
      minutes += usual;
    }
    const timed = { waits, avoided: [], ...path, weight: path.weight + delay, minutes: path.minutes + delay };
    return { timed, delayed };
  }
}

/**
 * The best road to the terminal of a train that leaves no earlier than `readyMinutes` after the departure. An earlier
 * arrival gains nothing, so that a slower but shorter road may be best. Takes no other train with a timetable.
 */
type FindApproach = (
  from: string,
  terminal: string,
  state: RoadState,
  readyMinutes: number,
) => readonly RoadEdge[] | undefined;

/** A path to a node. A node keeps every label that no other label equals or beats in both minutes and kilometers. */
interface Label {
  readonly node: number;
  readonly minutes: number;
  readonly km: number;
  readonly edge: RoadEdge | undefined;
  readonly before: Label | undefined;
}

/** Lower bounds of the kilometers and the minutes from each node to a terminal, whichever roads are closed. */
type Bounds = Readonly<Record<"km" | "minutes", Float64Array>>;

/** A search by both minutes and kilometers, in the order of a lower bound of each label's weight at the terminal. */
function createFindApproach({ edges }: Pick<RoadData, "edges">, graph: RoadGraph): FindApproach {
  const { positions, firstArc, arcEdge, arcEnd } = graph;
  const search = createSearch(graph);
  /** Keyed by terminal; each train has two. */
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
