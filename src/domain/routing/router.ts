import { PublicError } from "../../contract/errors.ts";
import type { Notice } from "../../contract/notices.ts";

/** Origin of distance and duration: measured by the service, or stated by the caller (estimates only). */
export type RouteAuthority = "SERVER_VERIFIED" | "CLIENT_PROVIDED";

/** A point that the car drives to. Degrees in WGS 84. */
export interface RouteStop {
  /** Node of the embedded road network that the stop is attached to, if any. Other engines use the position. */
  readonly roadNode: string | null;
  /** Name and coordinates are the caller's own; the network measures from the node of the place that they lie in. */
  readonly isPosition?: true;
  /** Id of the place in the catalog, which lies beyond the stop if it is car-free; `null` outside all places. */
  readonly placeId?: string | null;
  /** The position is the town's: the stop is the town as a whole, or an address of which only the town is known. */
  readonly isAnywhereInTown?: boolean;
  /** The folded text of an address of which only the town is known. */
  readonly address?: string;
  readonly name: string;
  /** Request field that the stop came from; named in errors. */
  readonly field?: string;
  readonly lat: number;
  readonly lng: number;
  /** Minutes that the car stays there; they delay its arrival at later car trains. */
  readonly dwellMinutes?: number | null;
}

export interface MeasuredRoute {
  /** Version of the data that the route was measured on; part of the fingerprint. */
  readonly dataVersion: string;
  /** Driven distance, one decimal. */
  readonly distanceKm: number;
  /** Driving time in whole minutes, including car trains and the wait for them, excluding dwell times. */
  readonly durationMinutes: number;
  /**
   * The minutes between neighboring stops, which add up to `durationMinutes`; absent where only the sum is known, and
   * where a road may be closed.
   */
  readonly stageMinutes?: readonly number[];
  /** Kilometers of the way by roads that are all open and trains that all run; absent where it is not known. */
  readonly usualKm?: number;
  /** Before rounding, so that parts of a way add up to it; absent where only the rounded figures are known. */
  readonly exact?: Exact;
  /**
   * The way in order of travel: roads, passes, tunnels, car trains and borders (`viaOf`); absent where only the figures
   * are known, as from an external engine, which is not asked for the names of its roads.
   */
  readonly via?: readonly string[];
  /** Tolls and car trains for one car. */
  readonly feesRappen: number;
  /** The part of `feesRappen` that is for car trains. */
  readonly carTrainsRappen: number;
  /** The part of `distanceKm` on car trains, not rounded. */
  readonly carTrainKm: number;
  /** For the traveler: car trains, tolls. */
  readonly notes: readonly Notice[];
  /** Why the journey needs manual confirmation; empty where nothing is out of the ordinary. */
  readonly doubts: readonly Notice[];
}

/** Kilometers and minutes, not rounded. */
interface Exact {
  readonly km: number;
  readonly minutes: number;
}

/**
 * Measures the road between stops: the fastest open route by car at departure. Every implementation must pass
 * `test/ports/router.contract.ts`.
 */
export interface Router {
  /** Public `routing_basis`: engine and kind of data. */
  readonly basis: string;
  /** Latest known version of the data; a measured route has the version of its own measurement. */
  readonly dataVersion: string;

  /**
   * Throws UNSUPPORTED_ROUTE where a stop lies off the roads or no road joins the stops, INVALID_LOCATION where a
   * foreign engine finds no road near a stop, ROUTE_UNAVAILABLE where it returns no usable measurement,
   * UPSTREAM_UNAVAILABLE where it is down or too slow.
   */
  measure(stops: readonly RouteStop[], departure: Date, signal: AbortSignal): Promise<MeasuredRoute>;

  /** Resolves where a route could be measured now, rejects with the reason where not. Reported by `/readyz`. */
  ping(): Promise<void>;
}

/** The figures of a journey from those of its stages. */
export function roundedSums(stages: readonly Exact[], areTimesKnown: boolean) {
  const stageMinutes = wholeMinutes(stages);
  return {
    distanceKm: Math.round(exactOf(stages).km * 10) / 10,
    durationMinutes: sum(stageMinutes),
    ...(areTimesKnown && { stageMinutes }),
  };
}

export function exactOf(stages: readonly Exact[]): Exact {
  return { km: sum(stages.map(({ km }) => km)), minutes: sum(stages.map(({ minutes }) => minutes)) };
}

/** Whole minutes of each stage, so rounded that the sum of any first stages is that of their exact minutes, rounded up. */
function wholeMinutes(stages: readonly Exact[]): readonly number[] {
  let exact = 0;
  let whole = 0;
  return stages.map(({ minutes }) => {
    const before = whole;
    exact += minutes;
    whole = Math.max(before, Math.ceil(exact - 1e-9));
    return whole - before;
  });
}

/** For a measurement that was rejected: `undefined` where no open road joins the stops. Rethrows other errors. */
export function unlessClosed(error: unknown): undefined {
  if (error instanceof PublicError && error.code === "UNSUPPORTED_ROUTE") return undefined;
  throw error;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
