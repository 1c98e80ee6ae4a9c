import type pg from "pg";
import type { Log } from "../../../ops/log.ts";
import { UnusableStorage } from "../unusable-storage.ts";
import { openPool, queryOf, type Statement, unusableDatabase } from "./database.ts";
import { comparedSecrets } from "./settings.ts";

/**
 * Every change of the tables, oldest first; never edited once released. Quotes, answers and sales are JSON in text
 * columns, since `jsonb` rejects U+0000. lz4 takes a third of the time of the default compression.
 */
const MIGRATIONS: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: "001-stored",
    sql: `
      CREATE TABLE transfer_migrations (name text PRIMARY KEY, executed_at timestamptz NOT NULL);

      CREATE TABLE transfer_settings (name text PRIMARY KEY, value text NOT NULL);

      CREATE TABLE transfer_quotes (
        id text PRIMARY KEY,
        quote text COMPRESSION lz4 NOT NULL,
        kept_until timestamptz NOT NULL
      );
      CREATE INDEX ON transfer_quotes (kept_until);

      CREATE TABLE transfer_idempotency_records (
        key_hash text PRIMARY KEY,
        request_hash text NOT NULL,
        answer text COMPRESSION lz4 NOT NULL,
        created_at timestamptz NOT NULL,
        kept_until timestamptz NOT NULL
      );
      CREATE INDEX ON transfer_idempotency_records (kept_until);

      CREATE TABLE transfer_sales (
        id text PRIMARY KEY,
        quote_id text NOT NULL,
        request_id text NOT NULL,
        occurred_at timestamptz NOT NULL,
        sale text NOT NULL
      );
      CREATE INDEX ON transfer_sales (occurred_at, id);
      CREATE INDEX ON transfer_sales (quote_id);
      CREATE INDEX ON transfer_sales (request_id);

      CREATE TABLE transfer_outbox (
        id text PRIMARY KEY,
        sale_id text NOT NULL,
        type text NOT NULL,
        quote_id text NOT NULL,
        position text NOT NULL,
        occurred_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL,
        failures int NOT NULL DEFAULT 0
      );
      CREATE INDEX ON transfer_outbox (due_at);
      CREATE INDEX ON transfer_outbox (quote_id, position);

      CREATE TABLE transfer_lost_demand (
        request_id text PRIMARY KEY,
        occurred_at timestamptz NOT NULL,
        lost text NOT NULL
      );
      CREATE INDEX ON transfer_lost_demand (occurred_at, request_id)`,
  },
  {
    name: "002-issuer",
    sql: `
      CREATE TABLE transfer_issuer_records (
        kind text NOT NULL,
        key text NOT NULL,
        payload text NOT NULL,
        expires_at timestamptz,
        consumed_at timestamptz,
        PRIMARY KEY (kind, key)
      );
      CREATE INDEX ON transfer_issuer_records (expires_at)`,
  },
  {
    name: "003-calls",
    sql: `
      CREATE TABLE transfer_calls (
        request_id text PRIMARY KEY,
        occurred_at timestamptz NOT NULL,
        call text NOT NULL
      );
      CREATE INDEX ON transfer_calls (occurred_at, request_id)`,
  },
];

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

/** The changes that the tables lack. Throws UnusableStorage where another version made the tables. */
async function pendingOf(client: Pick<pg.ClientBase, "query"> | pg.Pool) {
  const { rows: tables } = await client.query("SELECT to_regclass('transfer_migrations') AS name");
  if (tables[0]?.name === null) return { pending: MIGRATIONS, isNew: true };
  const { rows } = await client.query<{ name: string }>("SELECT name FROM transfer_migrations ORDER BY name");
  const done = new Set(rows.map(({ name }) => name));
  const unknown = [...done].find((each) => !MIGRATIONS.some(({ name }) => name === each));
  if (unknown === undefined) return { pending: MIGRATIONS.filter(({ name }) => !done.has(name)), isNew: false };
  throw new UnusableStorage(
    `TRANSFER_DATABASE_URL: another version of this server made the tables: the migration ${JSON.stringify(unknown)} is ` +
      "unknown; allowed: an empty database or schema, or one that this version or an earlier release made",
  );
}

const MAY_CREATE: Statement = {
  name: "may-create",
  text: "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS allowed",
};
const WAITING: Statement = { name: "waiting", text: "SELECT count(*)::int AS waiting FROM transfer_outbox" };

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
