import { LRUCache } from "lru-cache";
import { PublicError } from "../../contract/errors.ts";
import type { Notice } from "../../contract/notices.ts";
import type { ServiceArea } from "../../domain/catalog/catalog-schema.ts";
import { isInBox } from "../../domain/places/geo.ts";
import {
  exactOf,
  type MeasuredRoute,
  type Router,
  type RouteStop,
  roundedSums,
  sum,
} from "../../domain/routing/router.ts";
import { MINUTE } from "../../ops/durations.ts";
import type { Log } from "../../ops/log.ts";
import { withinDeadline } from "../upstream/deadline.ts";
import type { CatalogOverlay, OverlaidJourney } from "./catalog-overlay.ts";
import { implausible } from "./plausible.ts";
import { type EngineLeg, type RoadEngine, snapMeters } from "./road-engine.ts";

export interface MeasuredByEngineParts {
  readonly overlay: CatalogOverlay;
  /** Stops outside are rejected without a call of the engine. */
  readonly box: ServiceArea["box"];
  readonly log: Log;
  /** Milliseconds for a whole measurement. Default 5,000. */
  readonly deadlineMs?: number;
  /** How long and how many answers are cached. Default 10 minutes and 5,000. */
  readonly keepMs?: number;
  readonly keepAnswers?: number;
}

const UNVERSIONED = "unversioned";

/** An answer with the version of the data that it was measured on. */
interface VersionedAnswer {
  readonly legs: readonly EngineLeg[];
  readonly version: string;
}

/** A request to the engine. A detour around a closed road is plausible where the catalog's route is as long. */
interface Question extends Partial<Pick<OverlaidJourney, "avoided" | "isAsLong">> {
  readonly stops: readonly RouteStop[];
}

/**
 * A router over a foreign engine, with cached answers, a deadline and plausibility limits. Closures, car trains and
 * tolls come from the catalog. It never falls back to the embedded network, whose measurements would change prices.
 *
 * A data version combines that of the engine's data ("unversioned" where it reports none) and that of the catalog's.
 * The engine's is read when the router opens, or before the first measurement if the engine was unavailable then, and
 * updated with every answer and ping. A measured route has the version that its own answer was measured on.
 */
