import { monitorEventLoopDelay } from "node:perf_hooks";
import type { RequestHandler } from "express";
import { LRUCache } from "lru-cache";
import { PublicError } from "../../contract/errors.ts";
import { surfaceOf } from "./request.ts";

/** Most requests in flight, which bounds memory; waiting for a routing engine costs little else. */
const MOST_IN_FLIGHT = 1_000;
/** Most requests in flight while the event loop is late, since each of them makes the others wait. */
const MOST_WHILE_LATE = 32;
/** Mean delay of the event loop, in milliseconds, above which it is late. */
const LATE_MILLISECONDS = 20;
const WINDOW_MILLISECONDS = 500;
/** Makes callers wait that ignore Retry-After. */
const REJECTED_AFTER_MILLISECONDS = 100;

const OVERLOADED = new PublicError("UPSTREAM_UNAVAILABLE", "The server is overloaded.", { retryAfterSeconds: 1 });

/**
 * Rejects requests with 503 while too many are in flight. Fewer are allowed while the event loop is late, which those
 * that wait for a foreign service do not make it. `onChange` is called when the event loop begins or ceases to be late,
 * until `stop` is.
 */
export function createLoadShedding(onChange: (isLate: boolean) => void, mostInFlight = MOST_IN_FLIGHT) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let inFlight = 0;
  let isLate = false;
  const watch = setInterval(() => {
    const isNow = delay.mean / 1e6 > LATE_MILLISECONDS;
    delay.reset();
    if (isNow !== isLate) onChange(isNow);
    isLate = isNow;
  }, WINDOW_MILLISECONDS).unref();

  const handler: RequestHandler = (_request, response, next) => {
    if (inFlight >= (isLate ? Math.min(MOST_WHILE_LATE, mostInFlight) : mostInFlight)) {
      response.locals.shed = inFlight >= mostInFlight ? "calls" : "delay";
      return void setTimeout(() => next(OVERLOADED), REJECTED_AFTER_MILLISECONDS);
    }
    inFlight += 1;
    response.once("close", () => {
      inFlight -= 1;
    });
    next();
  };
  const stop = () => {
    clearInterval(watch);
    delay.disable();
  };
  return { handler, inFlight: () => inFlight, stop };
}

const MOST_DOCUMENTS_A_SECOND = 100;
const TOO_MANY = new PublicError("RATE_LIMITED", "Too many documents were requested. Retry in 1 s.", {
  retryAfterSeconds: 1,
});

/**
 * Limits documents and metrics, which no budget of the contract counts, for each `keyOf(address)`. The others are
 * answered 429 after a second, so that a client that repeats them at once takes no time from calls.
 */
export function createDocumentLimit(keyOf: (address: string) => string): RequestHandler {
  const windows = new LRUCache<string, { requests: number }>({ max: 10_000, ttl: 1_000 });
  return (request, _response, next) => {
    if (surfaceOf(request.originalUrl) !== "http") return next();
    const key = keyOf(request.ip ?? "");
    const window = windows.get(key) ?? { requests: 0 };
    if (window.requests === 0) windows.set(key, window);
    window.requests += 1;
    if (window.requests <= MOST_DOCUMENTS_A_SECOND) return next();
    setTimeout(() => next(TOO_MANY), 1_000);
  };
}
