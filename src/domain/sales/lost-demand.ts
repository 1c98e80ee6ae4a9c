import type { ErrorCode } from "../../contract/errors.ts";
import type { KeptCall } from "./kept-call.ts";
import { keyOf } from "./sales-report.ts";

/** Operations that ask for a price. */
const ASKING = ["estimate_transfer_quote", "create_transfer_quote"];
/** Codes that are not a mistake of the caller. */
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

/** Whether a price was asked for and refused. */
export function isLostDemand({ operation, code }: Pick<KeptCall, "operation" | "code">): boolean {
  return operation !== undefined && ASKING.includes(operation) && code !== "OK" && LOST.includes(code);
}

export const LOST_GROUPS = ["code", "day", "corridor", "client"] as const;
type LostGroup = (typeof LOST_GROUPS)[number];

/** Counts refusals, the most frequent first; memory holds one number for each group. */
export async function reportLost(
  source: AsyncIterable<readonly KeptCall[]>,
  { by, timeZone }: { readonly by: readonly LostGroup[]; readonly timeZone: string },
) {
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
