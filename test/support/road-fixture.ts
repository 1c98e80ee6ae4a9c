import type { RoadData } from "../../src/domain/catalog/catalog.ts";
import type { RoadEdge, RoadNode } from "../../src/domain/catalog/roads-schema.ts";
import type { RouteStop } from "../../src/domain/routing/router.ts";

// biome-ignore format: several fit on a line
const NODES: readonly (readonly [string, number, number])[] = [
  ["west", 46, 7], ["middle", 46, 7.2], ["east", 46, 7.4], ["pass", 46.1, 7.2], ["north", 46.2, 7.2],
  ["island", 46.5, 9], ["skerry", 46.5, 9.2],
];

// biome-ignore format: several fit on a line
const EDGES: readonly Partial<RoadEdge>[] = [
  { from: "west", to: "middle", km: 20, minutes: 20 }, { from: "middle", to: "east", km: 20, minutes: 15 },
  { from: "middle", to: "pass", km: 12.5, minutes: 20, name: "High Pass", closed: { from: "11-01", to: "05-31" } },
  { from: "pass", to: "north", km: 12.5, minutes: 20, name: "High Pass", closed: { from: "11-01", to: "05-31" } },
  { from: "middle", to: "north", km: 18, minutes: 15, road: "car_train", name: "Deep car train", carTrain: { loadingMinutes: 45, fareRappen: 2_950 }, },
  { from: "east", to: "north", km: 40, minutes: 50, name: "Long Tunnel", tunnel: true, toll: { fareRappen: 2_900 } },
  { from: "island", to: "skerry", km: 20, minutes: 20 },
];

interface Changes {
  readonly edges?: typeof EDGES;
  readonly version?: string;
  readonly osrmSeasonalClass?: string;
}

/**
 * A network that can be calculated by hand: a road from west to east via the middle; from there a pass (closed in
 * winter) and a car train to the north; a toll tunnel from the east to the north; and an island that no road joins to
 * the rest.
 */
export function aRoadNetwork({ edges = EDGES, version = "1", ...more }: Changes = {}): RoadData {
  const nodes = NODES.map(([id, lat, lng]): [string, RoadNode] => [id, { id, name: id, lat, lng }]);
  const usual = { from: "", to: "", km: 1, minutes: 1, road: "main", source: "map", checked: "2026-11" } as const;
  const all = edges.map((edge) => ({ ...usual, ...edge }));
  return { nodes: new Map(nodes), edges: all, minutesPerKm: 0.15, version, ...more };
}

/** A stop at a node, or at a position. */
export function aStop(at: string | readonly [number, number]): RouteStop {
  if (typeof at === "string") return { name: at, roadNode: at, lat: 0, lng: 0 };
  return { name: "Somewhere", roadNode: null, lat: at[0], lng: at[1] };
}
