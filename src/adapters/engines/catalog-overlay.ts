import { PublicError } from "../../contract/errors.ts";
import { type Notice, notice } from "../../contract/notices.ts";
import type { RoadData } from "../../domain/catalog/catalog.ts";
import type { RoadEdge } from "../../domain/catalog/roads-schema.ts";
import type { Position } from "../../domain/places/geo.ts";
import { createLegInTown } from "../../domain/routing/leg.ts";
import type { RoadJourney, RoadNetwork } from "../../domain/routing/road-network.ts";
import type { MeasuredRoute, RouteStop } from "../../domain/routing/router.ts";
import {
  isClosed,
  isUncertain,
  localMoment,
  type SeasonalRoad,
  seasonalRoads,
  seasonDoubts,
} from "../../domain/routing/timetable.ts";
import { differs, isClearlyShorter } from "./plausible.ts";
import type { AvoidedRoads } from "./road-engine.ts";

type Overlay = Pick<MeasuredRoute, "feesRappen" | "carTrainsRappen" | "carTrainKm" | "notes" | "doubts">;

/** What the catalog adds to an engine's measurement. Winter closures are read in `timeZone`. */
export type CatalogOverlay = ReturnType<typeof createCatalogOverlay>;
export type OverlaidJourney = ReturnType<CatalogOverlay["on"]>;

export function createCatalogOverlay(
  network: RoadNetwork,
  { nodes, edges }: Pick<RoadData, "nodes" | "edges">,
  timeZone: string,
) {
  // Without car trains, since engines cannot drive over them.
  const seasonalEdges = edges.filter(({ closed, carTrain }) => closed && !carTrain);

  return {
    dataVersion: network.dataVersion,
    /** An engine measures to the center of a town where only the town is known. */
    legInTown: createLegInTown({ nodes }),

    /** Throws UNSUPPORTED_ROUTE where the catalog's roads join the stops, but are closed. */
    on(stops: readonly RouteStop[], departure: Date) {
      const { monthDay } = localMoment(departure, timeZone);
      const journey = journeyOf(stops, departure);
      const notOpen = seasonalEdges.filter(
        (edge) => !journey?.roads.includes(edge) && (isClosed(edge, monthDay) || isUncertain(edge, monthDay)),
      );
      const isAnyClosed = notOpen.some((edge) => isClosed(edge, monthDay)) || journey?.closures !== undefined;
      return {
        avoided: avoidedOf(notOpen, journey),
        /** Whether the catalog's route is about as long as the measured one. */
        isAsLong: (measuredKm: number) => journey !== undefined && !differs(measuredKm, journey.distanceKm),
        /**
         * Car trains and tolls of the catalog's route on that date, with doubts where the engine may have measured
         * another route, such as one over a closed pass. `hasAvoided`: the engine was asked to avoid the `avoided` roads.
         */
        over(measuredKm: number, hasAvoided: boolean): Overlay {
          if (!journey)
            return { feesRappen: 0, carTrainsRappen: 0, carTrainKm: 0, notes: [], doubts: [notice("ROADS_UNCHECKED")] };
          const seasonal = hasAvoided ? seasonalRoads(journey.roads, { nodes }, monthDay) : journey.seasonalRoads;
          const { doubts, ...charged } = overlaid(journey, measuredKm, isAnyClosed);
          return {
            ...charged,
            notes: hasAvoided ? [...charged.notes, ...journey.seasonNotes] : charged.notes,
            doubts: [...seasonal.flatMap(closedDoubts), ...doubts],
          };
        },
      };
    },
  };

  /**
   * Roads that are or may be closed that day and that the catalog's route does not take. `undefined` where none of them
   * has a position, or one on the usual route has none.
   */
  function avoidedOf(notOpen: readonly RoadEdge[], journey: RoadJourney | undefined): AvoidedRoads | undefined {
    const positions = new Map<string, Position>();
    for (const { closed } of notOpen) if (closed?.at) positions.set(`${closed.at.lat},${closed.at.lng}`, closed.at);
    // The engine can only avoid roads that have a position.
    const isComplete = notOpen.every((edge) => edge.closed?.at || !journey?.usualRoads.includes(edge));
    if (positions.size === 0 || !isComplete) return undefined;
    const areAllSeasonal = journey !== undefined && !journey.roads.some((edge) => seasonalEdges.includes(edge));
    const takesCarTrain = journey?.roads.some(({ carTrain }) => carTrain) ?? false;
    return { positions: [...positions.values()], areAllSeasonal, takesCarTrain };
  }

  /** `undefined` where the catalog's roads do not join the stops, although the engine's may. */
  function journeyOf(stops: readonly RouteStop[], departure: Date): RoadJourney | undefined {
    try {
      return network.journey(stops, departure);
    } catch (error) {
      if (error instanceof PublicError && !network.joins(stops, departure)) return undefined;
      throw error;
    }
  }
}

/**
 * Keeps only doubts about car trains and about stops on roads with a closure of exact dates: the journey's other doubts
 * are about the catalog's own kilometers, or about seasonal roads (`closedDoubts`).
 */
function overlaid(
  {
    distanceKm,
    feesRappen,
    carTrainsRappen,
    carTrainKm,
    notes,
    doubts,
    trainDoubts,
    avoidedTrains,
    closures,
  }: RoadJourney,
  measuredKm: number,
  isAnyClosed: boolean,
): Overlay {
  const isShorter = isClearlyShorter(measuredKm, distanceKm);
  const isOtherRoute = notes.length + feesRappen > 0 && differs(measuredKm, distanceKm);
  return {
    feesRappen,
    carTrainsRappen,
    carTrainKm,
    notes,
    doubts: [
      ...(closures ? doubts.filter(({ code }) => code === "ROAD_CLOSED") : []),
      ...trainDoubts,
      ...(isShorter && isAnyClosed ? [notice("ROUTE_MAY_DIFFER", { crosses: 1 })] : []),
      ...(isShorter ? avoidedTrains.map((name) => notice("ROUTE_MAY_DIFFER", { name })) : []),
      ...(isOtherRoute ? [notice("ROUTE_MAY_DIFFER", { misses: notes.length > 0 ? 1 : undefined })] : []),
    ],
  };
}

/** Doubts about a seasonal road that the engine may have crossed although it is, or may be, closed. */
function closedDoubts(road: SeasonalRoad): readonly Notice[] {
  if (road.isUncertain) return seasonDoubts(road);
  const { name, closedFrom: from, closedTo: to } = road;
  return road.isClosed ? [notice("PASS_CLOSED", { name, from, to })] : [];
}
