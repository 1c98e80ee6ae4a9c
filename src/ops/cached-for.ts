import { LRUCache } from "lru-cache";

/**
 * Calls `produce` at most once in so many milliseconds: concurrent callers share one promise, and its result is kept for
 * that long, with 0 forever. A failure is not kept.
 */
export function cachedFor<T extends object>(ttl: number, produce: () => Promise<T>): () => Promise<T> {
  const cache = new LRUCache<"result", T>({ max: 1, ttl, fetchMethod: produce });
  return () => cache.forceFetch("result");
}
