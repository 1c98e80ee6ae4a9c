import type { Catalog } from "../catalog/catalog.ts";
import type { Zone } from "../catalog/offer-schema.ts";
import type { PlaceEntry } from "../catalog/places-schema.ts";
import { crowFliesKm, nearestTo } from "./geo.ts";
import type { Place } from "./place-finder.ts";

type Locatable = Pick<Place, "id" | "lat" | "lng" | "country" | "canton" | "postcode">;

export type Zones = ReturnType<typeof createZones>;

export function createZones({ zones, places }: Pick<Catalog, "zones" | "places">) {
  const byId = new Map(zones.map((zone) => [zone.id, zone]));
  const placesById = new Map(places.map((place) => [place.id, place]));
  const contents = new Map<string, ReadonlySet<PlaceEntry>>();

  return { of, placesIn, meet };

  /** Ids of the zones that contain a place, an address or a position. */
  function of(place: Locatable): readonly string[] {
    return zones.filter((zone) => isIn(zone, place)).map(({ id }) => id);
  }

  /** The places in a zone, or the place itself. */
  function placesIn(id: string): ReadonlySet<PlaceEntry> {
    const known = contents.get(id);
    if (known) return known;
    const [zone, place] = [byId.get(id), placesById.get(id)];
    const found = new Set(zone ? places.filter((each) => isIn(zone, each)) : place ? [place] : []);
    contents.set(id, found);
    return found;
  }

  /** Whether a place, an address or a position can lie in both; each is the id of a zone or of a place. */
  function meet(id: string, otherId: string): boolean {
    if (id === otherId) return true;
    if (placesById.get(id)?.partOf === otherId || placesById.get(otherId)?.partOf === id) return true;
    const [a, b] = [byId.get(id), byId.get(otherId)];
    const others = placesIn(otherId);
    if (a && b)
      return haveCommon(a, b) || isAround(a, b) || isAround(b, a) || [...placesIn(id)].some((each) => others.has(each));
    const place = placesById.get(a ? otherId : id);
    return place !== undefined && (a ? placesIn(id) : others).has(place);
  }

  function isIn(zone: Zone, place: Locatable): boolean {
    // An address or a position in a place of the catalog is in the zones of that place, and a part in those of its town.
    const entry = placesById.get(place.id ?? "");
    const town = placesById.get(entry?.partOf ?? "");
    return contains(zone, entry ?? place) || (town !== undefined && contains(zone, town));
  }

  /** Whether the middle of a circle is in the countries or cantons of another zone. */
  function isAround(zone: Zone, { circle }: Zone): boolean {
    return circle !== undefined && isInRegion(zone, nearestTo(circle, places));
  }
}

function contains(zone: Zone, place: Locatable | PlaceEntry): boolean {
  const { places, country, postcodes = [], circle } = zone;
  const own = "postcodes" in place ? place.postcodes : [place.postcode];
  return (
    (place.id !== null && (places?.includes(place.id) ?? false)) ||
    (place.country === country && own.some((postcode) => postcode !== undefined && postcodes.includes(postcode))) ||
    (circle !== undefined && crowFliesKm(circle, place) <= circle.radiusKm) ||
    isInRegion(zone, place)
  );
}

function isInRegion({ countries = [], cantons = [] }: Zone, { country, canton = "" }: Omit<Locatable, "id">): boolean {
  return countries.includes(country) || cantons.includes(canton);
}

/** Whether two zones overlap even without a common place: addresses and positions may lie there. */
function haveCommon(a: Zone, b: Zone): boolean {
  const isShared = a.country === b.country && a.postcodes?.some((postcode) => b.postcodes?.includes(postcode));
  return (
    isShared === true ||
    (a.circle && b.circle ? crowFliesKm(a.circle, b.circle) < a.circle.radiusKm + b.circle.radiusKm : false)
  );
}
