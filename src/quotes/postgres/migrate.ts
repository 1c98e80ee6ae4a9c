import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { Umzug, type UmzugStorage } from "umzug";
import type { Log } from "../../ops/log.ts";
import { migrations } from "./migrations.ts";
import { openPool, sqlStateOf } from "./pool.ts";

/** For all that waits, the lock included: another process may be migrating. */
const PATIENCE_MILLISECONDS = 30_000;

/** What two processes may meet that make the same table at once, or that a server refuses to let wait. */
const REPEATABLE = ["23505", "42P07", "42710", "XX000", "40001", "40P01"];

const storage: UmzugStorage<Pool> = {
  async executed({ context }) {
    try {
      const { rows } = await context.query<{ name: string }>("SELECT name FROM transfer_migrations");
      return rows.map(({ name }) => name);
    } catch (error) {
      if (sqlStateOf(error) === "42P01") return [];
      throw error;
    }
  },
  async logMigration({ name, context }) {
    await context.query("INSERT INTO transfer_migrations (name, executed_at) VALUES ($1, $2)", [
      name,
      new Date().toISOString(),
    ]);
  },
  async unlogMigration({ name, context }) {
    await context.query("DELETE FROM transfer_migrations WHERE name = $1", [name]);
  },
};

/**
 * Brings the tables up to date; of processes that start together one does it. Where there is nothing to do it only
 * reads, so that a role without the right to make tables can start.
 */
export async function migrate(url: string, log: Log): Promise<void> {
  const pool = openPool({ url, connections: 2, statementMilliseconds: PATIENCE_MILLISECONDS });
  const umzug = new Umzug<Pool>({
    context: pool,
    storage,
    logger: undefined,
    migrations: migrations.map(({ name, statements }) => ({
      name,
      async up() {
        for (const statement of statements) await pool.query(statement);
        log.info({ migration: name }, "database migrated");
      },
    })),
  });
  try {
    if ((await umzug.pending()).length === 0) return;
    await persistently(async () => {
      await prepareLock(pool);
      await holdingLock(pool, () => umzug.up());
    });
  } finally {
    await pool.end();
  }
}

async function prepareLock(pool: Pool): Promise<void> {
  await pool.query("CREATE TABLE IF NOT EXISTS transfer_migration_lock (id int PRIMARY KEY)");
  await pool.query(
    "CREATE TABLE IF NOT EXISTS transfer_migrations (name text PRIMARY KEY, executed_at timestamptz NOT NULL)",
  );
  await pool.query("INSERT INTO transfer_migration_lock (id) VALUES (1) ON CONFLICT (id) DO NOTHING");
}

/** A locked row rather than an advisory lock, which not every engine has. It ends with its connection. */
async function holdingLock(pool: Pool, work: () => Promise<unknown>): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT id FROM transfer_migration_lock WHERE id = 1 FOR UPDATE");
    await work();
    await holder.query("ROLLBACK");
    holder.release();
  } catch (error) {
    holder.release(true);
    throw error;
  }
}

async function persistently(work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!REPEATABLE.includes(stateOf(error) ?? "") || performance.now() > deadline) throw error;
      await pause(50 + Math.random() * 100);
    }
  }
}

/** umzug wraps what a migration throws. */
function stateOf(error: unknown): string | undefined {
  return sqlStateOf(error) ?? (error instanceof Error ? sqlStateOf(error.cause) : undefined);
}
