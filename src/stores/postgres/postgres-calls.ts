import { DAY } from "../../ops/durations.ts";
import type { LostDemand } from "../../quotes/lost-demand.ts";
import { CALL_KEPT_DAYS, type CallStorage, type KeptCall } from "../call-journal.ts";
import type { Period } from "../sales.ts";
import { openPool, type Query, queryOf, type Statement } from "./database.ts";
import { keyOf } from "./save-statement.ts";

const KEEP: Statement = {
  name: "keep-calls",
  text: `
    INSERT INTO transfer_calls (request_id, call, kept_until)
    SELECT *, $3::timestamptz FROM unnest($1::text[], $2::text[])
    ON CONFLICT DO NOTHING`,
};

const KEEP_LOST: Statement = {
  name: "keep-lost-demand",
  text: `
    INSERT INTO transfer_lost_demand (request_id, occurred_at, lost)
    SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[])
    ON CONFLICT DO NOTHING`,
};

const BATCH = 5_000;

/** Pages by key, as events of sales are read. */
const LOST: Statement = {
  name: "lost-demand",
  text: `
    SELECT lost FROM transfer_lost_demand
    WHERE (occurred_at, request_id) > ($1, $2) AND occurred_at < $3 ORDER BY occurred_at, request_id LIMIT ${BATCH}`,
};

const FIND: Statement = { name: "find-call", text: "SELECT call FROM transfer_calls WHERE request_id = $1" };

/** Calls of all processes on a database. */
export function createPostgresCalls(query: Query): CallStorage {
  return {
    async append(calls, lost, at) {
      const keptUntil = new Date(at.getTime() + CALL_KEPT_DAYS * DAY).toISOString();
      await query(KEEP, [
        calls.map(({ requestId }) => requestId),
        calls.map((call) => JSON.stringify(call)),
        keptUntil,
      ]);
      if (lost.length === 0) return;
      await query(KEEP_LOST, [
        lost.map(({ requestId }) => requestId),
        lost.map((each) => each.at),
        lost.map((each) => JSON.stringify(each)),
      ]);
    },
  };
}

/** The call with this request id; `undefined` where none is kept. */
export async function findCallInPostgres(url: string, requestId: string): Promise<KeptCall | undefined> {
  const pool = openPool({ url, connections: 1, isPatient: true });
  try {
    const [row] = await queryOf(pool)<{ call: string }>(FIND, [keyOf(requestId)]);
    return row && JSON.parse(row.call);
  } finally {
    await pool.end();
  }
}

/** What was refused in a period. */
export async function* lostDemandInPostgres(url: string, { since, until }: Period): AsyncGenerator<LostDemand[]> {
  const pool = openPool({ url, connections: 1, isPatient: true });
  try {
    let after = { at: since.toISOString(), requestId: "" };
    for (let size = BATCH; size === BATCH; ) {
      const rows = await queryOf(pool)<{ lost: string }>(LOST, [after.at, after.requestId, until.toISOString()]);
      const batch = rows.map(({ lost }): LostDemand => JSON.parse(lost));
      size = batch.length;
      after = batch.at(-1) ?? after;
      yield batch;
    }
  } finally {
    await pool.end();
  }
}
