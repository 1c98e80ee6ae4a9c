import type pg from "pg";
import type { Log } from "../../../ops/log.ts";
import { packageVersion } from "../../../ops/package-root.ts";
import { UnusableStorage } from "../unusable-storage.ts";
import { openPool, queryOf, unusableDatabase } from "./database.ts";
import { comparedSecrets } from "./settings.ts";

/**
 * Every change of the tables, oldest first; never edited once released. The first is that of 0.1.0, for good: later ones
 * only add, so that processes of the release before go on running. Quotes, answers and sales are JSON in text columns,
 * since `jsonb` rejects U+0000. lz4 takes a third of the time of the default compression.
 */
const MIGRATIONS: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: "001-release-0.1.0",
    // Completes the tables of a preview.
    sql: `
      CREATE TABLE IF NOT EXISTS transfer_migrations (name text PRIMARY KEY, executed_at timestamptz NOT NULL);

      CREATE TABLE IF NOT EXISTS transfer_settings (name text PRIMARY KEY, value text NOT NULL);

      CREATE TABLE IF NOT EXISTS transfer_quotes (
        id text PRIMARY KEY,
        quote text COMPRESSION lz4 NOT NULL,
        kept_until timestamptz NOT NULL
      );
      CREATE INDEX IF NOT EXISTS transfer_quotes_kept_until_idx ON transfer_quotes (kept_until);

      CREATE TABLE IF NOT EXISTS transfer_idempotency_records (
        key_hash text PRIMARY KEY,
        request_hash text NOT NULL,
        answer text COMPRESSION lz4 NOT NULL,
        created_at timestamptz NOT NULL,
        kept_until timestamptz NOT NULL
      );
      CREATE INDEX IF NOT EXISTS transfer_idempotency_records_kept_until_idx
        ON transfer_idempotency_records (kept_until);

      CREATE TABLE IF NOT EXISTS transfer_sales (
        id text PRIMARY KEY,
        quote_id text NOT NULL,
        request_id text NOT NULL,
        occurred_at timestamptz NOT NULL,
        sale text NOT NULL
      );
      CREATE INDEX IF NOT EXISTS transfer_sales_occurred_at_id_idx ON transfer_sales (occurred_at, id);
      CREATE INDEX IF NOT EXISTS transfer_sales_quote_id_idx ON transfer_sales (quote_id);
      CREATE INDEX IF NOT EXISTS transfer_sales_request_id_idx ON transfer_sales (request_id);

      CREATE TABLE IF NOT EXISTS transfer_outbox (
        id text PRIMARY KEY,
        sale_id text NOT NULL,
        type text NOT NULL,
        quote_id text NOT NULL,
        position text NOT NULL,
        occurred_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL,
        failures int NOT NULL DEFAULT 0
      );
      CREATE INDEX IF NOT EXISTS transfer_outbox_due_at_idx ON transfer_outbox (due_at);
      CREATE INDEX IF NOT EXISTS transfer_outbox_quote_id_position_idx ON transfer_outbox (quote_id, position);

      CREATE TABLE IF NOT EXISTS transfer_lost_demand (
        request_id text PRIMARY KEY,
        occurred_at timestamptz NOT NULL,
        lost text NOT NULL
      );
      CREATE INDEX IF NOT EXISTS transfer_lost_demand_occurred_at_request_id_idx
        ON transfer_lost_demand (occurred_at, request_id);

      CREATE TABLE IF NOT EXISTS transfer_calls (
        request_id text PRIMARY KEY,
        occurred_at timestamptz NOT NULL,
        call text NOT NULL
      );
      CREATE INDEX IF NOT EXISTS transfer_calls_occurred_at_request_id_idx ON transfer_calls (occurred_at, request_id);

      CREATE TABLE IF NOT EXISTS transfer_issuer_records (
        kind text NOT NULL,
        key text NOT NULL,
        payload text NOT NULL,
        expires_at timestamptz,
        consumed_at timestamptz,
        PRIMARY KEY (kind, key)
      );
      CREATE INDEX IF NOT EXISTS transfer_issuer_records_expires_at_idx ON transfer_issuer_records (expires_at)`,
  },
];

