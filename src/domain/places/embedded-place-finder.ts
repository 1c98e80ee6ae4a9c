import { notice } from "../../contract/notices.ts";
import type { ServiceArea } from "../catalog/catalog-schema.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { crowFliesKm, isInBox, nearestTo, type Position } from "./geo.ts";
import { isSpot } from "./locations.ts";
import type { Found, Location, PlaceFinder } from "./place-finder.ts";

const COORDINATES = /^\s*([+-]?\d{1,3}(?:\.\d+)?)[°N\s]*[,;]\s*([+-]?\d{1,3}(?:\.\d+)?)[°E\s]*$/;
/** A label may name a place only this near to its position, so that a label cannot hide a longer trip. */
const LABEL_RADIUS_KM = 10;

/** Finds places in the embedded gazetteer. */
export function createEmbeddedPlaceFinder(gazetteer: Gazetteer, { box }: ServiceArea): PlaceFinder {
  const { locations } = gazetteer;

  return { find, at, byId, nameOf: (id) => locations.byId(id)?.name ?? id };

  function byId(id: string): Found | undefined {
    const entry = locations.byId(id);
    return entry && locations.of(entry);
  }

  async function find(text: string): Promise<Location> {
    const position = positionIn(text);
    if (!position) return withNotes(text, gazetteer.geocode(text));
    if (Math.abs(position.lat) > 90 || Math.abs(position.lng) > 180) return { kind: "unknown" };
    return at(position, text.replace(/\s*[°NE]+/g, "").trim());
  }

  function at(position: Position, label: string): Location {
    if (!isInBox(position, box)) {
      const swapped = { lat: position.lng, lng: position.lat };
      return { kind: "outside", name: label, isPosition: true, ...(isInBox(swapped, box) && { swapped }) };
    }
    const location = locations.at(position, label);
    const named = farthestNamed(label, position);
    if (!named || named.km <= LABEL_RADIUS_KM) return location;
    return { kind: "contradiction", ...named, near: location.place.town };
  }

  /** Of the names in a label the one whose nearest meaning is farthest from the position. */
  function farthestNamed(label: string, position: Position) {
    const own = positionIn(label);
    const names = own ? [[{ ...own, name: label }]] : gazetteer.namesInLabel(label, position);
    const nearest = names.map((meanings) => nearestTo<Position & { readonly name: string }>(position, meanings));
    return nearest.map(({ name, ...at }) => ({ name, km: crowFliesKm(at, position) })).sort((a, b) => b.km - a.km)[0];
  }
}

/** Where only the town of an address is known, the address is agreed with the driver, unless the car stops at one spot. */
function withNotes(text: string, location: Location): Location {
  if (location.kind !== "found" || !location.isOnlyTownKnown) return location;
  const { place, connection } = location;
  if (connection || isSpot(place)) return location;
  return { ...location, notes: [notice("ADDRESS_UNKNOWN", { text, place: place.name })] };
}

function positionIn(text: string): Position | undefined {
  const [, lat, lng] = COORDINATES.exec(text) ?? [];
  return lat && lng ? { lat: Number(lat), lng: Number(lng) } : undefined;
}
