import { type Notice, notice } from "../../contract/notices.ts";
import type { ServiceArea } from "../catalog/catalog-schema.ts";
import type { PlaceEntry } from "../catalog/places-schema.ts";
import type { Meaning } from "./addresses.ts";
import type { PlaceAt } from "./extents.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { crowFliesKm, isInBox, nearestTo, type Position } from "./geo.ts";
import type { Found, Location, Place, PlaceFinder } from "./place-finder.ts";

const COORDINATES = /^\s*([+-]?\d{1,3}(?:\.\d+)?)[°N\s]*[,;]\s*([+-]?\d{1,3}(?:\.\d+)?)[°E\s]*$/;
/** A label may name a place only this near to its position, so that a label cannot hide a longer trip. */
const LABEL_RADIUS_KM = 10;
/** Beyond this the distance of a town is stated. */
const NEAR_KM = 15;
/** The nearest town that is served is named for a place that is not, up to this distance. */
const FARTHEST_SERVED_KM = 100;

/** Finds places in the embedded gazetteer. A position belongs to the place whose extent contains it. */
export function createEmbeddedPlaceFinder(gazetteer: Gazetteer, placeAt: PlaceAt, { box }: ServiceArea): PlaceFinder {
  return { find, at, byId, nameOf: (id) => gazetteer.byId(id)?.name ?? id };

  function byId(id: string): Found | undefined {
    const entry = gazetteer.byId(id);
    return entry && found(placeOf(entry), entry, []);
  }

  async function find(text: string): Promise<Location> {
    const position = positionIn(text);
    if (position) {
      if (Math.abs(position.lat) > 90 || Math.abs(position.lng) > 180) return { kind: "unknown" };
      return at(position, text.replace(/\s*[°NE]+/g, "").trim());
    }
    const meaning = gazetteer.geocode(text);
    if (meaning.kind === "outside") return outside(meaning);
    if (meaning.kind === "site") return siteFound(meaning);
    if (meaning.kind !== "place") return meaning;
    const { place, isOnlyTownKnown, hasUnknownTerminal } = meaning;
    const sent = { text, place: place.name };
    const notes = [
      ...(isOnlyTownKnown && !hasNoAddresses(place) ? [notice("ADDRESS_UNKNOWN", sent)] : []),
      ...(hasUnknownTerminal ? [notice("TERMINAL_UNKNOWN", sent)] : []),
    ];
    return { ...found(placeOf(place), place, notes), ...(isOnlyTownKnown && { isOnlyTownKnown: true }) };
  }

  function outside({ name, ...position }: Extract<Meaning, { kind: "outside" }>): Location {
    const { town } = nowhere(position);
    return { kind: "outside", name, ...((town.km ?? 0) <= FARTHEST_SERVED_KM && { near: town }) };
  }

  /** A site is priced as its position, and named after its town. */
  function siteFound({ site, town, label }: Extract<Meaning, { kind: "site" }>): Found {
    return foundAt(site, label, { isSite: true, town: { name: town.name } });
  }

  function at(position: Position, label: string): Location {
    if (!isInBox(position, box)) {
      const swapped = { lat: position.lng, lng: position.lat };
      return { kind: "outside", name: label, isPosition: true, ...(isInBox(swapped, box) && { swapped }) };
    }
    const location = foundAt(position, label);
    const named = farthestNamed(label, position);
    return named && named.km > LABEL_RADIUS_KM
      ? { kind: "contradiction", ...named, near: location.place.town }
      : location;
  }

  /** Of the names in a label the one whose nearest meaning is farthest from the position. */
  function farthestNamed(
    label: string,
    position: Position,
  ): { readonly name: string; readonly km: number } | undefined {
    const own = positionIn(label);
    const names = own ? [[{ ...own, name: label }]] : gazetteer.namesIn(label, position);
    return names
      .flatMap((meanings) => {
        const nearest = meanings.map(({ name, ...at }) => ({ name, km: crowFliesKm(at, position) }));
        return nearest.sort((a, b) => a.km - b.km).slice(0, 1);
      })
      .sort((a, b) => b.km - a.km)[0];
  }

  function foundAt(position: Position, label: string, own: Partial<Place> = {}): Found {
    const entry = placeAt(position);
    const place = entry ? { ...placeOf(entry), town: { name: entry.name } } : nowhere(position);
    const { lat, lng } = position;
    return found({ ...place, name: label, lat, lng, isPosition: true, ...own }, entry, []);
  }

  /** A position in no place is in the country and canton of the nearest town. */
  function nowhere(position: Position) {
    const { name, country, canton, ...center } = nearestTo(position, gazetteer.towns);
    const km = crowFliesKm(center, position);
    const town = { name, ...(km > NEAR_KM && { km: Math.round(km) }) };
    return { id: null, kind: "position", roadNode: null, town, country, canton } as const;
  }

  function placeOf({ id, name, kind, lat, lng, country, canton, partOf, node = id }: PlaceEntry): Place {
    const town = { name: gazetteer.byId(partOf ?? id)?.name ?? name };
    return { ...{ id, name, kind, lat, lng, town, country, canton }, roadNode: node, ...(partOf && { partOf }) };
  }

  function found(place: Place, entry: PlaceEntry | undefined, notes: readonly Notice[]): Found {
    const carStop = entry?.carFree && gazetteer.byId(entry.carFree.carStop);
    if (!entry?.carFree || !carStop) return { kind: "found", place, carStop: place, notes };
    const { carStop: _, ...connection } = entry.carFree;
    return { kind: "found", place, carStop: placeOf(carStop), connection: { name: entry.name, ...connection }, notes };
  }
}

/** Whether there is no address to agree with the driver: where the car stops is one spot, which may be elsewhere. */
function hasNoAddresses({ carFree, kind }: PlaceEntry): boolean {
  return carFree !== undefined || kind === "airport" || kind === "station";
}

function positionIn(text: string): Position | undefined {
  const [, lat, lng] = COORDINATES.exec(text) ?? [];
  return lat && lng ? { lat: Number(lat), lng: Number(lng) } : undefined;
}
