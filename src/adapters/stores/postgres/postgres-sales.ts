import type pg from "pg";
import { readStoredQuote } from "../../../domain/quotes/quote.ts";
import type { KeptCall } from "../../../domain/sales/kept-call.ts";
import { saleIdOf } from "../../../domain/sales/outbox.ts";
import type { SaleEvent } from "../../../domain/sales/sale-event.ts";
import type { Period, Sales } from "../../../domain/sales/sales.ts";
import { UnusableStorage } from "../unusable-storage.ts";
import { keyOf, openPool, queryOf, unusableDatabase } from "./database.ts";

const BATCH = 5_000;

const EVENTS = pageOf("transfer_sales", "id", "sale");
const CALLS = {
  refused: pageOf("transfer_lost_demand", "request_id", "lost"),
  calls: pageOf("transfer_calls", "request_id", "call"),
};

/** Pages by key rather than with a cursor, so that no transaction stays open while a report is read. */
function pageOf(table: string, key: string, column: string): string {
  return `
    SELECT ${column} AS entry FROM ${table}
    WHERE (occurred_at, ${key}) > ($1, $2) AND occurred_at < $3 ORDER BY occurred_at, ${key} LIMIT ${BATCH}`;
}

/** `ANY (ARRAY(…))` makes the server look up each quote by the index. */
export const EVENTS_OF = `
  SELECT sale FROM transfer_sales WHERE quote_id = ANY (ARRAY(
    SELECT quote_id FROM transfer_sales WHERE quote_id = $1 OR request_id = $1 OR id IN ($1, $2)
  )) ORDER BY occurred_at, id`;

const QUOTE = "SELECT quote FROM transfer_quotes WHERE id = $1";

/** The sales of all processes on a database, and their calls. Only reads; rejects with UnusableStorage if that is impossible. */
export function openPostgresSales(url: string): Sales {
  const pool = openPool({ url, connections: 1, isPatient: true });
  const query = queryOf(pool);

  return {
    events: (period) => pages<SaleEvent>(EVENTS, period, ({ id }) => id),
    calls: (journal, period) => pages<KeptCall>(CALLS[journal], period, ({ requestId }) => requestId),
    async eventsOf(id) {
      const rows = await query<{ sale: string }>(EVENTS_OF, [keyOf(id), keyOf(saleIdOf(id))]).catch(fail);
      return rows.map(({ sale }) => JSON.parse(sale) as SaleEvent);
    },
    async quoteOf({ quoteId }) {
      const [row] = await query<{ quote: string }>(QUOTE, [keyOf(quoteId)]).catch(fail);
      return row && readStoredQuote(JSON.parse(row.quote));
    },
    damagedLines: () => 0,
    close: () => pool.end(),
  };

  async function* pages<Entry extends { readonly at: string }>(
    statement: string,
    { since, until }: Period,
    keyIn: (entry: Entry) => string,
  ): AsyncGenerator<Entry[]> {
    const page = (at: string, key: string) => query<{ entry: string }>(statement, [at, key, until.toISOString()]);
    let next = page(since.toISOString(), "");
    for (let size = BATCH; size === BATCH; ) {
      const rows = await next.catch(fail);
      size = rows.length;
      if (size === BATCH) {
        // Requests the next page while this one is being used.
        const last: Entry = JSON.parse(rows.at(-1)?.entry ?? "");
        next = page(last.at, keyIn(last));
        next.catch(() => {});
      }
      yield rows.map(({ entry }): Entry => JSON.parse(entry));
    }
  }
}

/** The SQLSTATE of a table that does not exist. */
const UNDEFINED_TABLE = "42P01";

function fail(error: unknown): never {
  if ((error as pg.DatabaseError).code !== UNDEFINED_TABLE) throw unusableDatabase(error);
  const message = "TRANSFER_DATABASE_URL: the database has no tables of this version yet; start the server on it once";
  throw new UnusableStorage(message, { cause: error });
}
