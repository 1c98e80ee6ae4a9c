import type { WirePlace } from "../ports/geocoder.contract.ts";
import { type Behavior, json } from "./fake-engine.ts";

const PHOTON_TYPES = { house: "house", street: "street", town: "city", state: "state" };
const NOMINATIM_RANKS = { house: 30, street: 26, town: 16, state: 8 };

/** Photon's search with the same answer to every text. */
export function speaksPhoton(places: readonly WirePlace[]): Behavior {
  const features = places.map((place) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [place.lng, place.lat] },
    properties: {
      osm_type: "N",
      osm_id: 1,
      osm_key: "place",
      osm_value: "house",
      type: PHOTON_TYPES[place.kind],
      name: place.name,
      street: place.kind === "street" ? undefined : place.street,
      housenumber: place.number,
      postcode: place.postcode,
      city: place.town,
      locality: place.village,
      state: "Zurich",
      country: place.countryName,
      countrycode: place.country.toUpperCase(),
    },
  }));
  return json({ type: "FeatureCollection", features });
}

/** Nominatim's search, with the same answer to every text, and its status. */
export function speaksNominatim(places: readonly WirePlace[]): Behavior {
  const results = places.map((place) => ({
    place_id: 1,
    license: "Data © OpenStreetMap contributors",
    osm_type: "node",
    osm_id: 1,
    lat: String(place.lat),
    lon: String(place.lng),
    category: "place",
    type: place.kind,
    place_rank: NOMINATIM_RANKS[place.kind],
    importance: 0.1,
    addresstype: place.kind,
    name: place.name ?? "",
    display_name: [place.name, place.number, place.street, place.village, place.town, place.postcode, place.countryName]
      .filter((part) => part !== undefined)
      .join(", "),
    address: {
      house_number: place.number,
      road: place.street,
      quarter: place.village,
      city: place.town,
      postcode: place.postcode,
      country: place.countryName,
      country_code: place.country,
    },
    boundingbox: ["47.36", "47.37", "8.53", "8.54"],
  }));
  return (response, call) =>
    json(call.url.pathname === "/status" ? { status: 0, message: "OK" } : results)(response, call);
}
