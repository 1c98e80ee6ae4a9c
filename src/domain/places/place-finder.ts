import type { Notice } from "../../contract/notices.ts";
import type { CarFree, PLACE_KINDS } from "../catalog/places-schema.ts";
import type { Position } from "./geo.ts";

/** The town of a place: of a town itself, of a position the catalog's place there or the nearest town. */
export interface Town {
  readonly name: string;
  /** How far the nearest town is; absent up to 15 km. */
  readonly km?: number;
}

/** "Beatenberg", or "Innsbruck (68 km)" of a town that is not near. */
export function townText({ name, km }: Town): string {
  return km === undefined ? name : `${name} (${km} km)`;
}

/** Somewhere a traveler can name. Degrees in WGS 84. */
export interface Place {
  /** Id of the place in the catalog whose rules apply; `null` for a position that lies in none. */
  readonly id: string | null;
  readonly name: string;
  /** Id of the town that the place `id` is a part of, whose rules apply where it has none of its own. */
  readonly partOf?: string | undefined;
  readonly town: Town;
  /** Code of the country; of a position in no place that of the nearest town. */
  readonly country: string;
  /** As `country`; absent where the country has none. */
  readonly canton?: string | undefined;
  /** Postcode of an address that a geocoder found; absent for other places. */
  readonly postcode?: string;
  readonly kind: (typeof PLACE_KINDS)[number] | "position";
  /** Code of an airport; absent for an airfield without one, and for other places. */
  readonly iata?: string;
  readonly lat: number;
  readonly lng: number;
  /** Node of the embedded road network for this place, which may lack such a node; `null` where `id` is `null`. */
  readonly roadNode: string | null;
  /** Name and coordinates are the caller's own, or those of an address; they may lie in the place `id`. */
  readonly isPosition?: true;
  /** A building in the place `id`, such as a hotel at an airport, where no flight is met. */
  readonly isSite?: true;
}

/** The way between a car-free place, which has the `name`, and its car stop. */
type Connection = Readonly<Omit<CarFree, "carStop">> & { readonly name: string };

/** A place, a site or a position. */
export interface Found {
  readonly kind: "found";
  readonly place: Place;
  /** Where the car stops: the place itself, or the car stop of a car-free one. */
  readonly carStop: Place;
  /** How the traveler gets from the car stop to the car-free place `name` and back; absent where the car reaches the place. */
  readonly connection?: Connection;
  /** For the traveler: how the text was understood. */
  readonly notes: readonly Notice[];
  /** The text is an address of which only the town (`place`) is known. */
  readonly isOnlyTownKnown?: boolean;
}

/** Why a text is a question. */
export type QuestionReason =
  /** The candidates have the name of the text, or the only one nearly has it. */
  | "name"
  /** The text is an address that may be in several towns. */
  | "address"
  /** Each candidate may be another place than the text means: the traveler has to choose. */
  | "similar"
  /** More sites have the name than can be listed: "Kantonsspital". */
  | "town"
  /** The text has too many words. */
  | "long";

/** Places that a text may mean, at most five, each of which resolves when it is sent back; none by "town" and "long". */
interface Question {
  readonly kind: "question";
  readonly candidates: readonly string[];
  /** Codes or names of further places that it may mean, in few words; absent for none. */
  readonly others?: readonly string[];
  readonly reason: QuestionReason;
}

/** What a text or a position means. */
export type Location =
  | Found
  | Question
  | { readonly kind: "unknown" }
  /**
   * Known, but not served; `swapped` where the position is served with latitude and longitude exchanged. `near` is the
   * nearest town that is served; absent for positions, and for places far from all.
   */
  | {
      readonly kind: "outside";
      readonly name: string;
      readonly isPosition?: true;
      readonly swapped?: Position;
      readonly near?: Town;
    }
  /** The label names a place that lies `km` kilometers from the position sent with it, which is near another. */
  | { readonly kind: "contradiction"; readonly name: string; readonly km: number; readonly near: Town };

/** Resolves texts of callers to places. A guess is never accepted silently. */
export interface PlaceFinder {
  /** Throws UPSTREAM_UNAVAILABLE where a foreign geocoder is down or too slow. */
  find(text: string, signal: AbortSignal): Promise<Location>;

  /** The place at a position; `label` is the caller's name for it. */
  at(position: { readonly lat: number; readonly lng: number }, label: string): Location;

  byId(id: string): Found | undefined;

  /** The name of the place with this id in the catalog; the id itself where there is none. */
  nameOf(id: string): string;
}
