import type { embeddedPricing } from "../compose/compose-pricing.ts";
import { stopOf } from "../quotes/locate-points.ts";
import { columns } from "./columns.ts";

/** Of the embedded network: where the kilometers of a published corridor come from. */
export interface CorridorSources {
  readonly key: string;
  /** Kilometers by the source of their roads. */
  readonly km: ReadonlyMap<string, number>;
  /** Part of the length that rests on estimates, 0 to 1. */
  readonly estimated: number;
}

type Loaded = Pick<ReturnType<typeof embeddedPricing>, "catalog" | "places" | "network">;

/** Measures every published corridor at `departure`. */
export function corridorSources({ catalog, places, network }: Loaded, departure: Date): readonly CorridorSources[] {
  return catalog.corridors.map(({ key, origin, destination }) => {
    const stops = [origin, destination].flatMap((id) => places.byId(id) ?? []).map(stopOf);
    const km = new Map<string, number>();
    let length = 0;
    const isJoined = stops.length === 2 && network.joins(stops, departure);
    for (const road of isJoined ? network.journey(stops, departure).roads : []) {
      km.set(road.source, (km.get(road.source) ?? 0) + road.km);
      length += road.km;
    }
    return { key, km, estimated: length === 0 ? 0 : (km.get("estimate") ?? 0) / length };
  });
}

/** A line for each corridor, the most estimated one first. */
export function sourcesTable(corridors: readonly CorridorSources[]): string {
  const sources = [...new Set(corridors.flatMap(({ km }) => [...km.keys()]))].sort();
  const head = ["Kilometers by source", ...sources, "est. %"];
  const rows = [...corridors]
    .sort((a, b) => b.estimated - a.estimated)
    .map(({ key, km, estimated }) => [
      key,
      ...sources.map((source) => (km.get(source) ?? 0).toFixed(1)),
      (estimated * 100).toFixed(1),
    ]);
  return columns([head, ...rows]);
}

export function mostEstimated(corridors: readonly CorridorSources[]): string {
  const most = Math.max(0, ...corridors.map(({ estimated }) => estimated));
  return `${corridors.length} published corridors; of none more than ${(most * 100).toFixed(1)} % is estimated`;
}
