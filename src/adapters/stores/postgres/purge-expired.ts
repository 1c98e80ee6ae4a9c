import { setTimeout as pause } from "node:timers/promises";
import { KEPT_MILLISECONDS, QUOTE_VALIDITY_MILLISECONDS } from "../../../domain/quotes/quote.ts";
import { CALL_DAYS } from "../../../domain/sales/kept-call.ts";
import { DAY, MINUTE } from "../../../ops/durations.ts";
import type { Log } from "../../../ops/log.ts";
import { createLedgerGuard, createPurge } from "../store-calls.ts";
import type { Query } from "./database.ts";
import type { PostgresQuoteStoreOptions } from "./postgres-quote-store.ts";

const EVERY_MILLISECONDS = MINUTE;
const BATCH = 500;
const PAUSE_MILLISECONDS = 10;

/** Events are kept at least this long, until no further step of their quote is possible. */
const LEAST_MILLISECONDS = QUOTE_VALIDITY_MILLISECONDS + KEPT_MILLISECONDS;

const EXPIRED = [
  deletion("transfer_quotes", "id", "kept_until"),
  deletion("transfer_idempotency_records", "key_hash", "kept_until"),
  deletion("transfer_issuer_records", "(kind, key)", "expires_at"),
];
const OLD_CALLS = deletion("transfer_calls", "request_id", "occurred_at");
const OLD_LOST_DEMAND = deletion("transfer_lost_demand", "request_id", "occurred_at");
/** Keeps events of quotes that still have events in the outbox. */
const NOT_WAITING = "AND NOT EXISTS (SELECT FROM transfer_outbox AS event WHERE event.quote_id = old.quote_id)";
const OLD_SALES = deletion("transfer_sales", "id", "occurred_at", NOT_WAITING);
const OLDEST_SALE = `
  SELECT occurred_at FROM transfer_sales AS old WHERE occurred_at <= $1 ${NOT_WAITING}
  ORDER BY occurred_at LIMIT 1`;

/** ORDER BY makes the server use the index of the column even where few rows are old. */
function deletion(table: string, key: string, column: string, condition = ""): string {
  return `
    DELETE FROM ${table} WHERE ${key} IN (
      SELECT ${key.replace(/[()]/g, "")} FROM ${table} AS old WHERE ${column} <= $1 ${condition}
      ORDER BY ${column} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    )
    RETURNING 1`;
}

interface Retention extends Pick<PostgresQuoteStoreOptions, "ledgerDays" | "clock"> {
  readonly mayDeleteEvents: ReturnType<typeof createLedgerGuard>;
}

/** Deletes rows past their retention in batches, in transactions of a few milliseconds, so that no call waits. */
export async function purgeExpired(query: Query, retention: Retention, goOn = () => true): Promise<void> {
  const { ledgerDays, clock, mayDeleteEvents } = retention;
  const now = clock.now();
  const kept = Math.max(ledgerDays * DAY, LEAST_MILLISECONDS);
  const oldest = new Date(now.getTime() - kept);
  for (const statement of EXPIRED) await purge(statement, now);
  await purge(OLD_CALLS, new Date(now.getTime() - CALL_DAYS * DAY));
  const [first] = await query<{ occurred_at: Date }>(OLDEST_SALE, [oldest.toISOString()]);
  // Without a ledger, events are kept for a day, which is all that can be lost.
  if (first && ledgerDays > 0 && !mayDeleteEvents(first.occurred_at.getTime() + kept, now)) return;
  for (const statement of [OLD_SALES, OLD_LOST_DEMAND]) await purge(statement, oldest);

  async function purge(statement: string, before: Date): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH && goOn(); ) {
      deleted = (await query(statement, [before.toISOString()])).length;
      if (deleted === BATCH) await pause(PAUSE_MILLISECONDS);
    }
  }
}

/** Purges about every minute, at a random interval per process, until the returned function is called. */
export function purgeRegularly(
  query: Query,
  options: Pick<PostgresQuoteStoreOptions, "ledgerDays" | "clock">,
  log: Log,
): () => Promise<void> {
  let ended = false;
  const retention = { ...options, mayDeleteEvents: createLedgerGuard(log) };
  const every = EVERY_MILLISECONDS * (0.9 + Math.random() * 0.2);
  const { end } = createPurge(() => purgeExpired(query, retention, () => !ended), every, log);
  return () => {
    ended = true;
    return end();
  };
}
