import { PublicError } from "../../contract/errors.ts";
import type { RoadData } from "../../domain/catalog/catalog.ts";
import type { Position } from "../../domain/places/geo.ts";
import type { RouteStop } from "../../domain/routing/router.ts";

/** The route between neighboring stops, as an engine measured it. */
export interface EngineLeg {
  readonly km: number;
  readonly minutes: number;
}

interface EngineRoute {
  /** One for each pair of neighboring stops, in their order. */
  readonly legs: readonly EngineLeg[];
  /** Version of the road data, where the response names it. */
  readonly dataVersion: string | undefined;
}

/** Roads that a route must not take, because they are closed or may be. */
export interface AvoidedRoads {
  /** A position on each. */
  readonly positions: readonly Position[];
  /** The catalog's route takes no road with a winter closure, so that the engine may avoid all of these. */
  readonly areAllSeasonal: boolean;
  /** Whether the catalog's route takes a car train, so that the engine can prefer or avoid trains accordingly. */
  readonly takesCarTrain: boolean;
}

/** The catalog's settings for the operator's engine. */
export type EngineOptions = Pick<RoadData, "osrmSeasonalClass">;

/** As in "The routing engine is not available now.". */
export const ENGINE = "routing engine";

/** A foreign routing engine behind HTTP. */
export interface RoadEngine {
  /**
   * Throws INVALID_LOCATION where no road is near a stop, ROUTE_UNAVAILABLE where the engine finds no route, and
   * UPSTREAM_UNAVAILABLE where it is down, too slow, or its response is not as documented.
   */
  measure(stops: readonly RouteStop[], avoided: AvoidedRoads | undefined, signal: AbortSignal): Promise<EngineRoute>;

  /** Whether a measurement can be asked to avoid these roads. */
  canAvoid(roads: AvoidedRoads): boolean;

  /** Version of the engine's road data, `undefined` where it has none. Throws UPSTREAM_UNAVAILABLE. */
  dataVersion(signal: AbortSignal): Promise<string | undefined>;
}

/**
 * How many meters a stop may lie from the nearest road, so that none in a lake or on a glacier is accepted. Places of
 * the catalog are given by their center, which may lie farther from a road.
 */
export function snapMeters({ roadNode, isPosition }: RouteStop): number {
  return roadNode === null || isPosition ? 500 : 2_000;
}

/** INVALID_LOCATION for stops without a road near; `far` are those stops, `undefined` if the engine does not name them. */
export function noRoadNear(stops: readonly RouteStop[], far?: readonly RouteStop[]): PublicError {
  const names = (far ?? stops).map(({ name }) => `"${name}"`).join(", ");
  const detail = far ? `There is no road near ${names}.` : `There is no road near one of ${names}.`;
  const fieldErrors = (far ?? []).flatMap(({ field }) =>
    field === undefined ? [] : { field, message: "There is no road nearby." },
  );
  return new PublicError("INVALID_LOCATION", detail, {
    ...(fieldErrors.length > 0 && { fieldErrors }),
    nextAction: 'Send a place, an address or a "lat, lng" that a car can reach.',
  });
}

export function noRoute(stops: readonly RouteStop[], cause: unknown): PublicError {
  const names = stops.map(({ name }) => name).join(" to ");
  return new PublicError("ROUTE_UNAVAILABLE", `No route was found from ${names}.`, { cause });
}
