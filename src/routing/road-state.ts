import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { isClosed, isUncertain } from "./closure.ts";
import { type LocalDay, usualWait } from "./timetable.ts";

/** Which roads are open and how the search weighs them. */
export interface RoadState {
  /** Equal on days with the same roads. */
  readonly key: string;
  isOpen(edge: RoadEdge): boolean;
  /** Minutes to drive the edge, or to wait for its train in its hours and ride on it. */
  minutesOf(edge: RoadEdge): number;
  /** What so many kilometers and minutes weigh: the price goes by the kilometer, so they count as well. */
  weigh(km: number, minutes: number): number;
  /** What each of the roads' edges weighs, `Infinity` where it is closed; built at each call. */
  weights(): Float64Array;
  /** The same day without that car train. */
  without(train: RoadEdge): RoadState;
}

export interface RoadStates {
  /** As in a usual year. */
  on(day: LocalDay): RoadState;
  /** With roads closed that may be, around their usual opening and closing. */
  certainOn(day: LocalDay): RoadState;
  /** As if every pass were open. */
  allOpenOn(day: LocalDay): RoadState;
}

export function createRoadStates({ edges, minutesPerKm }: RoadData): RoadStates {
  const weigh = (km: number, minutes: number) => minutes + km * minutesPerKm;
  const keys = new Map<string, string>();
  const usual = Float64Array.from(edges, ({ km, minutes }) => weigh(km, minutes));
  const seasonal: { readonly position: number; readonly edge: RoadEdge }[] = [];
  edges.forEach((edge, position) => {
    if (edge.closed || edge.carTrain) seasonal.push({ position, edge });
  });

  return {
    on: byDay(({ closed }, { monthDay }) => !isClosed({ closed }, monthDay)),
    // A train with a season replaces a pass, and runs by its timetable.
    certainOn: byDay(
      (edge, { monthDay }) => !isClosed(edge, monthDay) && (!!edge.carTrain || !isUncertain(edge, monthDay)),
    ),
    allOpenOn: byDay(isOpenIfAll),
  };

  function byDay(isOpenOn: (edge: RoadEdge, day: LocalDay) => boolean): (day: LocalDay) => RoadState {
    const days = new Map<string, RoadState>();
    return (day) => {
      const key = `${day.monthDay} ${day.weekday}`;
      const state = days.get(key) ?? stateOn(day, isOpenOn);
      days.set(key, state);
      return state;
    };
  }

  function stateOn(day: LocalDay, isOpenOn: (edge: RoadEdge, day: LocalDay) => boolean): RoadState {
    return stateOf(
      (edge) => isOpenOn(edge, day),
      ({ minutes, carTrain }) =>
        carTrain ? minutes + (usualWait(carTrain, day) ?? Number.POSITIVE_INFINITY) : minutes,
    );
  }

  function stateOf(isOpen: RoadState["isOpen"], minutesOf: RoadState["minutesOf"]): RoadState {
    const weighed = seasonal.map(({ position, edge }) => {
      const reluctance = edge.carTrain?.reluctanceMinutes ?? 0;
      const weight = isOpen(edge) ? weigh(edge.km, minutesOf(edge)) + reluctance : Number.POSITIVE_INFINITY;
      return { position, weight };
    });
    const content = weighed.map(({ weight }) => weight).join();
    const key = keys.get(content) ?? String(keys.size);
    keys.set(content, key);
    return {
      key,
      isOpen,
      minutesOf,
      weigh,
      weights() {
        const weights = usual.slice();
        for (const { position, weight } of weighed) weights[position] = weight;
        return weights;
      },
      without: (train) => stateOf((edge) => edge !== train && isOpen(edge), minutesOf),
    };
  }
}

/** A train with a season runs while its pass is closed. */
function isOpenIfAll({ carTrain, closed }: RoadEdge): boolean {
  return !(carTrain && closed);
}
