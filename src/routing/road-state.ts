import { isClosed, isWithin } from "./closure.ts";
import type { RoadData } from "./load-roads.ts";
import type { RoadEdge } from "./schema.ts";

/** Which roads are open and how the search weighs them; days on which all is alike share one. */
export interface RoadState {
  /** Equal for equal states. */
  readonly key: string;
  isOpen(edge: RoadEdge): boolean;
  /** Minutes to drive the edge, or to wait for its train and ride on it. */
  minutesOf(edge: RoadEdge): number;
  /** What each of the roads' edges weighs in the search: minutes and more, `Infinity` where it is closed. */
  readonly weights: Float64Array;
}

export interface RoadStates {
  on(monthDay: string): RoadState;
  /** As if every pass were open. */
  readonly allOpen: RoadState;
}

/** Of two ways equally fast the shorter one is taken, or there and back would be priced apart. */
const MINUTES_PER_KM_OF_A_TIE = 1e-6;

export function createRoadStates({ edges }: Pick<RoadData, "edges">): RoadStates {
  const byDay = new Map<string, RoadState>();
  const byKey = new Map<string, RoadState>();
  const usual = new Float64Array(edges.length);
  const seasonal: { readonly position: number; readonly edge: RoadEdge }[] = [];
  edges.forEach((edge, position) => {
    usual[position] = weightOf(edge, edge.minutes);
    if (edge.closed || edge.carTrain?.seasonalWait) seasonal.push({ position, edge });
  });
  const allOpen = stateOf(isOpenIfAll, () => true);

  return {
    allOpen,
    on(monthDay) {
      const known = byDay.get(monthDay);
      if (known) return known;
      const isOpen = (edge: RoadEdge) => !isClosed(edge, monthDay);
      const state = stateOf(isOpen, (wait) => isWithin(wait, monthDay));
      byDay.set(monthDay, state);
      return state;
    },
  };

  function stateOf(isOpen: RoadState["isOpen"], isSeasonOf: (wait: SeasonalWait) => boolean): RoadState {
    const weights = usual.slice();
    for (const { position, edge } of seasonal) {
      weights[position] = isOpen(edge) ? weightOf(edge, minutesOf(edge)) : Number.POSITIVE_INFINITY;
    }
    const key = seasonal.map(({ position }) => weights[position]).join();
    const state = byKey.get(key) ?? { key: String(byKey.size), isOpen, minutesOf, weights };
    byKey.set(key, state);
    return state;

    function minutesOf({ minutes, carTrain }: RoadEdge): number {
      const wait = carTrain?.seasonalWait;
      return wait && isSeasonOf(wait) ? carTrain.railMinutes + wait.minutes : minutes;
    }
  }
}

type SeasonalWait = NonNullable<NonNullable<RoadEdge["carTrain"]>["seasonalWait"]>;

function weightOf({ km }: RoadEdge, minutes: number): number {
  return minutes + km * MINUTES_PER_KM_OF_A_TIE;
}

/** A train with a season runs while its pass is closed. */
function isOpenIfAll({ carTrain, closed }: RoadEdge): boolean {
  return !(carTrain && closed);
}
