import type { ErrorCode } from "../../contract/errors.ts";
import type { Clock } from "../../ops/clock.ts";
import { MINUTE } from "../../ops/durations.ts";
import type { Log } from "../../ops/log.ts";
import type { PricedJourney } from "../quotes/quote.ts";
import { type GroupedReport, keyOf } from "./sales-report.ts";

/** A price that was asked for and refused, without personal data: places and zones of the catalog, no texts, no times. */
export interface LostDemand extends Pick<PricedJourney["ends"], "corridor" | "origin" | "destination"> {
  readonly requestId: string;
  /** When it was asked for, ISO 8601 UTC. */
  readonly at: string;
  readonly code: ErrorCode;
  /** `null` if the token names none. */
  readonly client: string | null;
}

/** Operations that ask for a price, and codes that are not a mistake of the caller. */
const ASKING = ["estimate_transfer_quote", "create_transfer_quote"];
const LOST: readonly ErrorCode[] = [
  "INVALID_LOCATION",
  "UNSUPPORTED_ROUTE",
  "LEAD_TIME_NOT_SUPPORTED",
  "NO_ELIGIBLE_VEHICLE",
  "RATE_LIMITED",
  "QUOTE_UNAVAILABLE",
  "ROUTE_UNAVAILABLE",
  "UPSTREAM_UNAVAILABLE",
];

export function isLostDemand(operation: string | undefined, code: ErrorCode): boolean {
  return operation !== undefined && ASKING.includes(operation) && LOST.includes(code);
}

const MOST_PER_MINUTE = 300;

/** Where refused demand is kept as long as sales. */
export type KeepLost = (lost: readonly LostDemand[]) => Promise<void>;
export type RecordLost = ReturnType<typeof createLostRecorder>;

/**
 * Never throws and never waits; a flood is cut off, and what a storage that fails cannot keep is lost. What comes while
 * the storage is busy is kept together, so that it takes one connection from calls at most.
 */
export function createLostRecorder(keep: KeepLost, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
  let minute = 0;
  let recorded = 0;
  let waiting: LostDemand[] = [];
  let isKeeping = false;

  return (lost: Omit<LostDemand, "at">): void => {
    const now = clock.now();
    const current = Math.floor(now.getTime() / MINUTE);
    if (current !== minute) recorded = 0;
    minute = current;
    recorded += 1;
    if (recorded > MOST_PER_MINUTE) return;
    waiting.push({ ...lost, at: now.toISOString() });
    void keepWaiting();
  };

  async function keepWaiting(): Promise<void> {
    if (isKeeping) return;
    isKeeping = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await keep(batch).catch((error) => log.warn({ err: error }, "refused prices could not be kept for report"));
    }
    isKeeping = false;
  }
}

export const LOST_GROUPS = ["code", "day", "corridor", "client"] as const;
type LostGroup = (typeof LOST_GROUPS)[number];

export type LostReport = GroupedReport<{ readonly refused: number }>;

/** Counts refusals, the most frequent first; memory holds one number for each group. */
export async function reportLost(
  source: AsyncIterable<readonly LostDemand[]>,
  { by, timeZone }: { readonly by: readonly LostGroup[]; readonly timeZone: string },
): Promise<LostReport> {
  const groups = new Map<string, number>();
  let refused = 0;
  for await (const batch of source) {
    refused += batch.length;
    for (const each of batch) {
      const group = JSON.stringify(by.map((name) => (name === "code" ? each.code : keyOf(each, name, timeZone))));
      groups.set(group, (groups.get(group) ?? 0) + 1);
    }
  }
  const sorted = [...groups].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return { total: { refused }, groups: sorted.map(([group, refused]) => ({ keys: JSON.parse(group), refused })) };
}
