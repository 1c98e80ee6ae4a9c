/** Where distance and duration came from: measured by the service, or stated by the caller (estimates only). */
export type RouteAuthority = "SERVER_VERIFIED" | "CLIENT_PROVIDED";

/** A point the car goes to, in travel order. Degrees in WGS 84. */
export interface RouteStop {
  /** Node of the embedded road network the stop hangs on, if that network has it. Other engines go by the position. */
  readonly roadNode: string | null;
  /** Gazetteer id of the place meant, which may be car-free and lie beyond the stop; absent for a bare position. */
  readonly placeId?: string | null;
  readonly name: string;
  /** What the caller calls the field it came from; named in errors. */
  readonly field?: string;
  readonly lat: number;
  readonly lng: number;
}

/** One measured route. */
export interface MeasuredRoute {
  /** Driven distance, one decimal. */
  readonly distanceKm: number;
  /** Driving time in whole minutes, car trains and their wait included, dwell not. */
  readonly durationMinutes: number;
  /** Tolls and car trains for one car. */
  readonly feesRappen: number;
  /** Sentences for the traveler: car trains, tolls. */
  readonly notes: readonly string[];
  /** Why a person should look at it before money is taken; empty where nothing is out of the ordinary. */
  readonly doubts: readonly string[];
}

/**
 * Measures the road between stops: the fastest way by car that is open at departure. Every implementation must pass
 * `test/ports/router.contract.ts`.
 */
export interface Router {
  /** Public `routing_basis`: engine and kind of data. */
  readonly basis: string;
  /** Version of engine and data; part of every fingerprint. */
  readonly dataVersion: string;

  /**
   * Throws UNSUPPORTED_ROUTE where a stop lies off the roads or no road joins the stops, INVALID_LOCATION where a
   * foreign engine knows no road near a stop, ROUTE_UNAVAILABLE where the engine gives no measurement now,
   * UPSTREAM_UNAVAILABLE where it is down or too slow.
   */
  measure(stops: readonly RouteStop[], departure: Date, signal: AbortSignal): Promise<MeasuredRoute>;

  /** Resolves when a route could be measured now; throws what is wrong otherwise. Shows in `/readyz`. */
  ping(): Promise<void>;
}
