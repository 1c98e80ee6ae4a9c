import type { DayCount } from "../../ledger/day-counts.ts";
import type { Statement } from "./pool.ts";
import { keyOf } from "./rows.ts";

/** Adds to the sums of a day, in the order of their keys, so that two processes do not wait for each other in a circle. */
export const ADD_COUNTS: Statement = {
  name: "add-counts",
  text: `
    INSERT INTO transfer_day_counts (day, kind, name, code, count)
    SELECT $1::text, given.kind, given.name, given.code, given.count
    FROM json_to_recordset($2::json) AS given (kind text, name text, code text, count bigint)
    ORDER BY given.kind, given.name, given.code
    ON CONFLICT (day, kind, name, code) DO UPDATE SET count = transfer_day_counts.count + excluded.count
    RETURNING day`,
};

/** No name is the empty string: no client has that. */
export function countsValue(counts: readonly DayCount[]): string {
  return JSON.stringify(counts.map(({ kind, name, code, count }) => ({ kind, name: keyOf(name ?? ""), code, count })));
}

export const COUNTS_BETWEEN = `
  SELECT kind, name, code, sum(count) AS count FROM transfer_day_counts
  WHERE day >= $1::text AND day <= $2::text GROUP BY kind, name, code`;

export interface CountRow {
  readonly kind: DayCount["kind"];
  readonly name: string;
  readonly code: string;
  readonly count: string;
}

export function countOf({ kind, name, code, count }: CountRow): DayCount {
  return { kind, name: name === "" ? null : (JSON.parse(`"${name}"`) as string), code, count: Number(count) };
}
