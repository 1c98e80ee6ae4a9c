import type { Notice } from "../contract/notices.ts";

/** Origin of distance and duration: measured by the service, or stated by the caller (estimates only). */
export type RouteAuthority = "SERVER_VERIFIED" | "CLIENT_PROVIDED";

/** A point that the car drives to. Degrees in WGS 84. */
export interface RouteStop {
  /** Node of the embedded road network that the stop is attached to, if any. Other engines use the position. */
  readonly roadNode: string | null;
  /** Name and coordinates are the caller's own; the network measures from the node of the place that they lie in. */
  readonly isPosition?: true;
  /** Id of the place in the catalog, which may be car-free and lie beyond the stop; `null` for a position in none. */
  readonly placeId?: string | null;
  /** The position is that of its town: a town as a whole, or an address of which only the town is known. */
  readonly isAnywhereInTown?: boolean;
  /** The text of an address of which only the town is known, folded. */
  readonly address?: string;
  readonly name: string;
  /** Request field that it came from; named in errors. */
  readonly field?: string;
  readonly lat: number;
  readonly lng: number;
  /** Minutes that the car stays there; timetables are read at the hour that follows. */
  readonly dwellMinutes?: number | null;
}

/** One measured route. */
export interface MeasuredRoute {
  /** Version of the engine's data that it was measured on; part of the fingerprint. */
  readonly dataVersion: string;
  /** Driven distance, one decimal. */
  readonly distanceKm: number;
  /** Driving time in whole minutes, car trains and their wait included, dwell not. */
  readonly durationMinutes: number;
  /** Tolls and car trains for one car. */
  readonly feesRappen: number;
  /** The part of `feesRappen` that is for car trains. */
  readonly carTrainsRappen: number;
  /** For the traveler: car trains, tolls. */
  readonly notes: readonly Notice[];
  /** Why the journey needs manual confirmation; empty where nothing is out of the ordinary. */
  readonly doubts: readonly Notice[];
  /** On the catalog's network; absent where that does not have the route. */
  readonly path?: RoutePath;
}

/**
 * Measures the road between stops: the fastest open route by car at departure. Every implementation must pass
 * `test/ports/router.contract.ts`.
 */
export interface Router {
  /** Public `routing_basis`: engine and kind of data. */
  readonly basis: string;
  /** Version of the data as last seen, for what is not measured; a measured route carries its own. */
  readonly dataVersion: string;

  /**
   * Throws UNSUPPORTED_ROUTE where a stop lies off the roads or no road joins the stops, INVALID_LOCATION where a
   * foreign engine finds no road near a stop, ROUTE_UNAVAILABLE where it returns no usable measurement,
   * UPSTREAM_UNAVAILABLE where it is down or too slow.
   */
  measure(stops: readonly RouteStop[], departure: Date, signal: AbortSignal): Promise<MeasuredRoute>;

  /** Resolves when a route could be measured now; throws what is wrong otherwise. Shows in `/readyz`. */
  ping(): Promise<void>;
}

/** The way of a route over the catalog's network, for a picture of it. */
export interface RoutePath {
  /** Without a name where the name is the caller's own and not the catalog's. */
  readonly stops: readonly { readonly name: string; readonly lat: number; readonly lng: number }[];
  /** Ids of the nodes between neighboring stops, separated by spaces; empty where they are joined by other streets. */
  readonly legs: readonly string[];
}
