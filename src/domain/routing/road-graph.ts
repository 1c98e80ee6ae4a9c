import { LRUCache } from "lru-cache";
import { sha256 } from "../../ops/ids.ts";
import type { RoadData } from "../catalog/load-roads.ts";
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
  /** The state of the same day without that car train. */
  without(train: RoadEdge): RoadState;
}

/** About a year of days, each as certain and as all open. */
const CACHED_STATES = 800;

export function createRoadStates({ edges, minutesPerKm }: Pick<RoadData, "edges" | "minutesPerKm">) {
  const weigh = (km: number, minutes: number) => minutes + km * minutesPerKm;
  const usual = edges.map(({ km, minutes }) => weigh(km, minutes));
  /** Positions of the edges whose weight depends on the day. */
  const seasonal = edges.flatMap(({ closed, carTrain }, position) => (closed || carTrain ? position : []));
  const states = new LRUCache<string, RoadState>({ max: CACHED_STATES });

  return {
    /** Roads are closed as in a usual year. */
    on: (day: LocalDay) => stateOn("usual", day, (edge) => !isClosed(edge, day.monthDay)),
    /**
     * Roads near their usual opening or closing count as closed, except for car trains that replace a pass: these run
     * by their timetable.
     */
    certainOn: (day: LocalDay) =>
      stateOn(
        "certain",
        day,
        (edge) => !isClosed(edge, day.monthDay) && (!!edge.carTrain || !isUncertain(edge, day.monthDay)),
      ),
    /** Every pass counts as open. */
    allOpenOn: (day: LocalDay) => stateOn("all open", day, isOpenIfAll),
  };

  function stateOn(kind: string, day: LocalDay, isOpen: RoadState["isOpen"]): RoadState {
    const name = `${kind} ${day.monthDay} ${day.weekday}`;
    const known = states.get(name);
    if (known) return known;
    const made = stateOf(isOpen, ({ minutes, carTrain }) =>
      carTrain ? minutes + (usualWait(carTrain, day) ?? Number.POSITIVE_INFINITY) : minutes,
    );
    states.set(name, made);
    return made;
  }

  function stateOf(isOpen: RoadState["isOpen"], minutesOf: RoadState["minutesOf"]): RoadState {
    const changed = new Map(
      seasonal.flatMap((position) => {
        const edge = edges[position];
        return edge ? [[position, isOpen(edge) ? weightOf(edge) : Number.POSITIVE_INFINITY] as const] : [];
      }),
    );
    const key = sha256([...changed.values()].join(), "base64url");
    let weights: readonly number[] | undefined;
    return {
      isOpen,
      key,
      minutesOf,
      weigh,
      // Most paths of a day are those of another one with this key, and need none.
      weights: () => (weights ??= usual.map((weight, position) => changed.get(position) ?? weight)),
      without: (train) => stateOf((edge) => edge !== train && isOpen(edge), minutesOf),
    };

    function weightOf(edge: RoadEdge): number {
      return weigh(edge.km, minutesOf(edge)) + (edge.carTrain?.reluctanceMinutes ?? 0);
    }
  }
}

/** Car trains with a season run only while their pass is closed. */
function isOpenIfAll({ carTrain, closed }: RoadEdge): boolean {
  return !(carTrain && closed);
}
