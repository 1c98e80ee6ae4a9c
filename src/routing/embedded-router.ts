import type { RoadNetwork } from "./road-network.ts";
import type { Router } from "./router.ts";

/** A router over the catalog's own roads. */
export function createEmbeddedRouter(network: RoadNetwork): Router {
  return {
    basis: "EMBEDDED_ROAD_NETWORK",
    dataVersion: network.dataVersion,
    async ping() {},

    async measure(stops, departure) {
      const { notes, townNotes, seasonNotes, ...journey } = network.journey(stops, departure);
      const { distanceKm, durationMinutes, feesRappen, carTrainsRappen, doubts, dataVersion, path } = journey;
      const allNotes = [...townNotes, ...notes, ...seasonNotes];
      return { distanceKm, durationMinutes, feesRappen, carTrainsRappen, notes: allNotes, doubts, dataVersion, path };
    },
  };
}
