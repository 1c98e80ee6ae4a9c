import { createBoundedCache } from "../ops/bounded-cache.ts";
import type { RoadJourney } from "./road-network.ts";
import type { RouteStop } from "./router.ts";

/** Between the nodes of places, with the same roads open: a journey took 20 µs and takes 4. About 2 kB each. */
const MOST = 2_000;

interface Kept {
  readonly from: RouteStop;
  readonly to: RouteStop;
  readonly journey: RoadJourney;
  /** Where a road on it has a season: how near that is to its end depends on the day. */
  readonly monthDay: string | undefined;
}

/**
 * Journeys between two nodes without a car train: the same at any hour, and on any day with the same roads unless one of
 * them is a pass.
 */
export function createTimelessJourneys() {
  const journeys = createBoundedCache<Kept>(MOST);

  return {
    /** `undefined` where the stops are not two different nodes. */
    keyOf([from, to, another]: readonly RouteStop[], roadsOpen: string): string | undefined {
      if (!from?.roadNode || !to?.roadNode || another || from.roadNode === to.roadNode) return undefined;
      return `${roadsOpen} ${from.roadNode} ${to.roadNode}`;
    },

    find(key: string | undefined, [from, to]: readonly RouteStop[], monthDay: string): RoadJourney | undefined {
      const kept = key === undefined ? undefined : journeys.get(key);
      if (kept?.monthDay !== undefined && kept.monthDay !== monthDay) return undefined;
      // Several places may share a node.
      return kept && isSame(kept.from, from) && isSame(kept.to, to) ? kept.journey : undefined;
    },

    keep(key: string | undefined, [from, to]: readonly RouteStop[], journey: RoadJourney, monthDay: string): void {
      if (key === undefined || !from || !to || journey.avoidedTrains.length > 0) return;
      const roads = [...journey.roads, ...journey.usualRoads];
      if (roads.some(({ carTrain }) => carTrain)) return;
      const day = roads.some(({ closed }) => closed) ? monthDay : undefined;
      journeys.set(key, { from, to, journey, monthDay: day });
    },
  };
}

function isSame(kept: RouteStop, stop: RouteStop | undefined): boolean {
  const isThere = kept.lat === stop?.lat && kept.lng === stop.lng && kept.name === stop.name;
  return isThere && kept.address === stop?.address && kept.isAnywhereInTown === stop?.isAnywhereInTown;
}
