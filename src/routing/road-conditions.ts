import { PublicError } from "../contract/errors.ts";
import { localMonthDay } from "./closure.ts";
import type { EmbeddedRouter } from "./embedded-router.ts";
import type { RoadData } from "./load-roads.ts";
import type { RouteStop } from "./router.ts";
import { type SeasonalRoad, seasonalRoads } from "./seasons.ts";

/** What the catalogue's roads say of a way on a day. */
export interface RoadConditions {
  /** Passes that the shortest way would take and that are closed. */
  readonly closed: readonly SeasonalRoad[];
  /** Car trains that are taken instead, or anyway. */
  readonly carTrains: readonly string[];
}

/** Tells the conditions between two stops; nothing out of the ordinary where the network does not join them. */
export type TellConditions = (stops: readonly RouteStop[], at: Date) => RoadConditions;

/** `timeZone` is the clock by which winter closures are read. */
export function createTellConditions(
  router: EmbeddedRouter,
  roads: RoadData,
  timeZone: string,
): TellConditions {
  return (stops, at) => {
    try {
      const seasonal = seasonalRoads(router.wayIfAllOpen(stops), roads, localMonthDay(at, timeZone));
      const carTrains = router
        .way(stops, at)
        .flatMap(({ carTrain, name }) => (carTrain && name ? [name] : []));
      return { closed: seasonal.filter((road) => road.isClosed), carTrains: [...new Set(carTrains)] };
    } catch (error) {
      if (!(error instanceof PublicError)) throw error;
      return { closed: [], carTrains: [] };
    }
  };
}
