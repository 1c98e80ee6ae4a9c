import { LRUCache } from "lru-cache";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import type { RoadJourney } from "./road-network.ts";
import type { RouteStop } from "./router.ts";

/** Between the nodes of places, with the same roads open: a journey took 20 µs and takes 4. About 2 kB each. */
const MOST = 2_000;

interface Kept {
  readonly from: RouteStop;
  readonly to: RouteStop;
  readonly journey: RoadJourney;
}

/** Journeys between two nodes that are the same at any hour and on any day with the same roads: no car train, no pass. */
export function createTimelessJourneys() {
  const journeys = new LRUCache<string, Kept>({ max: MOST });

  return {
    /** `undefined` where the stops are not two different nodes. */
    keyOf([from, to, another]: readonly RouteStop[], roadsOpen: string): string | undefined {
      if (!from?.roadNode || !to?.roadNode || another || from.roadNode === to.roadNode) return undefined;
      return `${roadsOpen} ${from.roadNode} ${to.roadNode}`;
    },

    find(key: string | undefined, [from, to]: readonly RouteStop[]): RoadJourney | undefined {
      const kept = key === undefined ? undefined : journeys.get(key);
      // Several places may share a node.
      return kept && isSame(kept.from, from) && isSame(kept.to, to) ? kept.journey : undefined;
    },

    keep(key: string | undefined, [from, to]: readonly RouteStop[], journey: RoadJourney): void {
      if (key === undefined || !from || !to || journey.avoidedTrains.length > 0) return;
      if (journey.roads.some(dependsOnTime) || journey.usualRoads.some(dependsOnTime)) return;
      journeys.set(key, { from, to, journey });
    },
  };
}

function dependsOnTime({ carTrain, closed }: RoadEdge): boolean {
  return carTrain !== undefined || closed !== undefined;
}

function isSame(kept: RouteStop, stop: RouteStop | undefined): boolean {
  const isThere = kept.lat === stop?.lat && kept.lng === stop.lng && kept.name === stop.name;
  return isThere && kept.address === stop?.address && kept.isAnywhereInTown === stop?.isAnywhereInTown;
}
