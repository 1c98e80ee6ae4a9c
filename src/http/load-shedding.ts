import { monitorEventLoopDelay } from "node:perf_hooks";
import type { RequestHandler } from "express";
import { upstreamUnavailable } from "../contract/errors.ts";
import type { ShedReason } from "../ops/metrics.ts";

export interface LoadLimits {
  /** Requests in flight at the same time, as a bound on memory: those that wait for an engine are cheap. Default 1,000. */
  readonly inFlight?: number;
  /** Up to this many requests in flight are never an overload. Default 16. */
  readonly few?: number;
  /** Mean milliseconds of a turn of the event loop from which the process is overloaded. Default 20. */
  readonly turnMs?: number;
  /** Milliseconds of each turn that requests may use while the process is overloaded. Default 5. */
  readonly shareMs?: number;
  /** Milliseconds over which turns are averaged. Default 500. */
  readonly windowMs?: number;
}

export interface LoadShedding {
  readonly handler: RequestHandler;
  readonly inFlight: number;
}

const OVERLOADED = upstreamUnavailable("The server is overloaded.");
const RESOLUTION_MS = 10;

/**
 * Rejects requests with 503 while too many are in flight, or while turns of the event loop take too long: then each turn
 * starts requests for a few milliseconds and rejects the rest, so that what is started stays fast. Requests that wait
 * for a foreign service do not delay the event loop and do not count. `onChange` is called when an overload begins and
 * when it has ended.
 */
export function createLoadShedding(
  onChange: (overloaded: boolean) => void,
  { inFlight: most = 1_000, few = 16, turnMs = 20, shareMs = 5, windowMs = 500 }: LoadLimits = {},
): LoadShedding {
  const turns = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  turns.enable();
  let inFlight = 0;
  let isOverloaded = false;
  let hasShed = false;
  let turnStartedAt: number | undefined;
  setInterval(() => {
    // Rejecting keeps the turns short: the overload lasts as long as there is something to reject.
    const isNow = hasShed || turns.mean / 1e6 > turnMs;
    turns.reset();
    hasShed = false;
    if (isNow !== isOverloaded) onChange(isNow);
    isOverloaded = isNow;
  }, windowMs).unref();

  return {
    get inFlight() {
      return inFlight;
    },
    handler(_request, response, next) {
      const shed = shedReason();
      if (shed) {
        response.locals.shed = shed;
        response.setHeader("Retry-After", "1");
        // Slows callers that ignore Retry-After; random, so that they do not return all at once.
        return void setTimeout(() => next(OVERLOADED), 50 + Math.random() * 150);
      }
      inFlight += 1;
      response.once("close", () => {
        inFlight -= 1;
      });
      next();
    },
  };

  function shedReason(): ShedReason | undefined {
    const now = performance.now();
    if (turnStartedAt === undefined) {
      turnStartedAt = now;
      setImmediate(() => {
        turnStartedAt = undefined;
      });
    }
    if (inFlight >= most) return "calls";
    if (!isOverloaded || inFlight < few || now - turnStartedAt <= shareMs) return undefined;
    hasShed = true;
    return "delay";
  }
}
