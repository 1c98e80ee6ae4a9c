import type { Pool } from "pg";
import type { Log } from "../../ops/log.ts";
import { migrations } from "./migrations.ts";
import { openPool, repeated, sqlStateOf } from "./pool.ts";

/** For all that waits, the lock included: another process may be migrating. */
const PATIENCE_MILLISECONDS = 30_000;

/** What two processes meet that create the same table at once, or that a server refuses to let wait. */
const REPEATABLE = ["23505", "42P07", "42710", "XX000", "40001", "40P01"];

/**
 * Brings the tables up to date; of processes that start together one does it. With nothing to do it only reads, so
 * that a role without the right to create tables can start.
 */
export async function migrate(url: string, log: Log): Promise<void> {
  const pool = openPool({ url, connections: 2, statementMilliseconds: PATIENCE_MILLISECONDS, isPatient: true });
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  try {
    if ((await pendingOf(pool)).length === 0) return;
    await repeated(() => applyPending(pool, log), deadline, REPEATABLE);
  } finally {
    await pool.end();
  }
}

async function pendingOf(pool: Pool): Promise<typeof migrations> {
  try {
    const { rows } = await pool.query<{ name: string }>("SELECT name FROM transfer_migrations");
    return migrations.filter(({ name }) => !rows.some((row) => row.name === name));
  } catch (error) {
    // There is no table yet.
    if (sqlStateOf(error) === "42P01") return migrations;
    throw error;
  }
}

async function applyPending(pool: Pool, log: Log): Promise<void> {
  await pool.query("CREATE TABLE IF NOT EXISTS transfer_migration_lock (id int PRIMARY KEY)");
  await pool.query(
    "CREATE TABLE IF NOT EXISTS transfer_migrations (name text PRIMARY KEY, executed_at timestamptz NOT NULL)",
  );
  await pool.query("INSERT INTO transfer_migration_lock (id) VALUES (1) ON CONFLICT (id) DO NOTHING");
  const holder = await pool.connect();
  try {
    // A locked row rather than an advisory lock, which not every engine has. It ends with its connection.
    await holder.query("BEGIN");
    await holder.query("SELECT id FROM transfer_migration_lock WHERE id = 1 FOR UPDATE");
    for (const { name, statements } of await pendingOf(pool)) {
      for (const statement of statements) await pool.query(statement);
      await pool.query("INSERT INTO transfer_migrations (name, executed_at) VALUES ($1, now())", [name]);
      log.info({ migration: name }, "database migrated");
    }
    await holder.query("ROLLBACK");
    holder.release();
  } catch (error) {
    holder.release(true);
    throw error;
  }
}
