import type { Catalog } from "../../catalog/catalog.ts";
import { kindOf } from "../../catalog/catalog-files.ts";
import type { CatalogFolder } from "../../catalog/catalog-folder.ts";
import type { PlaceFinder } from "../../places/place-finder.ts";
import { stopOf } from "../../quotes/locate-points.ts";
import type { RoadNetwork } from "../../routing/road-network.ts";
import type { RouteStop } from "../../routing/router.ts";
import { type Finding, fault, warning } from "./finding.ts";

export interface AuditedRoads {
  readonly folder: CatalogFolder;
  readonly catalog: Catalog;
  readonly places: PlaceFinder;
  /** The roads alone, without the published distances of corridors. */
  readonly network: RoadNetwork;
}

/** When every pass is open and every car train runs, as routing engines assume at any time. */
export const SUMMER_NOON = new Date("2026-08-18T10:00:00Z");
const TOLERANCE = 0.05;

/** Nodes without a road. A road to an unknown node is an error when the catalog is loaded. */
export function auditNodes({ folder, catalog }: AuditedRoads): readonly Finding[] {
  const joined = new Set(catalog.roads.edges.flatMap(({ from, to }) => [from, to]));
  return folder.filesIn("roads").flatMap((file) => {
    const alone = folder.read("roads", file).nodes.filter(({ id }) => !joined.has(id));
    return alone.map(({ id }) => warning(file, `nodes.${id}`, "has no road"));
  });
}

/** Places that cars cannot reach in summer from the origin of the first corridor. */
export function auditPlaces({ folder, catalog, places, network }: AuditedRoads): readonly Finding[] {
  const [start] = stopsAt(places, [catalog.corridors[0]?.origin ?? ""]);
  if (!start) return [];
  const files = folder.filesIn("places").filter((file) => kindOf(file) === "places");
  return files.flatMap((file) =>
    folder.read("places", file).places.flatMap(({ id }) => {
      const isReached = network.joins([start, ...stopsAt(places, [id])], SUMMER_NOON);
      return isReached ? [] : [fault(file, id, `no road leads there from ${start.name}`)];
    }),
  );
}

/** Corridors whose published distance differs from the road network's. */
export function auditCorridors({ catalog, places, network }: AuditedRoads): readonly Finding[] {
  return catalog.corridors.flatMap(({ key, origin, destination, distanceKm }) => {
    const stops = stopsAt(places, [origin, destination]);
    if (!network.joins(stops, SUMMER_NOON)) return [];
    const measured = network.journey(stops, SUMMER_NOON).distanceKm;
    if (Math.abs(distanceKm - measured) <= measured * TOLERANCE) return [];
    const percent = Math.round((distanceKm / measured - 1) * 100);
    const text = `${distanceKm} km; the road network has ${measured} km (${percent > 0 ? "+" : ""}${percent} %)`;
    return [warning("corridors.json", `${key}.distanceKm`, text)];
  });
}

export function stopsAt(places: PlaceFinder, ids: readonly string[]): readonly RouteStop[] {
  return ids.flatMap((id) => places.byId(id) ?? []).map(stopOf);
}
