import type { Clock } from "../ops/clock.ts";
import { sumHours } from "./hour-sums.ts";
import type { LedgerHour, SummableHours } from "./ledger-hours.ts";
import { AROUND_MILLISECONDS, HOUR_MILLISECONDS, hourOf } from "./sales-count.ts";

/** Bound what one query and one summing take. */
const HOURS_IN_LOOK = 2 * 24;
const HOURS_IN_BATCH = 24;
const BYTES_IN_BATCH = 4_000_000;
/** An hour whose events may still change after that time is left to reports. */
const PATIENCE_MILLISECONDS = 2 * 24 * HOUR_MILLISECONDS;
/** More hours that fail are not tried: the storage is not available. */
const MOST_FAILURES = 3;
const RETRY_MILLISECONDS = HOUR_MILLISECONDS;
/** For hours that failed: because of an outage, or because they are too large for the limits of the storage. */
const RETRY_HOUR_MILLISECONDS = 24 * HOUR_MILLISECONDS;

/**
 * Writes the sums of hours to whose quotes nothing more happens. The first call looks at every hour, the others at what
 * has come since; where sums become invalid meanwhile, or an hour cannot be summed, reports count the events until the
 * next start. After a call that rejects the calls of an hour do nothing, as what failed may be work for the storage.
 */
export function createSumsUpdate(rows: SummableHours, clock: Clock): (goOn: () => boolean) => Promise<void> {
  let done: number | undefined;
  let retryAt = 0;
  /** Hours that could not be summed, and when. */
  const failed = new Map<number, number>();

  return async (goOn) => {
    const now = clock.now().getTime();
    if (now < retryAt) return;
    forgetFailures(now - RETRY_HOUR_MILLISECONDS);
    const failedBefore = failed.size;
    const errors: unknown[] = [];
    try {
      await updateAll(now, goOn, (hour, error) => {
        failed.set(hour, now);
        errors.push(error);
        if (failed.size - failedBefore >= MOST_FAILURES) throw error;
      });
      if (errors.length > 0) throw errors[0];
    } catch (error) {
      retryAt = now + RETRY_MILLISECONDS;
      throw error;
    }
  };

  function forgetFailures(since: number): void {
    for (const [hour, failedAt] of failed) {
      if (failedAt > since) continue;
      failed.delete(hour);
      if (done !== undefined) done = Math.min(done, hour);
    }
  }

  async function updateAll(now: number, goOn: () => boolean, onFailure: OnFailure): Promise<void> {
    const end = hourOf(now - AROUND_MILLISECONDS) - HOUR_MILLISECONDS;
    done ??= await rows.earliest();
    if (done === undefined) return;
    let waiting = end;
    for (let from = hourOf(done); from < end; from += HOURS_IN_LOOK * HOUR_MILLISECONDS) {
      const until = Math.min(from + HOURS_IN_LOOK * HOUR_MILLISECONDS, end);
      for (const hour of await update(from, until, goOn, onFailure)) {
        if (hour >= end - PATIENCE_MILLISECONDS) waiting = Math.min(waiting, hour);
      }
      if (!goOn()) return;
    }
    done = Math.max(done, waiting);
  }

  /** Resolves to the hours whose events may still change. */
  async function update(
    from: number,
    until: number,
    goOn: () => boolean,
    onFailure: OnFailure,
  ): Promise<readonly number[]> {
    const hours = await rows.hours(from, until);
    const missing = [...hours].filter(([hour, { sums }]) => !sums && !failed.has(hour));
    const ready = missing.filter(([, { version }]) => version !== undefined);
    for (const batch of batchesOf(ready)) {
      if (!goOn()) break;
      await sumBatch(batch, hours).catch(async (error: unknown) => {
        const [hour] = batch;
        if (hour !== undefined && batch.length === 1) return onFailure(hour, error);
        for (const each of batch) await sumBatch([each], hours).catch((again: unknown) => onFailure(each, again));
      });
    }
    return missing.flatMap(([hour, { version }]) => (version === undefined ? [hour] : []));
  }

  async function sumBatch(batch: readonly number[], hours: ReadonlyMap<number, LedgerHour>): Promise<void> {
    for (const [hour, sums] of await sumHours(batch, rows))
      await rows.write(hour, hours.get(hour)?.version ?? "", sums);
  }
}

type OnFailure = (hour: number, error: unknown) => void;

function batchesOf(hours: readonly (readonly [number, LedgerHour])[]): readonly (readonly number[])[] {
  const batches: number[][] = [];
  let bytes = 0;
  for (const [hour, { size }] of hours) {
    const batch = batches.at(-1);
    bytes += size;
    if (batch && batch.length < HOURS_IN_BATCH && bytes <= BYTES_IN_BATCH) batch.push(hour);
    else {
      batches.push([hour]);
      bytes = size;
    }
  }
  return batches;
}
