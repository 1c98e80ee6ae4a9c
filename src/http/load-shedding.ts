import { monitorEventLoopDelay } from "node:perf_hooks";
import type { RequestHandler } from "express";
import { upstreamUnavailable } from "../contract/errors.ts";
import type { ShedReason } from "../ops/metrics.ts";
import { surfaceOf } from "./request.ts";

export interface LoadLimits {
  /** Most requests in flight, which bounds memory; waiting for a routing engine costs little else. Default 1,000. */
  readonly inFlight?: number;
  /** Milliseconds over which the event loop's delay is averaged. Default 500. */
  readonly windowMs?: number;
}

const OVERLOADED = upstreamUnavailable("The server is overloaded.");
/** Mean delay of the event loop in milliseconds above which the process is overloaded. */
const LATE_TURN_MS = 20;
/** With fewer requests in flight, none is rejected. */
const FEW = 16;
/** Milliseconds of each turn in which an overloaded process starts calls; it rejects later calls and all documents. */
const CALLS_SHARE_MS = 5;

/**
 * Rejects requests with 503 while too many are in flight, or while the event loop is too slow: then each of its turns
 * starts requests for a few milliseconds and rejects the rest, so that started requests stay fast. Requests that wait
 * for a foreign service do not delay the event loop. `onChange` is called when an overload begins and when it ends.
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
    // Rejecting requests keeps the delay low, so the overload continues as long as any are rejected.
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
