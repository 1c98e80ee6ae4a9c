import { monitorEventLoopDelay } from "node:perf_hooks";
import type { RequestHandler } from "express";
import { upstreamUnavailable } from "../contract/errors.ts";
import type { ShedReason } from "../ops/metrics.ts";
import { surfaceOf } from "./request.ts";

export interface LoadLimits {
  /** Requests in flight at the same time, as a bound on memory: those that wait for an engine are cheap. Default 1,000. */
  readonly inFlight?: number;
  /** Milliseconds over which turns are averaged. Default 500. */
  readonly windowMs?: number;
}

const OVERLOADED = upstreamUnavailable("The server is overloaded.");
/** Mean milliseconds of a turn of the event loop from which the process is overloaded. */
const LATE_TURN_MS = 20;
/** Up to this many requests in flight are never an overload. */
const FEW = 16;
/** Milliseconds of each turn in which calls are started while the process is overloaded; documents come after them. */
const CALLS_SHARE_MS = 5;

/**
 * Rejects requests with 503 while too many are in flight, or while turns of the event loop take too long: then each turn
 * starts requests for a few milliseconds and rejects the rest, so that what is started stays fast. Requests that wait
 * for a foreign service do not delay the event loop and do not count. `onChange` is called when an overload begins and
 * when it has ended.
 */
export function createLoadShedding(
  onChange: (overloaded: boolean) => void,
  { inFlight: most = 1_000, windowMs = 500 }: LoadLimits = {},
) {
  const turns = monitorEventLoopDelay({ resolution: 10 });
  turns.enable();
  let inFlight = 0;
  let isOverloaded = false;
  let hasShed = false;
  let turnStartedAt: number | undefined;
  setInterval(() => {
    // Rejecting keeps the turns short: the overload lasts as long as there is something to reject.
    const isNow = hasShed || turns.mean / 1e6 > LATE_TURN_MS;
    turns.reset();
    hasShed = false;
    if (isNow !== isOverloaded) onChange(isNow);
    isOverloaded = isNow;
  }, windowMs).unref();

  const handler: RequestHandler = (request, response, next) => {
    const shed = shedReason(surfaceOf(request.originalUrl) === "http" ? 0 : CALLS_SHARE_MS);
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
  };
  return { handler, inFlight: () => inFlight };

  function shedReason(share: number): ShedReason | undefined {
    const now = performance.now();
    if (turnStartedAt === undefined) {
      turnStartedAt = now;
      setImmediate(() => {
        turnStartedAt = undefined;
      });
    }
    if (inFlight >= most) return "calls";
    if (!isOverloaded || inFlight < FEW || now - turnStartedAt < share) return undefined;
    hasShed = true;
    return "delay";
  }
}
