import { type Finding, fault, warning } from "../../domain/catalog/finding.ts";
import type { RoadEdge } from "../../domain/catalog/roads-schema.ts";
import type { PlaceFinder } from "../../domain/places/place-finder.ts";
import { stopOf } from "../../domain/quotes/locate-points.ts";
import type { RouteStop } from "../../domain/routing/router.ts";
import type { Audited } from "./audit.ts";

/** When every pass is open and every car train runs, as routing engines assume at any time. */
export const SUMMER_NOON = new Date("2026-08-18T10:00:00Z");
const TOLERANCE = 0.05;

/** Nodes without a road. A road to an unknown node is an error when the catalog is loaded. */
export function auditNodes({ catalog: { roads } }: Audited): readonly Finding[] {
  const joined = new Set(roads.edges.flatMap(({ from, to }) => [from, to]));
  const alone = [...roads.nodes.values()].filter(({ id }) => !joined.has(id));
  return alone.map((node) => warning(roads.fileOf.get(node) ?? "roads", `nodes.${node.id}`, "has no road"));
}

/** Places that cars cannot reach in summer from the origin of the first corridor. */
export function auditPlaces({ catalog, roads }: Audited): readonly Finding[] {
  if (!roads) return [];
  const { places, network } = roads;
  const [start] = stopsAt(places, [catalog.corridors[0]?.origin ?? ""]);
  if (!start) return [];
  const joined = nodesJoinedTo(start.roadNode ?? "", catalog.roads.edges);
  return [...catalog.placeFiles].flatMap(([id, file]) => {
    const stops = stopsAt(places, [id]);
    // A road network measures only the few places that are not at a node of the largest part of the roads.
    const isReached =
      stops.every(({ roadNode }) => joined.has(roadNode ?? "")) || network.joins([start, ...stops], SUMMER_NOON);
    return isReached ? [] : [fault(file, id, `no road leads there from ${start.name}`)];
  });
}

/** The nodes that open roads join to one of them, itself included. */
function nodesJoinedTo(first: string, edges: readonly RoadEdge[]): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) {
    next.set(from, [...(next.get(from) ?? []), to]);
    next.set(to, [...(next.get(to) ?? []), from]);
  }
  const joined = new Set([first]);
  for (const node of joined) for (const neighbor of next.get(node) ?? []) joined.add(neighbor);
  return joined;
}

/** Corridors whose published distance differs from the road network's. */
export function auditCorridors({ catalog, roads }: Audited): readonly Finding[] {
  if (!roads) return [];
  const { places, network } = roads;
  return catalog.corridors.flatMap(({ key, origin, destination, distanceKm }) => {
    const stops = stopsAt(places, [origin, destination]);
    if (!network.joins(stops, SUMMER_NOON)) return [];
    const measured = network.journey(stops, SUMMER_NOON).distanceKm;
    if (Math.abs(distanceKm - measured) <= measured * TOLERANCE) return [];
    const percent = Math.round((distanceKm / measured - 1) * 100);
    const text = `${distanceKm} km; the road network has ${measured} km (${percent > 0 ? "+" : ""}${percent} %): correct it, unless the other is wrong`;
    return [warning("corridors.json", `${key}.distanceKm`, text)];
  });
}

export function stopsAt(places: PlaceFinder, ids: readonly string[]): readonly RouteStop[] {
  return ids.flatMap((id) => places.byId(id) ?? []).map(stopOf);
}
