import type { ErrorCode } from "../contract/errors.ts";
import type { PricedJourney } from "./quote.ts";
import { corridorOf, localDay } from "./sales-report.ts";

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

export const LOST_GROUPS = ["code", "day", "corridor", "client"] as const;
export type LostGroup = (typeof LOST_GROUPS)[number];

export interface LostReport {
  readonly total: number;
  /** The most frequent first; one key for each of `by`. */
  readonly groups: readonly { readonly keys: readonly (string | null)[]; readonly refused: number }[];
}

/** Counts refusals; memory holds one number for each group. */
export async function reportLost(
  source: AsyncIterable<readonly LostDemand[]>,
  { by, timeZone }: { readonly by: readonly LostGroup[]; readonly timeZone: string },
): Promise<LostReport> {
  const groups = new Map<string, number>();
  let total = 0;
  for await (const batch of source) {
    total += batch.length;
    for (const each of batch) {
      const group = JSON.stringify(by.map((name) => keyOf(each, name, timeZone)));
      groups.set(group, (groups.get(group) ?? 0) + 1);
    }
  }
  const sorted = [...groups].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return { total, groups: sorted.map(([group, refused]) => ({ keys: JSON.parse(group), refused })) };
}

function keyOf(lost: LostDemand, name: LostGroup, timeZone: string): string | null {
  if (name === "day") return localDay(lost.at, timeZone);
  return name === "corridor" ? corridorOf(lost) : lost[name];
}
