import { z } from "zod/v3";
import type { ServiceArea } from "../../domain/catalog/catalog-schema.ts";
import { parsedBody } from "../upstream/parsed-body.ts";
import type { UpstreamClient } from "../upstream/upstream-client.ts";
import { addressed, type GeocodedPlace, type Geocoder, MOST_RESULTS, plain } from "./geocoder.ts";

const text = z.string().optional();
const Feature = z.object({
  /** GeoJSON: longitude before latitude. */
  geometry: z.object({ coordinates: z.tuple([z.number(), z.number()]).rest(z.number()) }),
  properties: z.object({
    type: text,
    name: text,
    housenumber: text,
    street: text,
    postcode: text,
    locality: text,
    district: text,
    city: text,
    county: text,
    state: text,
    country: text,
    countrycode: text,
  }),
});
const Answer = z.object({ features: z.array(Feature) });

const KINDS: Readonly<Record<string, GeocodedPlace["kind"]>> = {
  house: "address",
  street: "street",
  county: "area",
  state: "area",
  country: "area",
};

/** A geocoder over Photon's search (`/api`). It can be limited to a box, but not to countries. */
export function createPhoton(client: UpstreamClient, { box }: ServiceArea): Geocoder {
  const bbox = [box.west, box.south, box.east, box.north].join(",");

  return {
    async search(q, signal) {
      const query = new URLSearchParams({ q, limit: String(MOST_RESULTS), lang: "en", bbox });
      const response = await client.getJson(`/api?${query}`, signal);
      return parsedBody("geocoder", Answer, response).features.slice(0, MOST_RESULTS).map(placeOf);
    },

    ping: () => client.ping("/status"),
  };
}

function placeOf({ geometry, properties }: z.output<typeof Feature>): GeocodedPlace {
  const { type = "", name, housenumber, street, postcode, city, country, countrycode } = properties;
  const { locality, district, county, state } = properties;
  // Where houses have no street they are numbered by their hamlet.
  const road = street ?? (housenumber && locality);
  const [lng, lat] = geometry.coordinates;
  return {
    ...addressed({ name, street: road, houseNumber: housenumber, postcode, town: city, country }),
    lat,
    lng,
    country: countrycode?.toUpperCase() ?? null,
    kind: KINDS[type] ?? "place",
    within: [locality, district, county, state].map(plain).filter((part) => part !== ""),
  };
}
