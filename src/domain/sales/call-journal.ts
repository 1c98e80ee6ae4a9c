import type { Clock } from "../../ops/clock.ts";
import { MINUTE } from "../../ops/durations.ts";
import type { Log } from "../../ops/log.ts";
import type { LostDemand } from "./lost-demand.ts";

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

/** What a call asked for that was refused. */
export type LostEnds = Omit<LostDemand, "requestId" | "at" | "client">;

/** Where calls are kept, and refused demand as long as sales. `append` rejects where that fails; then they are lost. */
export interface CallStorage {
  append(calls: readonly KeptCall[], lost: readonly LostDemand[], at: Date): Promise<void>;
}

export type CallJournal = ReturnType<typeof createCallJournal>;

const FLUSH_MILLISECONDS = 500;
/** Of successful, refused and rate-limited calls each: a flood leaves room for the others and bounds what is kept. */
const MOST_PER_MINUTE = 300;

/** Collects calls and keeps them every half second. It is not a record for accounts: under a flood, calls are left out. */
export function createCallJournal({ append }: CallStorage, { clock, log }: { clock: Clock; log: Log }) {
  let waiting: KeptCall[] = [];
  let lost: LostDemand[] = [];
  let keeping = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const counted = { minute: 0, ok: 0, refused: 0, limited: 0 };

  return {
    /** Never throws and never waits. */
    record(call: Omit<KeptCall, "at">, ends?: LostEnds): void {
      const now = clock.now();
      const minute = Math.floor(now.getTime() / MINUTE);
      if (minute !== counted.minute) Object.assign(counted, { minute, ok: 0, refused: 0, limited: 0 });
      const kind = call.code === "OK" ? "ok" : call.code === "RATE_LIMITED" ? "limited" : "refused";
      counted[kind] += 1;
      if (counted[kind] > MOST_PER_MINUTE) return;
      const at = now.toISOString();
      waiting.push({ ...call, at });
      if (ends) lost.push({ requestId: call.requestId, at, client: call.client, ...ends });
      timer ??= setTimeout(keep, FLUSH_MILLISECONDS).unref();
    },
    /** Resolves when what was recorded has been kept. */
    async close(): Promise<void> {
      clearTimeout(timer);
      keep();
      await keeping;
    },
  };

  function keep(): void {
    timer = undefined;
    const [calls, refusals] = [waiting, lost];
    waiting = [];
    lost = [];
    if (calls.length === 0) return;
    keeping = keeping
      .then(() => append(calls, refusals, clock.now()))
      .catch((error) => log.warn({ err: error, calls: calls.length }, "calls could not be kept for find and report"));
  }
}
