import type { PLACE_KINDS } from "./schema.ts";

/** Somewhere a traveler can name. Degrees in WGS 84. */
export interface Place {
  /** Gazetteer id, or `null` for a bare position. */
  readonly id: string | null;
  readonly name: string;
  readonly kind: (typeof PLACE_KINDS)[number] | "position";
  readonly lat: number;
  readonly lng: number;
  /** Node of the embedded road network it hangs on, if that network has it; `null` for a bare position. */
  readonly roadNode: string | null;
}

/** A text or position understood. */
export interface Found {
  readonly kind: "found";
  readonly place: Place;
  /** Where the car stops: the place itself, or the drop-off of a car-free place. */
  readonly carStop: Place;
  /** Sentences for the traveler, e.g. how to go on from the drop-off. */
  readonly notes: readonly string[];
}

export type Location =
  | Found
  /** Nothing or several places; each candidate is found when sent back as it stands. At most five. */
  | { readonly kind: "unclear"; readonly candidates: readonly string[] }
  /** Known, but not served. */
  | { readonly kind: "outside"; readonly name: string }
  /** The label is the name of a place that lies elsewhere, so many km from the position sent with it. */
  | { readonly kind: "contradiction"; readonly name: string; readonly km: number };

/** Understands texts of callers as places. A guess is never taken silently. */
export interface PlaceFinder {
  /** Milliseconds for all texts of one journey together; absent where nothing foreign is waited for. */
  readonly deadlineMs?: number;

  /** Throws UPSTREAM_UNAVAILABLE where a foreign geocoder is down or too slow. */
  find(text: string, signal: AbortSignal): Promise<Location>;

  /** The place at a position; `label` is what the caller calls it. */
  at(position: { readonly lat: number; readonly lng: number }, label: string): Location;

  /** The place that the catalogue names by its id. */
  byId(id: string): Found | undefined;

  /** The name of a place that the catalogue names by its id; the id itself where there is none. */
  nameOf(id: string): string;
}
