import { instantOfLocal, localDateTime } from "../../ops/local-time.ts";
import { isUsualRoute, type RoadNetwork, unlessUnsupported } from "./road-network.ts";
import type { MeasuredRoute, RouteStop } from "./router.ts";
import type { SeasonalRoad } from "./timetable.ts";

/** Closed passes and car trains of a route on a day. */
interface RoadConditions {
  /** Passes that the usual route would take and that are closed. */
  readonly closed: readonly SeasonalRoad[];
  /** Names of the car trains on the day's route. */
  readonly carTrains: readonly string[];
  /** The day's route (`viaOf`). */
  readonly via: readonly string[];
  /** Its kilometers and minutes where it is not the usual route; absent where it is. */
  readonly other?: Pick<MeasuredRoute, "distanceKm" | "durationMinutes">;
}

/**
 * The conditions between two stops on the local day of an instant, at noon, since no car train runs at night; all lists
 * are empty where the network does not join them.
 */
export type RoadConditionsOn = (stops: readonly RouteStop[], day: Date) => RoadConditions;

export function createRoadConditions(network: RoadNetwork, timeZone: string): RoadConditionsOn {
  return (stops, day) => {
    const noon = instantOfLocal(`${localDateTime(day, timeZone).slice(0, 10)}T12:00:00`, timeZone);
    const journey = unlessUnsupported(() => network.journey(stops, noon));
    if (!journey) return { closed: [], carTrains: [], via: [] };
    const carTrains = journey.roads.flatMap(({ carTrain, name }) => (carTrain && name ? [name] : []));
    const closed = journey.seasonalRoads.filter((road) => road.isClosed);
    const { via, stages, distanceKm, durationMinutes } = journey;
    const other = stages.every(isUsualRoute) ? {} : { other: { distanceKm, durationMinutes } };
    return { closed, carTrains: [...new Set(carTrains)], via, ...other };
  };
}
