import { distinct, notice } from "../../contract/notices.ts";
import { sha256 } from "../../ops/ids.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { isUsualRoute, type RoadNetwork } from "./road-network.ts";
import { exactOf, type Router, roundedSums } from "./router.ts";

/** The basis of a router that asks no other engine. */
export const EMBEDDED = "EMBEDDED_ROAD_NETWORK";

/** A router over the catalog's own roads. */
export function createEmbeddedRouter(network: RoadNetwork): Router {
  return {
    basis: EMBEDDED,
    dataVersion: network.dataVersion,
    async ping() {},

    async measure(stops, departure) {
      const journey = network.journey(stops, departure);
      const { townNotes, notes, seasonNotes, avoidedTrains, distanceKm, usualKm = distanceKm } = journey;
      const more_km = Math.max(0, Math.round(distanceKm - usualKm)) || undefined;
      const trainNotes = avoidedTrains.map((name) => notice("TRAIN_AVOIDED", { name, more_km }));
      const all = [...townNotes, ...notes, ...seasonNotes, ...distinct(trainNotes)];
      return { ...journey, exact: exactOf(journey.stages), notes: all };
    },
  };
}

/**
 * A stage between the two ends of a catalog corridor gets the corridor's verified kilometers and minutes; tolls, car
 * trains and doubts stay as measured. Where a closed pass diverts it from its usual route, it keeps its own measurement.
 */
export function createCorridorNetwork(network: RoadNetwork, corridorsByEnds: Catalog["corridorsByEnds"]): RoadNetwork {
  const verified = [...corridorsByEnds].map(([ends, each]) => [ends, each.distanceKm, each.durationMinutes]);
  const dataVersion = `${network.dataVersion}+${sha256(JSON.stringify(verified), "hex").slice(0, 8)}`;

  return {
    ...network,
    dataVersion,

    journey(stops, departure) {
      const measured = network.journey(stops, departure);
      const stages = measured.stages.map((stage, index) => {
        const corridor = corridorsByEnds.get(`${stops[index]?.placeId} ${stops[index + 1]?.placeId}`);
        if (!corridor || !isUsualRoute(stage)) return stage;
        return { ...stage, km: corridor.distanceKm, minutes: corridor.durationMinutes };
      });
      const moreKm = exactOf(stages).km - exactOf(measured.stages).km;
      const usualKm = measured.usualKm === undefined ? {} : { usualKm: measured.usualKm + moreKm };
      return {
        ...measured,
        dataVersion,
        stages,
        ...usualKm,
        ...roundedSums(stages, measured.stageMinutes !== undefined),
      };
    },
  };
}
