import type { ServiceArea } from "../../domain/catalog/catalog-schema.ts";
import { isInBox } from "../../domain/places/geo.ts";

/** A result of a geocoder. Degrees in WGS 84. */
export interface GeocodedPlace {
  /** One line for people, e.g. "Bahnhofstrasse 1, 8001 Zürich, Switzerland". Not unique. */
  readonly label: string;
  readonly lat: number;
  readonly lng: number;
  /** ISO 3166-1 alpha-2 in capitals, `null` where the geocoder does not return it. */
  readonly country: string | null;
  /** An `area` is a district, a canton or larger: no car can be sent to it. */
  readonly kind: "address" | "street" | "place" | "area";
  /** Postcode and town as in the label, e.g. "8001 Zürich"; empty where the geocoder does not return it. */
  readonly town: string;
  /** Names of the areas around it that are not in the label, such as quarter, village and canton. */
  readonly within: readonly string[];
}

/**
 * Looks up texts that the catalog does not contain. Every implementation must pass `test/ports/geocoder.contract.ts`.
 */
export interface Geocoder {
  /**
   * What the text may mean, best first, at most ten; empty where nothing is found. Results may lie outside the service
   * area, since not every geocoder can be limited to it. Throws UPSTREAM_UNAVAILABLE where it is down or too slow.
   */
  search(text: string, signal: AbortSignal): Promise<readonly GeocodedPlace[]>;

  /** Resolves where texts could be looked up now, rejects with the reason where not. Reported by `/readyz`. */
  ping(): Promise<void>;
}

export const MOST_RESULTS = 10;

/** Whether the place lies in one of the countries and inside the box. */
export function isServed(place: GeocodedPlace, { box, countries }: ServiceArea): boolean {
  return isInBox(place, box) && (place.country === null || countries.includes(place.country));
}

interface AddressParts {
  readonly name?: string | undefined;
  readonly street?: string | undefined;
  readonly houseNumber?: string | undefined;
  readonly postcode?: string | undefined;
  readonly town?: string | undefined;
  readonly country?: string | undefined;
}

/** An address in one line, in the order of Swiss mail: name, street and number, postcode and town, country. */
export function addressed({ name, street, houseNumber, postcode, ...rest }: AddressParts) {
  const town = together(postcode, rest.town);
  const lines = [plain(name), together(street, houseNumber), town, plain(rest.country)];
  const present = lines.filter((line) => line !== "");
  return { label: present.filter((line, index) => present.indexOf(line) === index).join(", "), town };
}

/** A name as one line of bounded length, since it is shown on quotes and anybody can edit a map. */
export function plain(name = ""): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, LONGEST_NAME);
}

const LONGEST_NAME = 128;

function together(...words: readonly (string | undefined)[]): string {
  return words
    .map(plain)
    .filter((word) => word !== "")
    .join(" ");
}
