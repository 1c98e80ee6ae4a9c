import type { RoadEdge } from "../catalog/roads-schema.ts";
import type { FindPath, RoadPath } from "./lightest-path.ts";
import type { RoadState } from "./road-state.ts";
import { minutesAfter, waitAt } from "./timetable.ts";

/** A path by the timetables of its car trains. */
export interface TimedPath extends RoadPath {
  /** Minutes at the terminals of its trains, loading included. */
  readonly waits: ReadonlyMap<RoadEdge, number>;
  /** Trains that it would take at another hour. */
  readonly avoided: readonly RoadEdge[];
}

/** Without a departure, as if each train were reached in its hours. */
export type FindTimedPath = (
  from: string,
  to: string,
  state: RoadState,
  departure: Date | undefined,
) => TimedPath | undefined;

const NO_WAITS: TimedPath["waits"] = new Map();

/**
 * Searches with the usual wait at each train. Only where the path would reach a train outside its hours is it weighed
 * with the true wait against the paths without that train.
 */
export function createTimedPath(findPath: FindPath, timeZone: string): FindTimedPath {
  return function find(from, to, state, departure) {
    const path = findPath(from, to, state);
    if (!path || !departure || !path.hasTrain) return path && { waits: NO_WAITS, avoided: [], ...path };
    const { timed, delayed } = byTimetable(path, state, departure);
    const others = delayed.flatMap((train): TimedPath[] => {
      const other = find(from, to, state.without(train), departure);
      return other ? [{ ...other, avoided: [train, ...other.avoided] }] : [];
    });
    return [timed, ...others].filter(({ weight }) => Number.isFinite(weight)).sort((a, b) => a.weight - b.weight)[0];
  };

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
        // Whether later trains are reached does not matter then.
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
