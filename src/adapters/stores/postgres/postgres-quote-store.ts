import { keptUntil, readStoredQuote } from "../../../domain/quotes/quote.ts";
import type { CallJournal, KeptCall } from "../../../domain/sales/kept-call.ts";
import { dueAtOf, outboxEventsOf, positionOf } from "../../../domain/sales/outbox.ts";
import type { IdempotencyRecord, QuoteEntry, QuoteStore } from "../../../domain/sales/quote-store.ts";
import type { Clock } from "../../../ops/clock.ts";
import type { Log } from "../../../ops/log.ts";
import { createStoreCalls } from "../store-calls.ts";
import { keyOf, openPool, queryOf, unusableDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { createPostgresOutbox } from "./postgres-outbox.ts";
import { purgeRegularly } from "./purge-expired.ts";
import { checkCheckoutSecrets, keptSetting } from "./settings.ts";

export interface PostgresQuoteStoreOptions {
  /** `postgres://user:password@host:port/database`; parameters as libpq's. */
  readonly url: string;
  /** How many days events are kept; 0: no longer than their quotes. */
  readonly ledgerDays: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly connections?: number;
  /** Whether events are put into the outbox; must be the same in all processes on a database. */
  readonly fillsOutbox?: boolean;
}

export type PostgresQuoteStore = Awaited<ReturnType<typeof openPostgresQuoteStore>>;

const FIND_QUOTE = "SELECT quote FROM transfer_quotes WHERE id = $1 AND kept_until > $2";

const REPLACE_QUOTE = "UPDATE transfer_quotes SET quote = $2, kept_until = $3 WHERE id = $1";

const FIND_KEY =
  "SELECT request_hash, answer, created_at FROM transfer_idempotency_records WHERE key_hash = $1 AND kept_until > $2";

/** Whether the database is read-only, as a replica is, and the tables that this role may not write. */
const IS_WRITABLE = `
  SELECT current_setting('transaction_read_only') = 'on' AS read_only, array(
    SELECT name FROM unnest(ARRAY['transfer_quotes', 'transfer_idempotency_records', 'transfer_sales', 'transfer_outbox'])
      AS name
    WHERE NOT (has_table_privilege(name, 'INSERT') AND has_table_privilege(name, 'UPDATE')
      AND has_table_privilege(name, 'DELETE'))
  ) AS protected`;

const KEEP_CALLS = {
  refused: keepingCalls("transfer_lost_demand", "lost"),
  calls: keepingCalls("transfer_calls", "call"),
};

function keepingCalls(table: string, column: string): string {
  return `
    INSERT INTO ${table} (request_id, occurred_at, ${column})
    SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[])
    ON CONFLICT DO NOTHING`;
}

/**
 * The quote store on PostgreSQL, shared by any number of processes. Creates its tables at the first start. Rejects if
 * the database cannot be reached at the start, and survives every later outage.
 *
 * Finding and saving take one round trip each, or two where a record already holds the key; each round trip ends
 * within 4.2 s. If a connection breaks while an entry is being saved, the outcome is unknown: the call rejects with
 * UPSTREAM_UNAVAILABLE, and a retry under the same idempotency key finds what was saved or saves again. Without a key,
 * a quote that was saved has an id that was never returned.
 */
export async function openPostgresQuoteStore(options: PostgresQuoteStoreOptions) {
  const { url, ledgerDays, clock, log, connections = 10, fillsOutbox = false } = options;
  await migrate(url, log).catch((error) => {
    throw unusableDatabase(error);
  });
  const pool = openPool({ url, connections });
  const query = queryOf(pool);
  const endPurging = purgeRegularly(query, { ledgerDays, clock }, log);
  const calls = createStoreCalls(log, async () => {
    await endPurging();
    await pool.end();
  });

  return {
    /** `undefined` where `fillsOutbox` is false. */
    outbox: fillsOutbox ? createPostgresOutbox(query, clock) : undefined,
    async keepCalls(journal: CallJournal, calls: readonly KeptCall[]): Promise<void> {
      const columns = [
        calls.map(({ requestId }) => requestId),
        calls.map(({ at }) => at),
        calls.map((each) => JSON.stringify(each)),
      ];
      await query(KEEP_CALLS[journal], columns);
    },

    insert: (entry) =>
      calls.run("saved", async () => {
        const { record } = entry;
        for (;;) {
          const [row] = await query<{ saved: boolean }>(SAVE, saveValues(entry, now(), fillsOutbox));
          if (!record || row?.saved) return undefined;
          const holder = await findRecord(record.keyHash);
          // Otherwise the record that held the key has been purged meanwhile: try again.
          if (holder) return holder;
        }
      }),

    replace: (quote) =>
      calls.run("saved", async () => {
        const end = new Date(keptUntil(quote.expiresAt)).toISOString();
        await query(REPLACE_QUOTE, [keyOf(quote.id), JSON.stringify(quote), end]);
      }),

    find: (id) =>
      calls.run("read", async () => {
        const [row] = await query<{ quote: string }>(FIND_QUOTE, [keyOf(id), now()]);
        return row && readStoredQuote(JSON.parse(row.quote));
      }),

    findRecord: (keyHash) => calls.run("read", () => findRecord(keyHash)),

    ping: () =>
      calls.run("saved", async () => {
        const [row] = await query<{ read_only: boolean; protected: string[] }>(IS_WRITABLE, []);
        if (row?.read_only) throw new Error("the database is read-only");
        if (row?.protected.length) throw new Error(`the role may not write ${row.protected.join(", ")}`);
      }),

    /** Throws UnusableStorage if other processes on this database sign with other secrets only. */
    checkCheckoutSecrets: (secrets: readonly string[]) => checkCheckoutSecrets(query, secrets),
    /** A value that all processes on this database share: `first` of the process that asked for the name first. */
    setting: (name: string, first: string) => keptSetting(query, name, first),

    close: calls.close,
  } satisfies QuoteStore & Record<string, unknown>;

  async function findRecord(keyHash: string): Promise<IdempotencyRecord | undefined> {
    const [row] = await query<{ request_hash: string; answer: string; created_at: Date }>(FIND_KEY, [
      keyOf(keyHash),
      now(),
    ]);
    return (
      row && { keyHash, requestHash: row.request_hash, answer: row.answer, createdAt: row.created_at.toISOString() }
    );
  }

  function now(): string {
    return clock.now().toISOString();
  }
}

/**
 * Saves an entry in one step, unless a live record holds its key, and returns whether it saved. $1 is the current
 * time by the store's clock, which decides whether a record is live.
 */
const SAVE = `
  WITH key AS (
    INSERT INTO transfer_idempotency_records AS held (key_hash, request_hash, answer, created_at, kept_until)
    SELECT $2::text, $3::text, $4::text, $5::timestamptz, $6::timestamptz WHERE $2 IS NOT NULL
    ON CONFLICT (key_hash) DO UPDATE SET
      request_hash = excluded.request_hash,
      answer = excluded.answer,
      created_at = excluded.created_at,
      kept_until = excluded.kept_until
    WHERE held.kept_until <= $1::timestamptz
    RETURNING key_hash
  ), free AS (
    SELECT true AS saved WHERE $2 IS NULL OR EXISTS (SELECT FROM key)
  ), quote AS (
    INSERT INTO transfer_quotes (id, quote, kept_until)
    SELECT $7::text, $8::text, $9::timestamptz FROM free WHERE $7 IS NOT NULL
  ), sale AS (
    INSERT INTO transfer_sales (id, quote_id, request_id, occurred_at, sale)
    SELECT $10::text, $11::text, $12::text, $13::timestamptz, $14::text FROM free WHERE $10 IS NOT NULL
    ON CONFLICT (id) DO NOTHING
    RETURNING id, quote_id
  ), outbox AS (
    INSERT INTO transfer_outbox (id, sale_id, type, quote_id, position, occurred_at, due_at)
    SELECT event.id, sale.id, event.type, sale.quote_id, event.position, event.occurred_at, event.due_at
    FROM sale, json_to_recordset($15::json)
      AS event (id text, type text, position text, occurred_at timestamptz, due_at timestamptz)
  )
  SELECT EXISTS (SELECT FROM free) AS saved`;

/** The driver writes what is absent as NULL. */
function saveValues({ record, quote, sale }: QuoteEntry, now: string, fillsOutbox: boolean): readonly unknown[] {
  const events = sale && fillsOutbox ? outboxEventsOf(sale) : [];
  const rows = events.map((event) => {
    const due = { occurred_at: event.at, due_at: instantOf(dueAtOf(event)) };
    return { id: event.id, type: event.type, position: positionOf(event), ...due };
  });
  return [
    now,
    record && keyOf(record.keyHash),
    record?.requestHash,
    record?.answer,
    record?.createdAt,
    record && instantOf(keptUntil(record.createdAt)),
    quote && keyOf(quote.id),
    quote && JSON.stringify(quote),
    quote && instantOf(keptUntil(quote.expiresAt)),
    sale?.id,
    sale && keyOf(sale.quoteId),
    sale && keyOf(sale.requestId),
    sale?.at,
    sale && JSON.stringify(sale),
    JSON.stringify(rows),
  ];
}

function instantOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
