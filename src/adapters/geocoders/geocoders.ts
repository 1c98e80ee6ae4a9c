import type { ServiceArea } from "../../domain/catalog/catalog-schema.ts";
import type { UpstreamClient } from "../upstream/upstream-client.ts";
import type { Geocoder } from "./geocoder.ts";
import { createNominatim } from "./nominatim.ts";
import { createPhoton } from "./photon.ts";

/** The geocoders by name: TRANSFER_GEOCODER and the composer derive their values from this table. */
export const geocoders = { photon: createPhoton, nominatim: createNominatim } satisfies Readonly<
  Record<string, (client: UpstreamClient, area: ServiceArea) => Geocoder>
>;

export type GeocoderName = keyof typeof geocoders;
