import type { Catalog } from "../catalog/catalog.ts";
import type { FarCity, PlaceEntry, Site } from "../catalog/places-schema.ts";
import { crowFliesKm, nearestTo, type Position } from "./geo.ts";
import type { Found, Location, Place } from "./place-finder.ts";

/** Beyond this the distance of a town is stated. */
const NEAR_KM = 15;
/** The nearest town that is served is named for a place that is not, up to this distance. */
const FARTHEST_SERVED_KM = 100;
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

type PlaceCatalog = Pick<Catalog, "places" | "sites" | "roads">;

/** Something of the catalog that is served. */
export type Known = PlaceEntry | Site;

export function isPlace(known: Known | FarCity): known is PlaceEntry {
  return "id" in known;
}

export function isSite(known: Known | FarCity): known is Site {
  return "town" in known;
}

export function isCity(known: Known | FarCity): known is FarCity {
  return !isPlace(known) && !isSite(known);
}

/** Whether this is a single spot, which has no parts: a site, a station or an airport. */
export function isSpot(known: Known | FarCity | Place): boolean {
  return "kind" in known ? known.kind === "airport" || known.kind === "station" : "town" in known;
}

export type Locations = ReturnType<typeof createLocations>;

/** The locations of what the catalog contains, and of positions. */
export function createLocations(catalog: PlaceCatalog) {
  const { places } = catalog;
  const byId = new Map(places.map((place) => [place.id, place]));
  const placeAt = createPlaceAt(catalog, byId);
  const towns = places.filter((place) => !isSpot(place));

  return { of, ofCity, at, byId: (id: string) => byId.get(id), towns, nameWithTown };

  /** A place, or a site, which is priced as its position and named after its town. */
  function of(known: Known): Found {
    if (isPlace(known)) return found(placeOf(known), known);
    return at(known, nameWithTown(known), { isSite: true, town: { name: nameOf(known.town) } });
  }

  /** The site's name with its town, which finds it alone. */
  function nameWithTown({ name, town }: Site): string {
    return name.includes(nameOf(town)) ? name : `${name}, ${nameOf(town)}`;
  }

  function ofCity({ name, ...position }: FarCity): Location {
    const { town } = nowhere(position);
    return { kind: "outside", name, ...((town.km ?? 0) <= FARTHEST_SERVED_KM && { near: town }) };
  }

  /** A position belongs to the place whose extent contains it. */
  function at({ lat, lng }: Position, name: string, own: Partial<Place> = {}): Found {
    const entry = placeAt({ lat, lng });
    const place = entry ? { ...placeOf(entry), town: { name: entry.name } } : nowhere({ lat, lng });
    return found({ ...place, name, lat, lng, isPosition: true, ...own }, entry);
  }

  /** A position in no place is in the country and canton of the nearest town. */
  function nowhere(position: Position) {
    const { name, country, canton, ...center } = nearestTo(position, towns);
    const km = crowFliesKm(center, position);
    const town = { name, ...(km > NEAR_KM && { km: Math.round(km) }) };
    return { id: null, kind: "position", roadNode: null, town, country, canton } as const;
  }

  function placeOf({ id, name, kind, lat, lng, country, canton, partOf, iata, node = id }: PlaceEntry): Place {
    const town = { name: nameOf(partOf ?? id) };
    const own = { ...(partOf && { partOf }), ...(iata && { iata }) };
    return { ...{ id, name, kind, lat, lng, town, country, canton }, roadNode: node, ...own };
  }

  function nameOf(id: string): string {
    return byId.get(id)?.name ?? id;
  }

  function found(place: Place, entry: PlaceEntry | undefined): Found {
    const carStop = entry?.carFree && byId.get(entry.carFree.carStop);
    if (!entry?.carFree || !carStop) return { kind: "found", place, carStop: place, notes: [] };
    const { carStop: _, ...way } = entry.carFree;
    return { kind: "found", place, carStop: placeOf(carStop), connection: { name: entry.name, ...way }, notes: [] };
  }
}

/**
 * Finds the place whose extent contains a position. Extents are circles around the positions of places, with the radius
 * of the place, or for a town without one of its road node. The town of a node is the place with the node's id, otherwise
 * the first of its places that is no station or airport. Where several extents contain a position, an airport counts
 * before any town, then the smallest; of equal ones, that with the nearer center.
 */
function createPlaceAt({ places, sites, roads }: PlaceCatalog, byId: ReadonlyMap<string, PlaceEntry>) {
  const towns = new Map<string, string>();
  for (const { id, node = id } of places.filter((place) => !isSpot(place)))
    if (node === id || !towns.has(node)) towns.set(node, id);
  const extents = [
    ...places.flatMap((place) =>
      [place, ...(place.otherPositions ?? [])].map((center) => ({ place, center, radiusKm: radiusOf(place) })),
    ),
    ...sites.flatMap((site) => {
      const place = byId.get(site.town);
      const isInside = place && crowFliesKm(place, site) <= radiusOf(place);
      return isInside ? [{ place, center: site, radiusKm: SITE_KM }] : [];
    }),
  ];

  return (position: Position): PlaceEntry | undefined => {
    let best: { readonly place: PlaceEntry; readonly rank: readonly number[] } | undefined;
    for (const { place, center, radiusKm } of extents) {
      // Most places are far away: their distance is not worth calculating.
      if (Math.abs(center.lat - position.lat) * KM_PER_DEGREE > radiusKm) continue;
      const km = crowFliesKm(center, position);
      if (km > radiusKm) continue;
      // A town comes before its station where the catalog has both at one position.
      // An airport's perimeter comes before the towns that reach into it.
      const rank = km <= SAME_KM ? [0, Number(place.kind === "station"), km] : [isSpot(place) ? 1 : 2, radiusKm, km];
      if (!best || isBefore(rank, best.rank)) best = { place, rank };
    }
    return best?.place;
  };

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
