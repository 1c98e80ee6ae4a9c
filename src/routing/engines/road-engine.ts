import { PublicError, upstreamUnavailable } from "../../contract/errors.ts";
import type { EngineAnswer } from "../../ops/engine-client.ts";
import type { RouteStop } from "../router.ts";

/** One stretch between neighbouring stops, as an engine measured it. */
export interface EngineLeg {
  readonly km: number;
  readonly minutes: number;
}

export interface EngineRoute {
  /** One for each pair of neighbouring stops, in their order. */
  readonly legs: readonly EngineLeg[];
  /** Of the road data, where the answer tells. */
  readonly dataVersion: string | undefined;
}

/** A routing engine behind HTTP, as far as it differs from the others. */
export interface RoadEngine {
  readonly basis: "OSRM" | "VALHALLA";

  /**
   * Throws INVALID_LOCATION where a stop has no road near, ROUTE_UNAVAILABLE where the engine finds no way, and
   * UPSTREAM_UNAVAILABLE where it is down, too slow, or answers what is not in its documentation.
   */
  measure(stops: readonly RouteStop[], signal: AbortSignal): Promise<EngineRoute>;

  /** Version of the engine's road data, `undefined` where it has none. Throws UPSTREAM_UNAVAILABLE. */
  dataVersion(signal: AbortSignal): Promise<string | undefined>;
}

/**
 * How far from its position a stop's road may lie: a lake or a glacier is no place to stop at. Places of the catalogue
 * are given by their middle, so they may lie farther off.
 */
export function snapMeters({ roadNode }: RouteStop): number {
  return roadNode === null ? 500 : 2_000;
}

/** INVALID_LOCATION for one of `stops`; names the field where there is but one. */
export function noRoadNear(stops: readonly RouteStop[]): PublicError {
  const names = stops.map(({ name }) => `"${name}"`).join(", ");
  const [first, ...others] = stops;
  const field = others.length === 0 ? first?.field : undefined;
  const detail = others.length === 0 ? `${names} has no road near.` : `One of ${names} has no road near.`;
  return new PublicError("INVALID_LOCATION", detail, {
    ...(field !== undefined && { fieldErrors: [{ field, message: "There is no road near." }] }),
    nextAction: 'Send a place, an address or a "lat, lng" that a car can reach.',
  });
}

export function noWay(stops: readonly RouteStop[], cause: unknown): PublicError {
  const names = stops.map(({ name }) => name).join(" to ");
  return new PublicError("ROUTE_UNAVAILABLE", `No route was found from ${names}.`, { cause });
}

export function notUnderstood({ status, body }: EngineAnswer): PublicError {
  const answer = JSON.stringify(body).slice(0, 200);
  return upstreamUnavailable(
    "The routing engine does not answer as it should.",
    new Error(`HTTP status ${status}: ${answer}`),
  );
}
