import { LRUCache } from "lru-cache";
import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { isClosed, isUncertain, type LocalDay, usualWait } from "./timetable.ts";

/**
 * The network as typed arrays for the search (compressed sparse rows). Nodes and edges are identified by their position
 * in the data. The arcs that leave node n have the indexes from `firstArc[n]`, included, to `firstArc[n+1]`, excluded.
 */
export interface RoadGraph {
  readonly positions: ReadonlyMap<string, number>;
  readonly firstArc: Uint32Array;
  readonly arcEdge: Uint32Array;
  /** Node that an arc leads to. */
  readonly arcEnd: Uint32Array;
  /** Sum of the positions of an edge's two ends: subtracting one gives the other. */
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

/** The element at a position inside the array, without `undefined` in its type. */
export function at(numbers: Uint32Array | Int16Array | Float64Array, position: number): number {
  return numbers[position] ?? Number.NaN;
}

/** Which roads are open and how the search weighs them. */
export interface RoadState {
  isOpen(edge: RoadEdge): boolean;
  /** Minutes to drive the edge; for a car train, its usual wait and the ride. */
  minutesOf(edge: RoadEdge): number;
  /** The weight of a distance and a time, in minutes: kilometers count as well, since they determine the price. */
  weigh(km: number, minutes: number): number;
  /** The weight of the edge at a position in the data; `Infinity` where it is closed. */
  weightOf(edge: number): number;
  /** The state of the same day without that car train. */
  without(train: RoadEdge): RoadState;
}

const CACHED_DAYS = 400;

/** A lower bound of the weight of each edge in any state: open, and car trains leave without a wait. */
export function leastWeights({ edges, minutesPerKm }: RoadData): Float64Array {
  return Float64Array.from(edges, ({ km, minutes }) => minutes + km * minutesPerKm);
}

export function createRoadStates(roads: RoadData) {
  const { edges, minutesPerKm } = roads;
  const weigh = (km: number, minutes: number) => minutes + km * minutesPerKm;
  const usual = leastWeights(roads);
  /** Edges whose weight depends on the day; `seasonalAt` has the index of each edge among them, -1 where it is none. */
  const seasonal = edges.filter(({ closed, carTrain }) => closed || carTrain);
  const seasonalAt = Int16Array.from(edges, (edge) => seasonal.indexOf(edge));

  return {
    /** Roads are closed as in a usual year. */
    on: byDay(({ closed }, { monthDay }) => !isClosed({ closed }, monthDay)),
    /**
     * Roads near their usual opening or closing count as closed, except for car trains that replace a pass: these run
     * by their timetable.
     */
    certainOn: byDay(
      (edge, { monthDay }) => !isClosed(edge, monthDay) && (!!edge.carTrain || !isUncertain(edge, monthDay)),
    ),
    /** Every pass counts as open. */
    allOpenOn: byDay(isOpenIfAll),
  };

  function byDay(isOpenOn: (edge: RoadEdge, day: LocalDay) => boolean): (day: LocalDay) => RoadState {
    const days = new LRUCache<string, RoadState, LocalDay>({
      max: CACHED_DAYS,
      memoMethod: (_key, _stale, { context }) => stateOn(context, isOpenOn),
    });
    return (day) => days.memo(`${day.monthDay} ${day.weekday}`, { context: day });
  }

  function stateOn(day: LocalDay, isOpenOn: (edge: RoadEdge, day: LocalDay) => boolean): RoadState {
    return stateOf(
      (edge) => isOpenOn(edge, day),
      ({ minutes, carTrain }) =>
        carTrain ? minutes + (usualWait(carTrain, day) ?? Number.POSITIVE_INFINITY) : minutes,
    );
  }

  function stateOf(isOpen: RoadState["isOpen"], minutesOf: RoadState["minutesOf"]): RoadState {
    const weights = Float64Array.from(seasonal, (edge) => {
      const reluctance = edge.carTrain?.reluctanceMinutes ?? 0;
      return isOpen(edge) ? weigh(edge.km, minutesOf(edge)) + reluctance : Number.POSITIVE_INFINITY;
    });
    return {
      isOpen,
      minutesOf,
      weigh,
      weightOf(edge) {
        const position = at(seasonalAt, edge);
        return position < 0 ? at(usual, edge) : at(weights, position);
      },
      without: (train) => stateOf((edge) => edge !== train && isOpen(edge), minutesOf),
    };
  }
}

/** Car trains with a season run only while their pass is closed. */
function isOpenIfAll({ carTrain, closed }: RoadEdge): boolean {
  return !(carTrain && closed);
}
