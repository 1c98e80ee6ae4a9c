import type { Catalog } from "../catalog/catalog.ts";
import type { PlaceEntry } from "../catalog/places-schema.ts";
import { crowFliesKm, type Position } from "./geo.ts";

/** The catalog's place whose extent contains a position; `undefined` where there is none. */
export type PlaceAt = (position: Position) => PlaceEntry | undefined;

/** An airport's perimeter. */
const AIRPORT_KM = 1;
const STATION_KM = 0.15;
/** A hotel, hospital or other site in the extent of its town belongs to the town, also beside the station. */
const SITE_KM = 0.15;
const CAR_FREE_KM = 1.2;
const USUAL_KM = 0.5;
/** A position this near to a place's own belongs to the place, even where a smaller extent contains it. */
const SAME_KM = 0.05;
const KM_PER_DEGREE = 111;

/**
 * Extents are circles around the positions of places, with the radius of the place, or for a town without one of its
 * road node. The town of a node is the place with the node's id, otherwise the first of its places that is no station or
 * airport. Where several extents contain a position, an airport counts before any town, then the smallest; of equal ones, that with the nearer center.
 */
export function createPlaceAt({ places, sites, roads }: Pick<Catalog, "places" | "sites" | "roads">): PlaceAt {
  const towns = new Map<string, string>();
  /** Created at the first position, so that the start is fast. */
  let extents: ReturnType<typeof createExtents> | undefined;

  return (position) => {
    extents ??= createExtents();
    let best: { readonly place: PlaceEntry; readonly rank: readonly number[] } | undefined;
    for (const { place, center, radiusKm } of extents) {
      // Most places are far away: their distance is not worth calculating.
      if (Math.abs(center.lat - position.lat) * KM_PER_DEGREE > radiusKm) continue;
      const km = crowFliesKm(center, position);
      if (km > radiusKm) continue;
      const isItself = km <= SAME_KM;
      // A town comes before its station where the catalog has both at one position.
      // An airport's perimeter comes before the towns that reach into it.
      const isTown = place.kind !== "airport" && place.kind !== "station";
      const rank = isItself ? [0, Number(place.kind === "station"), km] : [isTown ? 2 : 1, radiusKm, km];
      if (!best || isBefore(rank, best.rank)) best = { place, rank };
    }
    return best?.place;
  };

  function createExtents() {
    for (const { id, node = id, kind } of places)
      if (kind !== "station" && kind !== "airport" && (node === id || !towns.has(node))) towns.set(node, id);
    const byId = new Map(places.map((place) => [place.id, place]));
    return [
      ...places.flatMap((place) =>
        [place, ...(place.otherPositions ?? [])].map((center) => ({ place, center, radiusKm: radiusOf(place) })),
      ),
      ...sites.flatMap((site) => {
        const place = byId.get(site.town);
        const isInside = place && crowFliesKm(place, site) <= radiusOf(place);
        return isInside ? [{ place, center: site, radiusKm: SITE_KM }] : [];
      }),
    ];
  }

  function radiusOf({ id, node = id, kind, carFree, radiusKm }: PlaceEntry): number {
    if (radiusKm !== undefined) return radiusKm;
    if (kind === "airport") return AIRPORT_KM;
    if (kind === "station") return STATION_KM;
    if (carFree) return CAR_FREE_KM;
    return (towns.get(node) === id ? roads.nodes.get(node)?.radiusKm : undefined) ?? USUAL_KM;
  }
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((each, index) => each !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}
