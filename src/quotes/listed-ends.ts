import type { Corridor } from "../catalog/catalog-schema.ts";
import type { LegEnds } from "../pricing/routes.ts";
import type { LocatedPoint } from "./locate-points.ts";
import type { PricedJourney } from "./quote.ts";

/**
 * What the catalog names of a journey: its published corridor, where it has no stops, and places or zones at its ends.
 * An address or a position is reduced to the place where its car stops, or to the zone that it lies in.
 */
export function createListedEnds(corridors: readonly Corridor[]) {
  const keys = new Map(corridors.map(({ key, origin, destination }) => [`${origin} ${destination}`, key]));

  return (points: readonly LocatedPoint[], { from, to }: LegEnds): NonNullable<PricedJourney["ends"]> => ({
    corridor: (points.length === 2 && keys.get(`${from.placeId} ${to.placeId}`)) || null,
    origin: listedEnd(points[0], from),
    destination: listedEnd(points[points.length - 1], to),
  });
}

function listedEnd(point: LocatedPoint | undefined, { placeId, zoneIds }: LegEnds["from"]): string | null {
  return placeId ?? point?.carStop.id ?? zoneIds[0] ?? null;
}
