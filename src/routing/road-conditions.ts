import { PublicError } from "../contract/errors.ts";
import type { RoadNetwork } from "./road-network.ts";
import type { RouteStop } from "./router.ts";
import type { SeasonalRoad } from "./seasons.ts";

/** What the catalog's roads mean for a route on a day. */
interface RoadConditions {
  /** Passes that the usual route would take and that are closed. */
  readonly closed: readonly SeasonalRoad[];
  /** Names of the car trains on the day's route. */
  readonly carTrains: readonly string[];
}

/** The conditions between two stops; both lists are empty where the network does not join them. */
export type RoadConditionsAt = (stops: readonly RouteStop[], at: Date) => RoadConditions;

export function createRoadConditions(network: RoadNetwork): RoadConditionsAt {
  return (stops, at) => {
    try {
      const { roads, seasonalRoads } = network.journey(stops, at);
      const carTrains = roads.flatMap(({ carTrain, name }) => (carTrain && name ? [name] : []));
      return { closed: seasonalRoads.filter((road) => road.isClosed), carTrains: [...new Set(carTrains)] };
    } catch (error) {
      if (!(error instanceof PublicError)) throw error;
      return { closed: [], carTrains: [] };
    }
  };
}
