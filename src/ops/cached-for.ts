/**
 * Calls `produce` at most once in `milliseconds`: concurrent callers share one promise, and its result is kept for that
 * long. A failure is not kept.
 */
export function cachedFor<T>(
  milliseconds: number,
  produce: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let cached: Promise<T> | undefined;
  let expiresAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (cached && now() < expiresAt) return cached;
    const produced = produce();
    cached = produced;
    expiresAt = Number.POSITIVE_INFINITY;
    const settle = (result: Promise<T> | undefined) => {
      if (cached !== produced) return;
      cached = result;
      expiresAt = now() + milliseconds;
    };
    produced.then(
      () => settle(produced),
      () => settle(undefined),
    );
    return produced;
  };
}
