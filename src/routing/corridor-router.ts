import { createHash } from "node:crypto";
import type { Corridor } from "../published/schema.ts";
import type { EmbeddedRouter } from "./embedded-router.ts";
import type { RouteStop } from "./router.ts";

/**
 * Journeys that match a published corridor at both ends, without stops on the way, get its verified kilometres and
 * minutes; tolls, car trains and doubts stay measured. Where a closed pass leads that day's way elsewhere, its own
 * measurement stands.
 */
export function createCorridorRouter(
  network: EmbeddedRouter,
  corridors: readonly Corridor[],
): EmbeddedRouter {
  const byEnds = new Map(
    corridors.map((corridor) => [`${corridor.origin} ${corridor.destination}`, corridor]),
  );
  const version = createHash("sha256")
    .update(JSON.stringify(corridors.map((each) => [each.key, each.distanceKm, each.durationMinutes])))
    .digest("hex")
    .slice(0, 8);

  return {
    ...network,
    dataVersion: `${network.dataVersion}+corridors-${version}`,

    async measure(stops, departure, signal) {
      const measured = await network.measure(stops, departure, signal);
      const [from, to, ...others] = withoutRepeats(stops);
      const verified = others.length === 0 && byEnds.get(`${from?.placeId} ${to?.placeId}`);
      if (!verified || !isUsualWay(stops, departure)) return measured;
      const { distanceKm, durationMinutes } = verified;
      return { ...measured, distanceKm, durationMinutes };
    },
  };

  function isUsualWay(stops: readonly RouteStop[], departure: Date): boolean {
    const usual = network.wayIfAllOpen(stops);
    const way = network.way(stops, departure);
    return way.length === usual.length && way.every((edge, index) => edge === usual[index]);
  }
}

/** A stop where the car stands already leaves the way as it is. */
function withoutRepeats(stops: readonly RouteStop[]): readonly RouteStop[] {
  return stops.filter(({ placeId }, index) => !placeId || placeId !== stops[index - 1]?.placeId);
}
