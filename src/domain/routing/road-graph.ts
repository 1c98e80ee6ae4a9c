import { LRUCache } from "lru-cache";
import { sha256 } from "../../ops/ids.ts";
import type { RoadData } from "../catalog/catalog.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { isClosed, isUncertain, type LocalDay, usualWait } from "./timetable.ts";

/** The network for the search. Nodes and edges are identified by their position in the data. */
export interface RoadGraph {
  readonly positions: ReadonlyMap<string, number>;
  /** By node: the edges that leave it. */
  readonly arcs: readonly (readonly Arc[])[];
}

/** An edge in one of its two directions. */
export interface Arc {
  readonly edge: number;
  readonly start: number;
  readonly end: number;
}

export function createRoadGraph({ nodes, edges }: Pick<RoadData, "nodes" | "edges">): RoadGraph {
  const positions = new Map([...nodes.keys()].map((id, position) => [id, position]));
  const arcs: Arc[][] = Array.from(positions, () => []);
  edges.forEach(({ from, to }, edge) => {
    addArc(from, to, edge);
    addArc(to, from, edge);
  });
  return { positions, arcs };

  function addArc(from: string, to: string, edge: number): void {
    const [start, end] = [positions.get(from), positions.get(to)];
    if (start === undefined || end === undefined) throw new Error(`There is no road from ${from} to ${to}.`);
    arcs[start]?.push({ edge, start, end });
  }
}

/** Which roads are open and how the search weighs them. */
export interface RoadState {
  isOpen(edge: RoadEdge): boolean;
  /** Minutes to drive the edge; for a car train, its usual wait and the ride. */
  minutesOf(edge: RoadEdge): number;
  /** The weight of a distance and a time, in minutes: kilometers count as well, since they determine the price. */
  weigh(km: number, minutes: number): number;
  /** Identifies what depends on the day: of states with one key the weights are equal. */
  readonly key: string;
  /** The weight of each edge, in the order of the data; `Infinity` where it is closed. */
  weights(): readonly number[];
  /** The state of the same day without these roads or car trains. */
  without(edges: readonly RoadEdge[]): RoadState;
}

/** About two years of days. */
const CACHED_DAYS = 800;

export function createRoadStates({ edges, minutesPerKm }: Pick<RoadData, "edges" | "minutesPerKm">) {
  const weigh = (km: number, minutes: number) => minutes + km * minutesPerKm;
  const usual = edges.map(({ km, minutes }) => weigh(km, minutes));
  /** Positions of the edges whose weight depends on the day. */
  const seasonal = edges.flatMap(({ closed, carTrain }, position) => (closed || carTrain ? position : []));
  const days = new LRUCache<string, ReturnType<typeof statesOn>>({ max: CACHED_DAYS });

  return (day: LocalDay) => {
    const name = `${day.monthDay} ${day.weekday}`;
    const states = days.get(name) ?? statesOn(day);
    days.set(name, states);
    return states;
  };

  function statesOn(day: LocalDay) {
    const minutesOf = ({ minutes, carTrain }: RoadEdge) =>
      carTrain ? minutes + (usualWait(carTrain, day) ?? Number.POSITIVE_INFINITY) : minutes;
    const isUsuallyOpen = (edge: RoadEdge) => !isClosed(edge, day.monthDay);
    const isSurelyOpen = (edge: RoadEdge) =>
      isUsuallyOpen(edge) && (!!edge.carTrain || !isUncertain(edge, day.monthDay));
    return {
      /** Roads are closed as in a usual year. */
      usual: stateOf(isUsuallyOpen, minutesOf),
      /**
       * Roads near their usual opening or closing count as closed, except for car trains that replace a pass: these run
       * by their timetable.
       */
      certain: stateOf(isSurelyOpen, minutesOf),
      /** Every pass counts as open. Car trains with a season run only while their pass is closed. */
      allOpen: stateOf(({ carTrain, closed }) => !(carTrain && closed), minutesOf),
    };
  }

  /** `removed` are positions of roads that are not open, which need not be seasonal. */
  function stateOf(
    isOpen: RoadState["isOpen"],
    minutesOf: RoadState["minutesOf"],
    removed: readonly number[] = [],
  ): RoadState {
    const changed = new Map(
      [...seasonal, ...removed].flatMap((position) => {
        const edge = edges[position];
        return edge ? [[position, isOpen(edge) ? weightOf(edge) : Number.POSITIVE_INFINITY] as const] : [];
      }),
    );
    const key = sha256([...changed.values(), ...removed].join(), "base64url");
    let weights: readonly number[] | undefined;
    return {
      isOpen,
      key,
      minutesOf,
      weigh,
      // Most paths of a day are those of another one with this key, and need none.
      weights: () => (weights ??= usual.map((weight, position) => changed.get(position) ?? weight)),
      without(closed) {
        const positions = closed.map((edge) => edges.indexOf(edge));
        return stateOf((edge) => !closed.includes(edge) && isOpen(edge), minutesOf, [...removed, ...positions]);
      },
    };

    function weightOf(edge: RoadEdge): number {
      return weigh(edge.km, minutesOf(edge)) + (edge.carTrain?.reluctanceMinutes ?? 0);
    }
  }
}
