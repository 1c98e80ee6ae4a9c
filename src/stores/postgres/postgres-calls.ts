import { DAY } from "../../ops/durations.ts";
import { CALL_KEPT_DAYS, type CallStorage } from "../call-journal.ts";
import type { Query, Statement } from "./database.ts";

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
