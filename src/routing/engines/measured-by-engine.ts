import { LRUCache } from "lru-cache";
import { PublicError, upstreamUnavailable } from "../../contract/errors.ts";
import type { Log } from "../../ops/log.ts";
import type { ServiceArea } from "../../published/schema.ts";
import type { MeasuredRoute, Router, RouteStop } from "../router.ts";
import type { CatalogueOverlay } from "./catalogue-overlay.ts";
import { implausible } from "./plausible.ts";
import { type EngineLeg, type EngineRoute, type RoadEngine, snapMeters } from "./road-engine.ts";

export interface MeasuredByEngineParts {
  /** What our own catalogue adds to an engine's measurement. */
  readonly overlay: CatalogueOverlay;
  /** Stops outside of it are refused unasked. */
  readonly box: ServiceArea["box"];
  readonly log: Log;
  /** Milliseconds for a whole measurement. Default 5,000. */
  readonly deadlineMs?: number;
  /** How long and how many answers are kept. Default 10 minutes and 5,000. */
  readonly keepMs?: number;
  readonly keepAnswers?: number;
}

/**
 * A router over a foreign engine: kept answers, a deadline, limits of what is believed, and our catalogue's closures,
 * car trains and tolls over it. There is no fall-back to the embedded network: it would change a price.
 *
 * `dataVersion` names the engine's data and the catalogue's. It is asked for when the router opens and followed with
 * every answer and ping; while the engine has not told, it is "unversioned".
 */
export async function openMeasuredByEngine(
  engine: RoadEngine,
  parts: MeasuredByEngineParts,
): Promise<Router> {
  const { overlay, box, log, deadlineMs = 5_000, keepMs = 10 * 60_000, keepAnswers = 5_000 } = parts;
  const answers = new LRUCache<string, EngineRoute>({ max: keepAnswers, ttl: keepMs });
  let version = "unversioned";
  await ping().catch((error: unknown) =>
    log.warn(
      { engine: engine.basis, err: error },
      "The routing engine does not answer; starting without it.",
    ),
  );

  return {
    basis: engine.basis,
    get dataVersion() {
      return `${engine.basis.toLowerCase()}-${version}+${overlay.dataVersion}`;
    },
    ping,

    async measure(stops, departure, signal): Promise<MeasuredRoute> {
      refuseOutside(stops);
      const { legs } = await answerFor(stops, signal);
      const km = sum(legs.map((leg) => leg.km));
      const minutes = sum(legs.map((leg) => leg.minutes));
      return {
        distanceKm: Math.round(km * 10) / 10,
        durationMinutes: Math.max(0, Math.ceil(minutes - 1e-9)),
        ...(await overlay.over(stops, departure, km, signal)),
      };
    },
  };

  function refuseOutside(stops: readonly RouteStop[]): void {
    const { south, west, north, east } = box;
    const outside = stops.find(
      ({ lat, lng }) => !(lat >= south && lat <= north && lng >= west && lng <= east),
    );
    if (outside) throw new PublicError("UNSUPPORTED_ROUTE", `${outside.name} lies outside the service area.`);
  }

  async function ping(): Promise<void> {
    const told = await withinDeadline(new AbortController().signal, (limit) => engine.dataVersion(limit));
    version = readable(told);
  }

  async function answerFor(stops: readonly RouteStop[], signal: AbortSignal): Promise<EngineRoute> {
    const key = keyOf(stops);
    const kept = answers.get(key);
    if (kept) return kept;
    const route = await withinDeadline(signal, (limit) => engine.measure(stops, limit));
    refuseImplausible(stops, route.legs);
    if (route.dataVersion !== undefined) version = readable(route.dataVersion);
    answers.set(keyOf(stops), route);
    return route;
  }

  /** Answers of other data are other answers. */
  function keyOf(stops: readonly RouteStop[]): string {
    const positions = stops.map((stop) =>
      [stop.lat.toFixed(5), stop.lng.toFixed(5), snapMeters(stop)].join(),
    );
    return `${version} ${positions.join(" ")}`;
  }

  async function withinDeadline<A>(
    signal: AbortSignal,
    task: (limit: AbortSignal) => Promise<A>,
  ): Promise<A> {
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      return await task(AbortSignal.any([signal, deadline]));
    } catch (error) {
      if (!deadline.aborted || signal.aborted || error instanceof PublicError) throw error;
      throw upstreamUnavailable("The routing engine is too slow now.", error);
    }
  }

  function refuseImplausible(stops: readonly RouteStop[], legs: readonly EngineLeg[]): void {
    const reason = implausible(stops, legs);
    if (reason === undefined) return;
    log.warn({ engine: engine.basis, reason }, "A measurement was refused.");
    throw new PublicError("ROUTE_UNAVAILABLE", "The measurement of this journey is not plausible.", {
      nextAction: "Retry later, or send more precise places.",
    });
  }
}

/** As it may stand in `route_contract_version`. */
function readable(version: string | undefined): string {
  return version?.replace(/[^\w.:-]+/g, "_").slice(0, 64) || "unversioned";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
