import type { RoadData } from "../../catalog/load-roads.ts";
import { PublicError } from "../../contract/errors.ts";
import { type Notice, notice } from "../../contract/notices.ts";
import { isClosed } from "../closure.ts";
import { seasonDoubts } from "../doubts.ts";
import { createLegInTown, type LegInTown } from "../in-town.ts";
import type { RoadJourney, RoadNetwork } from "../road-network.ts";
import type { MeasuredRoute, RouteStop } from "../router.ts";
import type { SeasonalRoad } from "../seasons.ts";
import { localMoment } from "../timetable.ts";

/** What the catalog adds to an engine's measurement. */
export interface CatalogOverlay {
  /** Of the catalog's roads. */
  readonly dataVersion: string;
  /** An engine measures to the center of a town where only the town is known. */
  readonly legInTown: LegInTown;

  /**
   * Car trains and tolls that the embedded network takes on that date, and a doubt where the engine may have measured
   * another route: over a closed pass, or past the train. Throws UNSUPPORTED_ROUTE where the catalog has all roads
   * between the stops closed.
   */
  over(
    stops: readonly RouteStop[],
    departure: Date,
    measuredKm: number,
  ): Pick<MeasuredRoute, "feesRappen" | "carTrainsRappen" | "notes" | "doubts">;
}

/** Two measurements of the same route do not differ by more. */
const SAME_ROUTE_SHARE = 0.2;
const SAME_ROUTE_KM = 5;
/** Shorter by more than this share, a route may lead over a pass; otherwise its price is right anyway. */
const CLEARLY_SHORTER_SHARE = 0.1;

/** `timeZone` is the clock by which winter closures are read. */
export function createCatalogOverlay(
  network: RoadNetwork,
  { nodes, edges }: Pick<RoadData, "nodes" | "edges">,
  timeZone: string,
): CatalogOverlay {
  // A train with a season replaces a pass: nobody drives over it while it does not run.
  const seasonalEdges = edges.filter(({ closed, carTrain }) => closed && !carTrain);

  return {
    dataVersion: network.dataVersion,
    legInTown: createLegInTown({ nodes }),

    over(stops, departure, measuredKm) {
      const journey = journeyOf(stops, departure);
      if (!journey) return { feesRappen: 0, carTrainsRappen: 0, notes: [], doubts: [notice("ROADS_UNCHECKED")] };
      // The other doubts of the embedded measurement are about its own kilometers.
      const { distanceKm, feesRappen, carTrainsRappen, notes, seasonalRoads, trainDoubts, avoidedTrains } = journey;
      const { monthDay } = localMoment(departure, timeZone);
      const isAnyClosed = seasonalEdges.some((edge) => isClosed(edge, monthDay));
      const isShorter = isClearlyShorter(measuredKm, distanceKm);
      const isOtherRoute = notes.length + feesRappen > 0 && differs(measuredKm, distanceKm);
      return {
        feesRappen,
        carTrainsRappen,
        notes,
        doubts: [
          ...seasonalRoads.flatMap(closedDoubts),
          ...trainDoubts,
          ...(isShorter && isAnyClosed ? [notice("MAY_CROSS_CLOSED_PASS")] : []),
          ...(isShorter ? avoidedTrains.map((name) => notice("MAY_TAKE_IDLE_TRAIN", { name })) : []),
          ...(isOtherRoute ? [notice(notes.length > 0 ? "MAY_MISS_NAMED_ROAD" : "MAY_MISS_TOLLS")] : []),
        ],
      };
    },
  };

  /** `undefined` where the stops lie beyond the catalog's roads, which an engine may well cover. */
  function journeyOf(stops: readonly RouteStop[], departure: Date): RoadJourney | undefined {
    try {
      return network.journey(stops, departure);
    } catch (error) {
      if (error instanceof PublicError && !network.joins(stops, departure)) return undefined;
      throw error;
    }
  }
}

/** An engine may have measured over a closed pass; near a change of season it is not known whether it is open. */
function closedDoubts(road: SeasonalRoad): readonly Notice[] {
  if (road.isUncertain) return seasonDoubts(road);
  const { name, closedFrom: from, closedTo: to } = road;
  return road.isClosed ? [notice("PASS_CLOSED", { name, from, to })] : [];
}

function differs(aKm: number, bKm: number): boolean {
  return Math.abs(aKm - bKm) > Math.max(SAME_ROUTE_KM, SAME_ROUTE_SHARE * bKm);
}

function isClearlyShorter(aKm: number, bKm: number): boolean {
  return bKm - aKm > Math.max(SAME_ROUTE_KM, CLEARLY_SHORTER_SHARE * bKm);
}
