import type { RoadData } from "../catalog/catalog.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import type { RoadGraph, RoadState } from "./road-graph.ts";
import { createLightestPath, type RoadPath } from "./search.ts";
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

/**
 * Searches with the usual wait at each train. If that path reaches a train outside its hours, it is compared, by true
 * waits, with the paths without the train.
 */
export function createTimedPath(roads: RoadData, timeZone: string, graph: RoadGraph): FindTimedPath {
  const findPath = createLightestPath(roads, graph);

  return function find(from, to, state, departure) {
    const path = findPath(from, to, state);
    if (!path || !departure || !path.hasTrain) return path && { waits: NO_WAITS, avoided: [], ...path };
    const { timed, delayed } = byTimetable(path, state, departure);
    const others = delayed.flatMap((train): TimedPath[] => {
      const other = find(from, to, state.without([train]), departure);
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
