import { upstreamUnavailable } from "../../contract/errors.ts";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import { StoredQuote } from "../../quotes/quote.ts";
import type { Outbox } from "../outbox.ts";
import type { IdempotencyRecord, QuoteEntry, QuoteStore } from "../quote-store.ts";
import { checkCheckoutSecrets } from "./checkout-secrets.ts";
import { migrate } from "./migrate.ts";
import { openDatabase, type Query, sqlStateOf } from "./pool.ts";
import { createPostgresOutbox } from "./postgres-outbox.ts";
import { purgeRegularly } from "./purge-expired.ts";
import { FIND_QUOTE, FIND_RECORD, IS_READ_ONLY, keyOf, type RecordRow, recordOf } from "./rows.ts";
import { createSaveGroups } from "./save-groups.ts";
import { createSaving, type SavedRow } from "./save-statement.ts";
import { unusableDatabase } from "./start-errors.ts";

export interface PostgresQuoteStoreOptions {
  /** `postgres://user:password@host:port/database`; parameters as libpq's. */
  readonly url: string;
  /** How long events are kept; 0 = as long as their quotes. */
  readonly ledgerDays: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Most connections of this process at a time. */
  readonly connections?: number;
  /** Whether events are put into the outbox; every process on one database has to do the same. */
  readonly fillsOutbox?: boolean;
}

export interface PostgresQuoteStore extends QuoteStore {
  /** Where it is filled. */
  readonly outbox: Outbox | undefined;
  /** Throws ForeignCheckoutSecret where other processes on this database sign with none of these secrets. */
  checkCheckoutSecrets(secrets: readonly string[]): Promise<void>;
}

/**
 * The quote store on PostgreSQL, CockroachDB or YugabyteDB, shared by any number of processes. Creates its tables at
 * the first start; rejects if the database cannot be reached then, and survives every outage afterwards.
 *
 * Finding and saving are one round trip each, which entries that are saved at the same time share; one that loses a race
 * as it happens needs a second to read the winner.
 * A call ends within 4.5 s. If a connection breaks while an entry is being saved, its outcome is unknown: the
 * call returns UPSTREAM_UNAVAILABLE, and its repetition under the same idempotency key finds what was saved or saves
 * anew. Without a key, a quote that was saved has an id that was never returned.
 */
export async function openPostgresQuoteStore(options: PostgresQuoteStoreOptions): Promise<PostgresQuoteStore> {
  const { url, ledgerDays, clock, log, connections = 10, fillsOutbox = false } = options;
  await migrate(url, log).catch((error) => {
    throw unusableDatabase(error);
  });
  const database = openDatabase({ url, connections });
  const endPurging = purgeRegularly(database, { ledgerDays, clock }, log);
  const inFlight = new Set<Promise<unknown>>();
  const saving = createSaving(fillsOutbox);
  const saveInGroup = createSaveGroups((entries) => database.call((query) => saveAll(query, entries)));
  let closing: Promise<void> | undefined;
  let failing = false;

  return {
    outbox: fillsOutbox ? createPostgresOutbox(database, clock) : undefined,

    insert: (entry) => guarded((query) => save(query, entry)),

    find: (id) =>
      guarded(async (query) => {
        const [row] = await query<{ quote: string }>(FIND_QUOTE, [keyOf(id), now()]);
        return row && StoredQuote.parse(JSON.parse(row.quote));
      }),

    findRecord: (scope) => guarded((query) => readRecord(query, scope, now())),

    ping: () =>
      guarded(async (query) => {
        const [row] = await query<{ read_only: string }>(IS_READ_ONLY, []);
        if (row?.read_only !== "off") throw new Error("the database is read-only");
      }),

    checkCheckoutSecrets: (secrets) => checkCheckoutSecrets(database, secrets),

    close() {
      closing ??= end();
      return closing;
    },
  };

  async function save(query: Query, entry: QuoteEntry): Promise<IdempotencyRecord | undefined> {
    const { record } = entry;
    const at = now();
    for (;;) {
      const row = await saveInGroup(entry);
      if (!record || row?.saved) return undefined;
      // The winner of a race may have committed after this statement began, which then did not see it.
      const winner = row?.held ? recordOf(record.scope, row) : await readRecord(query, record.scope, at);
      if (winner) return winner;
    }
  }

  /** By the scopes of their records. */
  async function saveAll(query: Query, entries: readonly QuoteEntry[]): Promise<ReadonlyMap<string, SavedRow>> {
    const rows = await query<SavedRow>(...saving(entries, now()));
    const byKey = new Map(rows.map((row) => [row.scope, row]));
    return new Map(
      entries.flatMap(({ record }) => {
        const row = record && byKey.get(keyOf(record.scope));
        return row ? [[record.scope, row]] : [];
      }),
    );
  }

  async function readRecord(query: Query, scope: string, at: string): Promise<IdempotencyRecord | undefined> {
    const [row] = await query<RecordRow>(FIND_RECORD, [keyOf(scope), at]);
    return row && recordOf(scope, row);
  }

  async function guarded<T>(work: (query: Query) => Promise<T>): Promise<T> {
    if (closing) throw upstreamUnavailable("The service is stopping.");
    const call = database.call(work);
    inFlight.add(call);
    try {
      const result = await call;
      if (failing) log.info({}, "the database is available again");
      failing = false;
      return result;
    } catch (error) {
      if (sqlStateOf(error) === "23505") throw new Error("a quote with this id exists", { cause: error });
      if (!failing) log.error({ err: error }, "the database is unavailable");
      failing = true;
      throw upstreamUnavailable("Quotes can neither be stored nor read at the moment.", error);
    } finally {
      inFlight.delete(call);
    }
  }

  function now(): string {
    return clock.now().toISOString();
  }

  async function end(): Promise<void> {
    await Promise.allSettled([endPurging(), ...inFlight]);
    await database.close();
  }
}
