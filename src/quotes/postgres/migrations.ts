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
];
