import type { Clock } from "../ops/clock.ts";
import { MINUTE } from "../ops/durations.ts";
import type { Log } from "../ops/log.ts";

/** What is kept of a call, so that a request id that somebody reads out can be found; without personal data. */
export interface KeptCall {
  readonly requestId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly surface: string;
  readonly operation: string;
  /** `null` if the token names none. */
  readonly client: string | null;
  readonly status: number;
  readonly code: string;
  /** The quote that the call named or created; `null` where it was none. */
  readonly quoteId: string | null;
}

export const CALL_KEPT_DAYS = 7;

/** Where calls are kept. `append` rejects where that fails; then the calls are lost. */
export interface CallStorage {
  append(calls: readonly KeptCall[], at: Date): Promise<void>;
}

export interface CallJournal {
  /** Never throws and never waits. */
  record(call: Omit<KeptCall, "at">): void;
  /** Resolves when what was recorded has been kept. */
  close(): Promise<void>;
}

const FLUSH_MILLISECONDS = 500;
/** Of successful and of refused calls each, so that a flood leaves room for the others and bounds what is kept. */
const MOST_PER_MINUTE = 300;

/** Collects calls and keeps them every half second. It is not a record for accounts: under a flood, calls are left out. */
export function createCallJournal({ append }: CallStorage, { clock, log }: { clock: Clock; log: Log }): CallJournal {
  let waiting: KeptCall[] = [];
  let keeping = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const counted = { minute: 0, ok: 0, refused: 0 };

  return {
    record(call) {
      const now = clock.now();
      const minute = Math.floor(now.getTime() / MINUTE);
      if (minute !== counted.minute) Object.assign(counted, { minute, ok: 0, refused: 0 });
      const kind = call.code === "OK" ? "ok" : "refused";
      counted[kind] += 1;
      if (counted[kind] > MOST_PER_MINUTE) return;
      waiting.push({ ...call, at: now.toISOString() });
      timer ??= setTimeout(keep, FLUSH_MILLISECONDS).unref();
    },
    async close() {
      clearTimeout(timer);
      keep();
      await keeping;
    },
  };

  function keep(): void {
    timer = undefined;
    const calls = waiting;
    waiting = [];
    if (calls.length === 0) return;
    keeping = keeping
      .then(() => append(calls, clock.now()))
      .catch((error) => log.warn({ err: error, calls: calls.length }, "calls could not be kept for find"));
  }
}
