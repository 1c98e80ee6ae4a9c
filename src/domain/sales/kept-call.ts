import type { ErrorCode } from "../../contract/errors.ts";
import type { Clock } from "../../ops/clock.ts";
import { MINUTE } from "../../ops/durations.ts";
import type { Log } from "../../ops/log.ts";
import type { ListedEnds } from "../quotes/quote.ts";
import type { SaleFacts } from "./sale-event.ts";

/** A call without personal data: ids of the catalog and days, no texts, no times of a journey. */
export interface KeptCall
  extends Pick<ListedEnds, "corridor" | "origin" | "destination">,
    Partial<Pick<SaleFacts, "quoteId" | "pickupOn" | "returnOn" | "options">> {
  readonly requestId: string;
  /** When it ended, ISO 8601 UTC. */
  readonly at: string;
  readonly code: "OK" | ErrorCode;
  /** `null` if the token names none. */
  readonly client: string | null;
  /** Absent where the request was rejected before its operation was known. */
  readonly operation?: string | undefined;
  readonly surface?: string;
}

/** Calls are kept in one of two places: refused prices as long as sales, for `report`, and the others for `find`. */
export const CALL_JOURNALS = ["refused", "calls"] as const;
export type CallJournal = (typeof CALL_JOURNALS)[number];

/** How many days `find` knows calls that are no refused prices. */
export const CALL_DAYS = 2;

const MOST_PER_MINUTE: Readonly<Record<CallJournal, number>> = { refused: 300, calls: 1_000 };

export type KeepCalls = (journal: CallJournal, calls: readonly KeptCall[]) => Promise<void>;
export type RecordCall = (journal: CallJournal, call: Omit<KeptCall, "at">) => void;

/**
 * Never throws and never waits; a flood is cut off, and what a storage that fails cannot keep is lost. What comes while
 * the storage is busy is kept together, so that each place takes one connection from calls at most.
 */
export function createCallRecorder(
  keep: KeepCalls,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): RecordCall {
  const recorders = { refused: recorderOf("refused"), calls: recorderOf("calls") };
  return (journal, call) => recorders[journal](call);

  function recorderOf(journal: CallJournal) {
    let minute = 0;
    let recorded = 0;
    let waiting: KeptCall[] = [];
    let isKeeping = false;

    return (call: Omit<KeptCall, "at">): void => {
      const now = clock.now();
      const current = Math.floor(now.getTime() / MINUTE);
      if (current !== minute) recorded = 0;
      minute = current;
      recorded += 1;
      if (recorded > MOST_PER_MINUTE[journal]) return;
      waiting.push({ ...call, at: now.toISOString() });
      void keepWaiting();
    };

    async function keepWaiting(): Promise<void> {
      if (isKeeping) return;
      isKeeping = true;
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        await keep(journal, batch).catch((error) => log.warn({ err: error, journal }, "calls could not be kept"));
      }
      isKeeping = false;
    }
  }
}
