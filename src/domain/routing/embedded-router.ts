import { distinct, notice } from "../../contract/notices.ts";
import { sha256 } from "../../ops/ids.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { isSameStop } from "./leg.ts";
import type { RoadJourney, RoadNetwork } from "./road-network.ts";
import type { Router, RouteStop } from "./router.ts";

/** A router over the catalog's own roads. */
export function createEmbeddedRouter(network: RoadNetwork): Router {
  return {
    basis: "EMBEDDED_ROAD_NETWORK",
    dataVersion: network.dataVersion,
    async ping() {},

    async measure(stops, departure) {
      const journey = network.journey(stops, departure);
      const { townNotes, notes, seasonNotes, avoidedTrains } = journey;
      const trainNotes = avoidedTrains.map((name) => notice("TRAIN_AVOIDED", { name }));
      return {
        dataVersion: journey.dataVersion,
        distanceKm: journey.distanceKm,
        durationMinutes: journey.durationMinutes,
        ...(journey.stageMinutes && { stageMinutes: journey.stageMinutes }),
        feesRappen: journey.feesRappen,
        carTrainsRappen: journey.carTrainsRappen,
        notes: [...townNotes, ...notes, ...seasonNotes, ...distinct(trainNotes)],
        doubts: journey.doubts,
      };
    },
  };
}

/**
 * A journey between the two ends of a catalog corridor, without other stops, gets the corridor's verified kilometers
 * and minutes; tolls, car trains and doubts stay as measured. Where a closed pass diverts it from its usual route, it
 * keeps its own measurement.
 */
export function createCorridorNetwork(network: RoadNetwork, corridorsByEnds: Catalog["corridorsByEnds"]): RoadNetwork {
  const verified = [...corridorsByEnds].map(([ends, each]) => [ends, each.distanceKm, each.durationMinutes]);
  const dataVersion = `${network.dataVersion}+corridors-${sha256(JSON.stringify(verified), "hex").slice(0, 8)}`;

  return {
    ...network,
    dataVersion,

    journey(stops, departure) {
      const measured = network.journey(stops, departure);
      const [from, to, ...others] = withoutRepeats(stops);
      const corridor = others.length === 0 && corridorsByEnds.get(`${from?.placeId} ${to?.placeId}`);
      if (!corridor || !isUsualRoute(measured)) return Object.assign({}, measured, { dataVersion });
      const { distanceKm, durationMinutes } = corridor;
      return Object.assign({}, measured, {
        dataVersion,
        distanceKm,
        durationMinutes,
        stageMinutes: onLongestStage(measured.stageMinutes ?? [], durationMinutes),
      });
    },
  };
}

/** Other stages of a corridor are between stops at one place. */
function onLongestStage(stages: readonly number[], minutes: number): readonly number[] {
  const longest = stages.indexOf(Math.max(...stages));
  return stages.map((_, index) => (index === longest ? minutes : 0));
}

function isUsualRoute({ roads, usualRoads }: RoadJourney): boolean {
  return roads.length === usualRoads.length && roads.every((edge, index) => edge === usualRoads[index]);
}

/** Without the stops that are at the same place as the one before, which add nothing to the route. */
function withoutRepeats(stops: readonly RouteStop[]): readonly RouteStop[] {
  return stops.filter((stop, index) => {
    const previous = stops[index - 1];
    return !stop.placeId || !previous || stop.placeId !== previous.placeId || !isSameStop(stop, previous);
  });
}
