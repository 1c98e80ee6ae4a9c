import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import { QUOTE_VALIDITY_MILLISECONDS } from "../../quotes/quote.ts";
import { KEPT_MILLISECONDS } from "../quote-store.ts";
import type { Database, Statement } from "./pool.ts";

const EVERY_MILLISECONDS = 60_000;
const BATCH = 500;
const PAUSE_MILLISECONDS = 10;

/** How long events are kept at least: until no step of their quote can follow. */
const LEAST_MILLISECONDS = QUOTE_VALIDITY_MILLISECONDS + KEPT_MILLISECONDS;
const DAY = 24 * 60 * 60_000;

const ofExpired = [
  deletion("transfer_quotes", "id", "kept_until"),
  deletion("transfer_idempotency_records", "scope", "kept_until"),
  deletion("transfer_set_aside_events", "id", "kept_until"),
];
const ofOldSales = [deletion("transfer_sales", "id", "occurred_at")];

/**
 * The column is compared twice: a record may have been replaced under a batch that waited for its row, and the inner
 * query does not run again then.
 */
function deletion(table: string, key: string, column: string): Statement {
  return {
    name: `purge-expired-${table}`,
    text: `
      DELETE FROM ${table}
      WHERE ${column} <= $1::timestamptz AND ${key} IN (
        SELECT ${key} FROM ${table} WHERE ${column} <= $1::timestamptz ORDER BY ${column} LIMIT ${BATCH}
      )
      RETURNING ${key}`,
  };
}

interface Retention {
  /** How long events are kept; 0 = as long as their quotes. */
  readonly ledgerDays: number;
  readonly clock: Clock;
}

/**
 * Deletes what is past its retention in small batches, each a transaction of a few milliseconds, so that calls never
 * wait. A batch that meets another process's finds nothing and leaves the rest to it.
 */
export async function purgeExpired(
  { call }: Pick<Database, "call">,
  { ledgerDays, clock }: Retention,
  goOn = () => true,
): Promise<void> {
  const now = clock.now();
  const oldest = new Date(now.getTime() - Math.max(ledgerDays * DAY, LEAST_MILLISECONDS));
  for (const statement of [...ofExpired, ...ofOldSales]) {
    const last = (ofOldSales.includes(statement) ? oldest : now).toISOString();
    for (let dropped = BATCH; dropped === BATCH && goOn(); ) {
      dropped = (await call((query) => query(statement, [last]))).length;
      if (dropped === BATCH) await pause(PAUSE_MILLISECONDS);
    }
  }
}

/** Purges every minute, each process at its own second, until the returned function is called. */
export function purgeRegularly(database: Database, retention: Retention, log: Log): () => Promise<void> {
  let ended = false;
  let round = Promise.resolve();
  const goOn = () => !ended;
  const purgeOnce = async () => {
    try {
      await purgeExpired(database, retention, goOn);
    } catch (error) {
      log.warn({ err: error }, "expired quotes could not be deleted");
    }
  };
  const every = EVERY_MILLISECONDS * (0.9 + Math.random() * 0.2);
  const timer = setInterval(() => {
    round = round.then(purgeOnce);
  }, every).unref();
  return async () => {
    ended = true;
    clearInterval(timer);
    await round;
  };
}