/** Those of the last previews of 0.1.0. */
const PREVIEWS = ["001-stored", "002-issuer", "003-calls"];

/**
 * Brings the tables up to date; of several starting processes one does it. Only reads if there is nothing to do, so
 * that a role without the right to create tables can start. Throws UnusableStorage where another version made the
 * tables.
 */
export async function migrate(url: string, log: Log): Promise<void> {
  const pool = openPool({ url, connections: 1, isPatient: true });
  try {
    const client = await pool.connect();
    try {
      if ((await pendingOf(client)).pending.length > 0) await applyPending(client, log);
    } finally {
      // Closes the connection, which releases the lock and rolls back a failed migration.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

async function applyPending(client: pg.ClientBase, log: Log): Promise<void> {
  await client.query("SELECT pg_advisory_lock(hashtext('transfer_migrations'))");
  const { pending } = await pendingOf(client);
  await client.query("BEGIN");
  for (const { name, sql } of pending) {
    await client.query(sql);
    await client.query("INSERT INTO transfer_migrations (name, executed_at) VALUES ($1, now())", [name]);
  }
  await client.query("COMMIT");
  for (const { name } of pending) log.info({ migration: name }, "database migrated");
}

/** The changes that the tables lack. Throws UnusableStorage where a later release has changed the tables. */
async function pendingOf(client: Pick<pg.ClientBase, "query"> | pg.Pool) {
  const { rows: tables } = await client.query("SELECT to_regclass('transfer_migrations') AS name");
  if (tables[0]?.name === null) return { pending: MIGRATIONS, isNew: true };
  const { rows } = await client.query<{ name: string }>("SELECT name FROM transfer_migrations ORDER BY name");
  const done = new Set(rows.map(({ name }) => name));
  const known = new Set([...PREVIEWS, ...MIGRATIONS.map(({ name }) => name)]);
  const unknown = [...done].find((name) => !known.has(name));
  if (unknown === undefined) return { pending: MIGRATIONS.filter(({ name }) => !done.has(name)), isNew: false };
  throw new UnusableStorage(
    `TRANSFER_DATABASE_URL: a later release has changed the tables: the migration ${JSON.stringify(unknown)} is unknown to ` +
      `${packageVersion}; start that release, or restore a backup of this one into an empty database`,
  );
}

const MAY_CREATE = "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS allowed";
const WAITING = "SELECT count(*)::int AS waiting FROM transfer_outbox";

/**
 * What a start of this version would change in a database: the migrations that it would run, and whether it would record
 * the checkout secrets, because they are others than those recorded; and how many events wait for their delivery. Reads
 * only. Throws UnusableStorage where a start would fail.
 */
export async function inspectDatabase(url: string, secrets: readonly string[]) {
  const pool = openPool({ url, connections: 1, isPatient: true });
  try {
    const query = queryOf(pool);
    const { pending, isNew } = await pendingOf(pool);
    const migrations = pending.map(({ name }) => name);
    if (migrations.length > 0) {
      const [right] = await query<{ allowed: boolean }>(MAY_CREATE, []);
      if (!right?.allowed) throw new Error(`the role may not create tables, which ${migrations.join(", ")} needs`);
    }
    if (isNew) return { migrations, recordsSecrets: true, waiting: 0 };
    const { isNew: recordsSecrets } = await comparedSecrets(query, secrets);
    const [row] = await query<{ waiting: number }>(WAITING, []);
    return { migrations, recordsSecrets, waiting: row?.waiting ?? 0 };
  } catch (error) {
    throw unusableDatabase(error);
  } finally {
    await pool.end();
  }
}
