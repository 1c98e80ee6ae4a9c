import type { ServiceArea } from "../../catalog/catalog-schema.ts";
import type { UpstreamClient } from "../../upstream/upstream-client.ts";
import type { Geocoder } from "./geocoder.ts";

/**
 * The geocoders by name, each loaded when it is opened. The values of TRANSFER_GEOCODER and the composer derive from
 * this table.
 */
export const geocoders = {
  photon: async () => (await import("./photon.ts")).createPhoton,
  nominatim: async () => (await import("./nominatim.ts")).createNominatim,
} satisfies Readonly<Record<string, () => Promise<(client: UpstreamClient, area: ServiceArea) => Geocoder>>>;

export type GeocoderName = keyof typeof geocoders;
