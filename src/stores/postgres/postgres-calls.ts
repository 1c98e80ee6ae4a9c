import { DAY } from "../../ops/durations.ts";
import { CALL_KEPT_DAYS, type CallStorage, type KeptCall } from "../call-journal.ts";
import { openPool, type Query, queryOf, type Statement } from "./database.ts";
import { keyOf } from "./save-statement.ts";

const KEEP: Statement = {
  name: "keep-calls",
  text: `
    INSERT INTO transfer_calls (request_id, call, kept_until)
    SELECT *, $3::timestamptz FROM unnest($1::text[], $2::text[])
    ON CONFLICT DO NOTHING`,
};

const FIND: Statement = { name: "find-call", text: "SELECT call FROM transfer_calls WHERE request_id = $1" };

/** Calls of all processes on a database. */
export function createPostgresCalls(query: Query): CallStorage {
  return {
    async append(calls, at) {
      const keptUntil = new Date(at.getTime() + CALL_KEPT_DAYS * DAY).toISOString();
      await query(KEEP, [
        calls.map(({ requestId }) => requestId),
        calls.map((call) => JSON.stringify(call)),
        keptUntil,
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
