import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import type { Database, Statement } from "./pool.ts";

const EVERY_MILLISECONDS = 60_000;
const BATCH = 500;
const PAUSE_MILLISECONDS = 10;

/**
 * `kept_until` is compared twice: a record may have been replaced under a batch that waited for its row, and the inner
 * query does not run again then.
 */
const statements: readonly Statement[] = [
  { table: "transfer_quotes", key: "id" },
  { table: "transfer_idempotency_records", key: "scope" },
].map(({ table, key }) => ({
  name: `purge-expired-${table}`,
  text: `
    DELETE FROM ${table}
    WHERE kept_until <= $1::timestamptz AND ${key} IN (
      SELECT ${key} FROM ${table} WHERE kept_until <= $1::timestamptz ORDER BY kept_until LIMIT ${BATCH}
    )
    RETURNING ${key}`,
}));

/**
 * Deletes what is past its retention in small batches, each a transaction of a few milliseconds, so that calls never
 * wait. A batch that meets another process's finds nothing and leaves the rest to it.
 */
export async function purgeExpired({ call }: Pick<Database, "call">, clock: Clock, goOn = () => true): Promise<void> {
  const now = clock.now().toISOString();
  for (const statement of statements) {
    for (let dropped = BATCH; dropped === BATCH && goOn(); ) {
      dropped = (await call((query) => query(statement, [now]))).length;
      if (dropped === BATCH) await pause(PAUSE_MILLISECONDS);
    }
  }
}

/** Purges every minute, each process at its own second, until the returned function is called. */
export function purgeRegularly(database: Database, clock: Clock, log: Log): () => Promise<void> {
  let ended = false;
  let round = Promise.resolve();
  const purgeOnce = async () => {
    try {
      await purgeExpired(database, clock, () => !ended);
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
