import { LRUCache } from "lru-cache";
import { PublicError } from "../../contract/errors.ts";
import { withinDeadline } from "../../ops/deadline.ts";
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

const UNVERSIONED = "unversioned";

/**
 * A router over a foreign engine: kept answers, a deadline, limits of what is believed, and our catalogue's closures,
 * car trains and tolls over it. There is no fall-back to the embedded network: it would change a price.
 *
 * `dataVersion` names the engine's data and the catalogue's. It is asked for when the router opens, or before the first
 * measurement where the engine was away then, and followed with every answer and ping; an engine that has none is
 * "unversioned".
 */
export async function openMeasuredByEngine(
  engine: RoadEngine,
  parts: MeasuredByEngineParts,
): Promise<Router> {
  const { overlay, box, log, deadlineMs = 5_000, keepMs = 10 * 60_000, keepAnswers = 5_000 } = parts;
  const answers = new LRUCache<string, EngineRoute>({ max: keepAnswers, ttl: keepMs });
  /** `undefined` until the engine has told, be it that its data have none. */
  let version: string | undefined;
  await ping().catch((error: unknown) =>
    log.warn(
      { engine: engine.basis, err: error },
      "The routing engine does not answer; starting without it.",
    ),
  );

  return {
    basis: engine.basis,
    get dataVersion() {
      return `${engine.basis.toLowerCase()}-${version ?? UNVERSIONED}+${overlay.dataVersion}`;
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
    await soon(new AbortController().signal, learnVersion);
  }

  async function learnVersion(limit: AbortSignal): Promise<void> {
    version = readable(await engine.dataVersion(limit));
  }

  async function answerFor(stops: readonly RouteStop[], signal: AbortSignal): Promise<EngineRoute> {
    const key = keyOf(stops);
    const kept = answers.get(key);
    if (kept) return kept;
    return soon(signal, async (limit) => {
      if (version === undefined) await learnVersion(limit);
      const asked = version;
      const route = await engine.measure(stops, limit);
      refuseImplausible(stops, route.legs);
      if (route.dataVersion !== undefined) version = readable(route.dataVersion);
      // Otherwise nobody knows which data it is of.
      if (route.dataVersion !== undefined || version === asked) answers.set(keyOf(stops), route);
      return route;
    });
  }

  /** Answers of other data are other answers. */
  function keyOf(stops: readonly RouteStop[]): string {
    const positions = stops.map((stop) =>
      [stop.lat.toFixed(5), stop.lng.toFixed(5), snapMeters(stop)].join(),
    );
    return `${version} ${positions.join(" ")}`;
  }

  function soon<A>(signal: AbortSignal, task: (limit: AbortSignal) => Promise<A>): Promise<A> {
    return withinDeadline(deadlineMs, "The routing engine is too slow now.", signal, task);
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
  return version?.replace(/[^\w.:-]+/g, "_").slice(0, 64) || UNVERSIONED;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