export async function openMeasuredByEngine(
  name: string,
  engine: RoadEngine,
  parts: MeasuredByEngineParts,
): Promise<Router> {
  const { overlay, box, log, deadlineMs = 5_000, keepMs = 10 * MINUTE, keepAnswers = 5_000 } = parts;
  const answers = new LRUCache<string, VersionedAnswer>({ max: keepAnswers, ttl: keepMs });
  /** Version of the engine's data; `undefined` until the engine has answered once. */
  let latest: string | undefined;
  await ping().catch((error: unknown) =>
    log.warn({ engine: name, err: error }, "The routing engine does not answer; starting without it."),
  );

  return {
    basis: name.toUpperCase(),
    get dataVersion() {
      return dataVersionOf(latest ?? UNVERSIONED);
    },
    ping,

    async measure(stops, departure, signal): Promise<MeasuredRoute> {
      refuseOutside(stops);
      const overlaid = overlay.on(stops, departure);
      const { legs: measured, version, hasAvoided } = await answerAvoiding(overlaid, stops, signal);
      const legs = measured.map((leg, index) => assumedInTown(leg, stops[index], stops[index + 1]));
      const townNotes = legs.flatMap(({ note }) => note ?? []);
      const exact = exactOf(legs);
      const catalogs = overlaid.over(exact.km, hasAvoided);
      return {
        ...roundedSums(legs, true),
        exact,
        ...catalogs,
        notes: [...townNotes, ...catalogs.notes],
        dataVersion: dataVersionOf(version),
      };
    },
  };

  function assumedInTown(leg: EngineLeg, from?: RouteStop, to?: RouteStop): EngineLeg & { readonly note?: Notice } {
    const assumed = from && to && overlay.legInTown(from, to);
    return assumed && !assumed.isBetweenPositions && assumed.km > leg.km ? assumed : leg;
  }

  function dataVersionOf(version: string): string {
    return `${name}-${version}+${overlay.dataVersion}`;
  }

  function refuseOutside(stops: readonly RouteStop[]): void {
    const outside = stops.find((stop) => !isInBox(stop, box));
    if (outside) throw new PublicError("UNSUPPORTED_ROUTE", `${outside.name} lies outside the service area.`);
  }

  async function ping(): Promise<void> {
    await withTimeout(new AbortController().signal, learnVersion);
  }

  async function learnVersion(limit: AbortSignal): Promise<string> {
    latest = readable(await engine.dataVersion(limit));
    return latest;
  }

  /** Measures over closed roads if the engine cannot avoid them or finds no other route (`hasAvoided` is false). */
  async function answerAvoiding(
    { avoided, isAsLong }: OverlaidJourney,
    stops: readonly RouteStop[],
    signal: AbortSignal,
  ): Promise<VersionedAnswer & { readonly hasAvoided: boolean }> {
    if (avoided && engine.canAvoid(avoided)) {
      try {
        return { ...(await answerFor({ stops, avoided, isAsLong }, signal)), hasAvoided: true };
      } catch (error) {
        if (!(error instanceof PublicError) || error.code !== "ROUTE_UNAVAILABLE") throw error;
      }
    }
    return { ...(await answerFor({ stops }, signal)), hasAvoided: false };
  }

  async function answerFor(question: Question, signal: AbortSignal): Promise<VersionedAnswer> {
    const key = keyOf(question);
    const cached = latest === undefined ? undefined : answers.get(`${latest} ${key}`);
    if (cached) return cached;
    return withTimeout(signal, async (limit) => {
      const answer = await ask(question, limit);
      answers.set(`${answer.version} ${key}`, answer);
      return answer;
    });
  }

  async function ask({ stops, avoided, isAsLong }: Question, limit: AbortSignal): Promise<VersionedAnswer> {
    for (;;) {
      const asked = latest ?? (await learnVersion(limit));
      const { legs, dataVersion } = await engine.measure(stops, avoided, limit);
      refuseImplausible(stops, legs, isAsLong?.(sum(legs.map(({ km }) => km))) ?? false);
      if (dataVersion !== undefined) {
        latest = readable(dataVersion);
        return { legs, version: latest };
      }
      // The version changed during the request, so that the version of the answer is unknown: measure again.
      if (latest === asked) return { legs, version: asked };
    }
  }

  /** Cache key: the parts of a request that can change the engine's answer. */
  function keyOf({ stops, avoided }: Question): string {
    const points = stops.map((stop) => [stop.lat.toFixed(5), stop.lng.toFixed(5), snapMeters(stop)].join());
    if (!avoided) return points.join(" ");
    const { positions, areAllSeasonal, takesCarTrain } = avoided;
    return [...points, ...positions.map(({ lat, lng }) => `${lat},${lng}`), areAllSeasonal, takesCarTrain].join(" ");
  }

  function withTimeout<A>(signal: AbortSignal, task: (limit: AbortSignal) => Promise<A>): Promise<A> {
    return withinDeadline(deadlineMs, "The routing engine is too slow now.", signal, task);
  }

  function refuseImplausible(stops: readonly RouteStop[], legs: readonly EngineLeg[], isDetourKnown: boolean): void {
    const reason = implausible(stops, legs, isDetourKnown);
    if (reason === undefined) return;
    log.warn({ engine: name, reason }, "An implausible measurement was rejected.");
    throw new PublicError("ROUTE_UNAVAILABLE", "The measurement of this journey is not plausible.", {
      nextAction: "Retry later, or send more precise places.",
    });
  }
}

/** A version in the characters and length that `route_contract_version` may have. */
function readable(version: string | undefined): string {
  return version?.replace(/[^\w.:-]+/g, "_").slice(0, 64) || UNVERSIONED;
}
