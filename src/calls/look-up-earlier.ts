import type { IdempotencyRecord, QuoteStore } from "../stores/quote-store.ts";

/** Pricing with the embedded services takes less. */
const LOOK_UP_AFTER_MS = 50;

/**
 * Finds an earlier response under the key: for a handler that fails, and in parallel with one that takes its time
 * because it waits for a routing engine or a database; `signal` aborts the handler where there is one. `commit` finds
 * a taken key by itself, so a fast handler needs no look-up.
 */
export function lookUpEarlier(quotes: Pick<QuoteStore, "findRecord">, scope: string, gone: AbortSignal) {
  // Not AbortSignal.any, which takes 14 µs; this takes 3.
  const stop = new AbortController();
  const leave = () => stop.abort(gone.reason);
  if (gone.aborted) leave();
  gone.addEventListener("abort", leave);
  let found: Promise<IdempotencyRecord | undefined> | undefined;
  const timer = setTimeout(async () => {
    if (await record().catch(() => undefined)) stop.abort();
  }, LOOK_UP_AFTER_MS);
  return { record, end, signal: stop.signal };

  function end() {
    clearTimeout(timer);
    gone.removeEventListener("abort", leave);
  }

  async function record(): Promise<IdempotencyRecord | undefined> {
    found ??= quotes.findRecord(scope);
    return found;
  }
}
