import { distinct, notice } from "../contract/notices.ts";
import type { RoadNetwork } from "./road-network.ts";
import type { Router } from "./router.ts";

/** A router over the catalog's own roads. */
export function createEmbeddedRouter(network: RoadNetwork): Router {
  return {
    basis: "EMBEDDED_ROAD_NETWORK",
    dataVersion: network.dataVersion,
    async ping() {},

    async measure(stops, departure) {
      const journey = network.journey(stops, departure);
      const { notes, townNotes, seasonNotes, avoidedTrains } = journey;
      const { distanceKm, durationMinutes, feesRappen, carTrainsRappen, doubts, dataVersion, path } = journey;
      const trainNotes = avoidedTrains.map((name) => notice("TRAIN_AVOIDED", { name }));
      const allNotes = [...townNotes, ...notes, ...seasonNotes, ...distinct(trainNotes)];
      return { distanceKm, durationMinutes, feesRappen, carTrainsRappen, notes: allNotes, doubts, dataVersion, path };
    },
  };
}
