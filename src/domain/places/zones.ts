import type { Catalog } from "../catalog/catalog.ts";
import type { Zone } from "../catalog/offer-schema.ts";
import type { PlaceEntry } from "../catalog/places-schema.ts";
import { crowFliesKm } from "./geo.ts";
import type { Place } from "./place-finder.ts";

type Locatable = Pick<Place, "id" | "lat" | "lng" | "country" | "postcode">;

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
    if (placesById.get(id)?.partOf === otherId || placesById.get(otherId)?.partOf === id) return true;
    const [a, b] = [byId.get(id), byId.get(otherId)];
    if (a && b) return haveCommon(a, b) || places.some((place) => isIn(a, place) && isIn(b, place));
    const [zone, place] = [a ?? b, placesById.get(a ? otherId : id)];
    return zone !== undefined && place !== undefined && isIn(zone, place);
  }

  function isIn(zone: Zone, place: Locatable): boolean {
    // An address or a position in a place of the catalog is in the zones of that place, and a part in those of its town.
    const entry = placesById.get(place.id ?? "");
    const town = placesById.get(entry?.partOf ?? "");
    return [entry ?? place, ...(town ? [town] : [])].some((each) => contains(zone, each));
  }
}

function contains({ places, country, postcodes = [], circle }: Zone, place: Locatable | PlaceEntry): boolean {
  const own = "postcodes" in place ? place.postcodes : [place.postcode];
  return (
    (place.id !== null && (places?.includes(place.id) ?? false)) ||
    (place.country === country && own.some((postcode) => postcode !== undefined && postcodes.includes(postcode))) ||
    (circle !== undefined && crowFliesKm(circle, place) <= circle.radiusKm)
  );
}

/** Whether two zones overlap even without a common place: addresses and positions may lie there. */
function haveCommon(a: Zone, b: Zone): boolean {
  const isShared = a.country === b.country && a.postcodes?.some((postcode) => b.postcodes?.includes(postcode));
  return (
    isShared === true ||
    (a.circle && b.circle ? crowFliesKm(a.circle, b.circle) < a.circle.radiusKm + b.circle.radiusKm : false)
  );
}
