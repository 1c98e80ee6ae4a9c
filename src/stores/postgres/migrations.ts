/**
 * Every change of the tables, oldest first; never edited once released. Each statement can be run again after a crash,
 * as CockroachDB and YugabyteDB do not undo DDL. Instants that the store compares are `timestamptz`; what it only
 * returns is text. The `ASC` of an index keeps it in order on YugabyteDB.
 */
export const migrations: readonly { readonly name: string; readonly statements: readonly string[] }[] = [
  {
    name: "001-quotes",
    statements: [
      `CREATE TABLE IF NOT EXISTS transfer_quotes (
         id text PRIMARY KEY,
         quote text NOT NULL,
         kept_until timestamptz NOT NULL
       )`,
      `CREATE INDEX IF NOT EXISTS transfer_quotes_kept_until ON transfer_quotes (kept_until ASC)`,
    ],
  },
  {
    name: "002-idempotency-records",
    statements: [
      `CREATE TABLE IF NOT EXISTS transfer_idempotency_records (
         scope text PRIMARY KEY,
         fingerprint text NOT NULL,
         answer text NOT NULL,
         created_at text NOT NULL,
         kept_until timestamptz NOT NULL
       )`,
      `CREATE INDEX IF NOT EXISTS transfer_idempotency_records_kept_until
         ON transfer_idempotency_records (kept_until ASC)`,
    ],
  },
  {
    name: "003-settings",
    statements: [`CREATE TABLE IF NOT EXISTS transfer_settings (name text PRIMARY KEY, value text NOT NULL)`],
  },
  {
    name: "004-sales",
    statements: [
      `CREATE TABLE IF NOT EXISTS transfer_sales (
         id text PRIMARY KEY,
         type text NOT NULL,
         quote_id text NOT NULL,
         occurred_at timestamptz NOT NULL,
         request_id text NOT NULL,
         surface text NOT NULL,
         client text,
         corridor text,
         origin text,
         destination text,
         distance_km double precision NOT NULL,
         tariff_version text,
         expires_at timestamptz NOT NULL,
         vehicle_classes text[] NOT NULL,
         totals_rappen bigint[] NOT NULL
       )`,
      `CREATE INDEX IF NOT EXISTS transfer_sales_occurred_at ON transfer_sales (occurred_at ASC)`,
    ],
  },
  {
    name: "006-outbox",
    statements: [
      `CREATE TABLE IF NOT EXISTS transfer_outbox (
         id text PRIMARY KEY,
         type text NOT NULL,
         quote_id text NOT NULL,
         position text NOT NULL,
         sale text NOT NULL,
         occurred_at timestamptz NOT NULL,
         due_at timestamptz NOT NULL,
         failures int NOT NULL
       )`,
      `CREATE INDEX IF NOT EXISTS transfer_outbox_due_at ON transfer_outbox (due_at ASC)`,
      `CREATE INDEX IF NOT EXISTS transfer_outbox_quote_id ON transfer_outbox (quote_id ASC, position ASC)`,
      `CREATE TABLE IF NOT EXISTS transfer_set_aside_events (
         id text PRIMARY KEY,
         type text NOT NULL,
         quote_id text NOT NULL,
         sale text NOT NULL,
         kept_until timestamptz NOT NULL
       )`,
      `CREATE INDEX IF NOT EXISTS transfer_set_aside_events_kept_until ON transfer_set_aside_events (kept_until ASC)`,
    ],
  },
];
