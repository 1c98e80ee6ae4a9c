import { isClosed, isWithin } from "./closure.ts";
import type { RoadData } from "./load-roads.ts";
import type { RoadEdge } from "./schema.ts";

/** Which roads are open and how the search weighs them; days on which all is alike share one. */
export interface RoadState {
  /** Equal for equal states. */
  readonly key: string;
  isOpen(edge: RoadEdge): boolean;
  /** Never less than the edge's minutes, `Infinity` where it is closed. */
  weigh(edge: RoadEdge): number;
}

export interface RoadStates {
  on(monthDay: string): RoadState;
  /** As if every pass were open. */
  readonly allOpen: RoadState;
}

/** Of two ways equally fast the shorter one is taken, or there and back would be priced apart. */
const MINUTES_PER_KM_OF_A_TIE = 1e-6;

export function createRoadStates({ edges }: Pick<RoadData, "edges">): RoadStates {
  const seasonal = edges.filter(({ closed, carTrain }) => closed || carTrain?.reluctance);
  const byDay = new Map<string, RoadState>();
  const keys = new Map<string, string>();
  const allOpen = stateOf(isOpenIfAll, () => true);

  return {
    allOpen,
    on(monthDay) {
      const known = byDay.get(monthDay);
      if (known) return known;
      const isOpen = (edge: RoadEdge) => !isClosed(edge, monthDay);
      const state = stateOf(isOpen, (season) => isWithin(season, monthDay));
      byDay.set(monthDay, state);
      return state;
    },
  };

  function stateOf(isOpen: RoadState["isOpen"], isReluctant: (season: Season) => boolean): RoadState {
    const weigh = (edge: RoadEdge) => {
      const minutes = edge.minutes + edge.km * MINUTES_PER_KM_OF_A_TIE;
      if (!edge.closed && !edge.carTrain) return minutes;
      if (!isOpen(edge)) return Number.POSITIVE_INFINITY;
      const reluctance = edge.carTrain?.reluctance;
      return minutes + (reluctance && isReluctant(reluctance) ? reluctance.minutes : 0);
    };
    return { key: keyOf(seasonal.map(weigh).join()), isOpen, weigh };
  }

  function keyOf(weights: string): string {
    const key = keys.get(weights) ?? String(keys.size);
    keys.set(weights, key);
    return key;
  }
}

type Season = NonNullable<NonNullable<RoadEdge["carTrain"]>["reluctance"]>;

/** A train with a season runs while its pass is closed. */
function isOpenIfAll({ carTrain, closed }: RoadEdge): boolean {
  return !(carTrain && closed);
}
