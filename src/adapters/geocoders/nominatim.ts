import { z } from "zod/v3";
import type { ServiceArea } from "../../domain/catalog/catalog-schema.ts";
import { parsedBody } from "../upstream/parsed-body.ts";
import type { UpstreamClient } from "../upstream/upstream-client.ts";
import { addressed, type GeocodedPlace, type Geocoder, MOST_RESULTS, plain } from "./geocoder.ts";

const degrees = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .transform(Number);
const Result = z.object({
  /** Strings on the wire. */
  lat: degrees,
  lon: degrees,
  display_name: z.string(),
  name: z.string().optional(),
  place_rank: z.number().optional(),
  address: z.record(z.string()).default({}),
});

/** Most names that are read from a display name; real ones have at most a dozen. */
const MOST_NAMES = 20;

const Status = z.object({ status: z.literal(0) });

/** Limits of Nominatim's `place_rank`: areas are counties and larger; addresses are what lies on streets. */
const LAST_AREA = 12;
const FIRST_STREET = 26;
const FIRST_ADDRESS = 28;

/** A geocoder over Nominatim's search. */
export function createNominatim(client: UpstreamClient, { box, countries }: ServiceArea): Geocoder {
  const limits = {
    format: "jsonv2",
    addressdetails: "1",
    limit: String(MOST_RESULTS),
    "accept-language": "en",
    countrycodes: countries.join(",").toLowerCase(),
    viewbox: [box.west, box.north, box.east, box.south].join(","),
    bounded: "1",
  };

  return {
    async search(q, signal) {
      const response = await client.getJson(`/search?${new URLSearchParams({ q, ...limits })}`, signal);
      return parsedBody("geocoder", z.array(Result), response).slice(0, MOST_RESULTS).map(placeOf);
    },

    // Nominatim answers with HTTP status 200 even where its database is down.
    ping: () => client.ping("/status?format=json", (body) => Status.safeParse(body).success),
  };
}

function placeOf({ lat, lon, display_name, name, place_rank, address }: z.output<typeof Result>): GeocodedPlace {
  const { house_number, postcode, city, town, village, hamlet, municipality, country, country_code } = address;
  const { road, square, isolated_dwelling, farm } = address;
  // A display name begins with the name of the place, which is no evidence of where it is.
  const own = new Set([name, road, house_number].flatMap((part) => namesIn(part ?? "")));
  const line = addressed({
    name: name === road ? undefined : name,
    // Where houses have no street they are numbered by their hamlet.
    street: road ?? (house_number && (square ?? isolated_dwelling ?? farm ?? hamlet)),
    houseNumber: house_number,
    postcode,
    town: city ?? town ?? village ?? hamlet ?? municipality,
    country,
  });
  return {
    label: line.label || plain(display_name),
    lat,
    lng: lon,
    country: country_code?.toUpperCase() ?? null,
    kind: kindOf(place_rank),
    town: line.town,
    within: [...namesIn(display_name).filter((part) => !own.has(part)), ...cantonIn(address)],
  };
}

function namesIn(names: string): readonly string[] {
  return names.split(",").slice(0, MOST_NAMES).map(plain);
}

/** The two-letter code of the canton: its names in other languages may be missing. */
function cantonIn(address: Readonly<Record<string, string>>): readonly string[] {
  return /^CH-([A-Z]{2})$/.exec(address["ISO3166-2-lvl4"] ?? "")?.slice(1) ?? [];
}

function kindOf(rank: number | undefined): GeocodedPlace["kind"] {
  if (rank === undefined) return "place";
  if (rank <= LAST_AREA) return "area";
  if (rank < FIRST_STREET) return "place";
  return rank < FIRST_ADDRESS ? "street" : "address";
}
