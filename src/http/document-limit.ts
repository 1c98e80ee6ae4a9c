import type { RequestHandler } from "express";
import { LRUCache } from "lru-cache";
import { PublicError } from "../contract/errors.ts";
import { surfaceOf } from "./request.ts";

const TOO_MANY = new PublicError("RATE_LIMITED", "Too many documents were requested. Retry in 1 s.", {
  retryAfterSeconds: 1,
});

/**
 * Limits documents and metrics, which no budget of the contract counts, to so many a second for each `keyOf(address)`.
 * The others are answered 429 after a second, so that a client that repeats them at once takes no time from calls.
 */
export function createDocumentLimit(keyOf: (address: string) => string, perSecond = 100): RequestHandler {
  const windows = new LRUCache<string, { requests: number }>({ max: 10_000, ttl: 1_000 });
  return (request, _response, next) => {
    if (surfaceOf(request.originalUrl) !== "http") return next();
    const key = keyOf(request.ip ?? "");
    const window = windows.get(key) ?? { requests: 0 };
    if (window.requests === 0) windows.set(key, window);
    window.requests += 1;
    if (window.requests <= perSecond) return next();
    setTimeout(() => next(TOO_MANY), 1_000);
  };
}
