import type { RoadData } from "../catalog/load-roads.ts";
import { type Notice, notice } from "../contract/notices.ts";
import { crowFliesKm, type Position } from "../places/geo.ts";
import { LAST_STRETCH_DETOUR, LAST_STRETCH_KM_PER_MINUTE } from "./anchor.ts";
import type { RouteStop } from "./router.ts";

/** Stops nearer to each other are one place. */
export const SAME_PLACE_KM = 0.2;
const USUAL_RADIUS_KM = 1;
const KM_PER_DEGREE = 111;

/** A drive between two stops in one town, whose streets the network does not contain. */
export interface TownLeg {
  readonly km: number;
  readonly minutes: number;
  /** Both positions are known; otherwise the extent of the town decides. */
  readonly isBetweenPositions: boolean;
  readonly note: Notice;
}

/** `undefined` where the stops are not in one town, or are one place. */
export type LegInTown = (from: RouteStop, to: RouteStop) => TownLeg | undefined;

interface Town extends Position {
  readonly node: string;
  readonly radiusKm: number;
}

/** A town is a node of the network: stops at the node are in it, and positions within the radius that the node states. */
export function createLegInTown({ nodes }: Pick<RoadData, "nodes">): LegInTown {
  const towns = [...nodes.values()].flatMap(({ id: node, lat, lng, radiusKm }) =>
    radiusKm === undefined ? [] : [{ node, lat, lng, radiusKm }],
  );

  return (from, to) => {
    const town = townOf(from);
    if (!town || town.node !== townOf(to)?.node || isSameStop(from, to)) return undefined;
    const isBetweenPositions = !from.isAnywhereInTown && !to.isAnywhereInTown;
    const direct = crowFliesKm(from, to);
    const km = (isBetweenPositions ? direct : Math.max(direct, town.radiusKm)) * LAST_STRETCH_DETOUR;
    const note = notice(isBetweenPositions ? "TOWN_STRAIGHT_LINE" : "TOWN_EXTENT", {
      ...{ from: from.name, to: to.name },
      km: km.toFixed(1),
    });
    return { km, minutes: km / LAST_STRETCH_KM_PER_MINUTE, isBetweenPositions, note };
  };

  function townOf(stop: RouteStop): Pick<Town, "node" | "radiusKm"> | undefined {
    const node = stop.roadNode === null ? undefined : nodes.get(stop.roadNode);
    return node ? { node: node.id, radiusKm: node.radiusKm ?? USUAL_RADIUS_KM } : townAt(stop);
  }

  /** Where several towns contain a position: the one with the smallest distance in proportion to its radius. */
  function townAt(position: Position): Town | undefined {
    let nearest: { readonly town: Town; readonly share: number } | undefined;
    for (const town of towns) {
      // Most towns are far away: their distance is not worth calculating.
      if (Math.abs(town.lat - position.lat) * KM_PER_DEGREE > town.radiusKm) continue;
      const share = crowFliesKm(town, position) / town.radiusKm;
      if (share <= 1 && (!nearest || share < nearest.share)) nearest = { town, share };
    }
    return nearest?.town;
  }
}

/** Two addresses of which only the town is known are two places at one position. */
export function isSameStop(a: RouteStop, b: RouteStop): boolean {
  return a.address === b.address && crowFliesKm(a, b) <= SAME_PLACE_KM;
}
