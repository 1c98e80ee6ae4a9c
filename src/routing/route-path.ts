import type { Leg } from "./leg.ts";
import type { RouteStop } from "./router.ts";

/** The way of a route over the catalog's network, for a picture of it. */
export interface RoutePath {
  /** Without a name where the name is the caller's own and not the catalog's. */
  readonly stops: readonly { readonly name: string; readonly lat: number; readonly lng: number }[];
  /** Ids of the nodes between neighboring stops, separated by spaces; empty where they are joined by other streets. */
  readonly legs: readonly string[];
}

export function pathOf(stops: readonly RouteStop[], legs: readonly Leg[]): RoutePath {
  return {
    stops: stops.map(({ name, roadNode, lat, lng }) => ({
      name: roadNode === null ? "" : name,
      lat: degrees(lat),
      lng: degrees(lng),
    })),
    legs: legs.map(nodesOf),
  };
}

function nodesOf({ start, path }: Leg): string {
  if (start.node === undefined) return "";
  const nodes = [start.node];
  for (const { from, to } of path) nodes.push(nodes[nodes.length - 1] === from ? to : from);
  return nodes.join(" ");
}

/** To a meter. */
function degrees(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}
