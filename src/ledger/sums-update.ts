import type { Clock } from "../ops/clock.ts";
import { sumHours } from "./hour-sums.ts";
import type { SummableHours } from "./ledger-hours.ts";
import { AROUND_MILLISECONDS, HOUR_MILLISECONDS, hourOf } from "./sales-count.ts";

/** Bound what one query and one summing take. */
const HOURS_IN_LOOK = 7 * 24;
const HOURS_IN_BATCH = 24;
/** An hour whose events may still change after that time is left to reports. */
const PATIENCE_MILLISECONDS = 2 * 24 * HOUR_MILLISECONDS;

/**
 * Writes the sums of hours to whose quotes nothing more happens. The first call looks at every hour, the others at what
 * has come since; where sums become invalid meanwhile, reports count the events until the next start.
 */
export function createSumsUpdate(rows: SummableHours, clock: Clock): (goOn: () => boolean) => Promise<void> {
  let done: number | undefined;

  return async (goOn) => {
    const end = hourOf(clock.now().getTime() - AROUND_MILLISECONDS) - HOUR_MILLISECONDS;
    done ??= await rows.earliest();
    if (done === undefined) return;
    let waiting = end;
    for (let from = hourOf(done); from < end; from += HOURS_IN_LOOK * HOUR_MILLISECONDS) {
      for (const hour of await update(from, Math.min(from + HOURS_IN_LOOK * HOUR_MILLISECONDS, end), goOn)) {
        if (hour >= end - PATIENCE_MILLISECONDS) waiting = Math.min(waiting, hour);
      }
      if (!goOn()) return;
    }
    done = Math.max(done, waiting);
  };

  /** Resolves to the hours whose events may still change. */
  async function update(from: number, until: number, goOn: () => boolean): Promise<readonly number[]> {
    const hours = await rows.hours(from, until);
    const missing = [...hours].filter(([, { sums }]) => !sums);
    const ready = missing.flatMap(([hour, { version }]) => (version === undefined ? [] : [hour]));
    for (let n = 0; n < ready.length && goOn(); n += HOURS_IN_BATCH) {
      for (const [hour, sums] of await sumHours(ready.slice(n, n + HOURS_IN_BATCH), rows)) {
        await rows.write(hour, hours.get(hour)?.version ?? "", sums);
      }
    }
    return missing.flatMap(([hour, { version }]) => (version === undefined ? [hour] : []));
  }
}
