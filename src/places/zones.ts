import type { Catalog } from "../catalog/catalog.ts";
import type { Zone } from "../catalog/offer-schema.ts";
import { crowFliesKm } from "./geo.ts";
import type { Place } from "./place-finder.ts";

type Locatable = Pick<Place, "id" | "lat" | "lng" | "postcode">;

export type Zones = ReturnType<typeof createZones>;

export function createZones({ zones, places }: Pick<Catalog, "zones" | "places">) {
  const byId = new Map(zones.map((zone) => [zone.id, zone]));
  const placesById = new Map(places.map((place) => [place.id, place]));

  return { of, meet };

  /** Ids of the zones that contain a place, an address or a position. */
  function of(place: Locatable): readonly string[] {
    return zones.filter((zone) => isIn(zone, place)).map(({ id }) => id);
  }

  /** Whether a place, an address or a position can lie in both; each is the id of a zone or of a place. */
  function meet(id: string, otherId: string): boolean {
    if (id === otherId) return true;
    const [a, b] = [byId.get(id), byId.get(otherId)];
    if (a && b) return haveCommon(a, b) || places.some((place) => isIn(a, place) && isIn(b, place));
    const [zone, place] = [a ?? b, placesById.get(a ? otherId : id)];
    return zone !== undefined && place !== undefined && isIn(zone, place);
  }

  function isIn({ places: ids, postcodes, circle }: Zone, place: Locatable): boolean {
    // An address or a position in a place of the catalog is in the zones of that place.
    const entry = placesById.get(place.id ?? "");
    const own = entry?.postcodes ?? (place.postcode === undefined ? [] : [place.postcode]);
    return (
      (entry !== undefined && (ids?.includes(entry.id) ?? false)) ||
      (postcodes !== undefined && own.length > 0 && own.every((postcode) => postcodes.includes(postcode))) ||
      (circle !== undefined && crowFliesKm(circle, entry ?? place) <= circle.radiusKm)
    );
  }
}

/** Whether two zones overlap even without a common place: addresses and positions may lie there. */
function haveCommon(a: Zone, b: Zone): boolean {
  const isShared = a.postcodes?.some((postcode) => b.postcodes?.includes(postcode)) ?? false;
  return (
    isShared || (a.circle && b.circle ? crowFliesKm(a.circle, b.circle) < a.circle.radiusKm + b.circle.radiusKm : false)
  );
}
