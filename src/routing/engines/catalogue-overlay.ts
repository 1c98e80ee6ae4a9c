import { PublicError } from "../../contract/errors.ts";
import { isClosed, localMonthDay } from "../closure.ts";
import { seasonDoubts } from "../doubts.ts";
import type { EmbeddedRouter } from "../embedded-router.ts";
import type { RoadData } from "../load-roads.ts";
import type { MeasuredRoute, RouteStop } from "../router.ts";
import type { RoadEdge } from "../schema.ts";
import { dayName, type SeasonalRoad, seasonalRoads } from "../seasons.ts";

/** What our catalogue says on a journey whatever an engine measures. */
export interface CatalogueOverlay {
  /** Of the catalogue's roads. */
  readonly dataVersion: string;

  /**
   * Car trains and tolls that the embedded network takes on that date, and a doubt where the engine may have measured
   * another way: over a closed pass, or past the train. Throws UNSUPPORTED_ROUTE where the catalogue has all roads
   * between the stops closed.
   */
  over(
    stops: readonly RouteStop[],
    departure: Date,
    measuredKm: number,
    signal: AbortSignal,
  ): Promise<Pick<MeasuredRoute, "feesRappen" | "notes" | "doubts">>;
}

/** Two measurements of the same way do not differ by more. */
const SAME_WAY_SHARE = 0.2;
const SAME_WAY_KM = 5;
/** Shorter by more than this share, a way may lead over a pass; otherwise its price is right anyway. */
const CLEARLY_SHORTER_SHARE = 0.1;

/** `timeZone` is the clock by which winter closures are read. */
export function createCatalogueOverlay(
  embedded: EmbeddedRouter,
  roads: Pick<RoadData, "nodes" | "edges">,
  timeZone: string,
): CatalogueOverlay {
  // A train with a season replaces a pass: nobody drives over it while it does not run.
  const seasonalEdges = roads.edges.filter(({ closed, carTrain }) => closed && !carTrain);

  return {
    dataVersion: embedded.dataVersion,

    async over(stops, departure, measuredKm, signal) {
      const way = wayIfAllOpen(stops);
      if (!way) return { feesRappen: 0, notes: [], doubts: [UNCHECKED] };
      // The other doubts of the embedded measurement are about its own kilometres.
      const { distanceKm, feesRappen, notes } = await embedded.measure(stops, departure, signal);
      const monthDay = localMonthDay(departure, timeZone);
      const seasonal = seasonalRoads(way, roads, monthDay);
      const isAnyClosed = seasonalEdges.some((edge) => isClosed(edge, monthDay));
      const isOverPass = isAnyClosed && isClearlyShorter(measuredKm, distanceKm);
      const isOtherWay = notes.length + feesRappen > 0 && differs(measuredKm, distanceKm);
      return {
        feesRappen,
        notes,
        doubts: [
          ...seasonal.flatMap(closedDoubts),
          ...embedded.trainDoubts(stops, departure),
          ...(isOverPass ? [OVER_PASS] : []),
          ...(isOtherWay ? [otherWay(notes)] : []),
        ],
      };
    },
  };

  /** `undefined` where the stops lie beyond the catalogue's roads, which an engine may well know. */
  function wayIfAllOpen(stops: readonly RouteStop[]): readonly RoadEdge[] | undefined {
    try {
      return embedded.wayIfAllOpen(stops);
    } catch (error) {
      if (error instanceof PublicError && error.code === "UNSUPPORTED_ROUTE") return undefined;
      throw error;
    }
  }
}

/** An engine may have driven over a closed pass; near a change of season nobody knows. */
function closedDoubts(road: SeasonalRoad): readonly string[] {
  if (road.isUncertain) return seasonDoubts(road);
  const { name, closedFrom, closedTo } = road;
  return road.isClosed ? [`${name} is closed from ${dayName(closedFrom)} to ${dayName(closedTo)}.`] : [];
}

const UNCHECKED = "Closed passes, tolls and car trains on this journey could not be checked.";
const OVER_PASS = "The measured way may lead over a pass that is closed.";

function otherWay(notes: readonly string[]): string {
  return notes.length > 0
    ? "The measured way may not be the one with the car train or toll that is named."
    : "The measured way may not be the one whose tolls are in the price.";
}

function differs(aKm: number, bKm: number): boolean {
  return Math.abs(aKm - bKm) > Math.max(SAME_WAY_KM, SAME_WAY_SHARE * bKm);
}

function isClearlyShorter(aKm: number, bKm: number): boolean {
  return bKm - aKm > Math.max(SAME_WAY_KM, CLEARLY_SHORTER_SHARE * bKm);
}
