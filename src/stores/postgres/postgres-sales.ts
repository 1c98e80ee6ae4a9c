import { readStoredQuote } from "../../quotes/quote.ts";
import type { SaleEvent } from "../../quotes/sale-event.ts";
import { saleIdOf } from "../outbox.ts";
import type { Sales } from "../sales.ts";
import { UnusableStorage } from "../unusable-storage.ts";
import { openPool, queryOf, type Statement, sqlStateOf, unusableDatabase } from "./database.ts";
import { keyOf } from "./save-statement.ts";

const BATCH = 5_000;

/** Pages by key rather than with a cursor, so that no transaction stays open while a report is read. */
const EVENTS: Statement = {
  name: "sale-events",
  text: `
    SELECT sale FROM transfer_sales
    WHERE (occurred_at, id) > ($1, $2) AND occurred_at < $3 ORDER BY occurred_at, id LIMIT ${BATCH}`,
};

/** `ANY (ARRAY(…))` makes the server look up each quote by the index. */
export const EVENTS_OF: Statement = {
  name: "sale-events-of",
  text: `
    SELECT sale FROM transfer_sales WHERE quote_id = ANY (ARRAY(
      SELECT quote_id FROM transfer_sales WHERE quote_id = $1 OR request_id = $1 OR id IN ($1, $2)
    )) ORDER BY occurred_at, id`,
};

const QUOTE: Statement = { name: "sale-quote", text: "SELECT quote FROM transfer_quotes WHERE id = $1" };

/** The sales of all processes on a database. Only reads; rejects with UnusableStorage if that is impossible. */
export function openPostgresSales(url: string): Sales {
  const pool = openPool({ url, connections: 1, isPatient: true });
  const query = queryOf(pool);

  return {
    async *events({ since, until }) {
      const page = (after: Pick<SaleEvent, "at" | "id">) =>
        query<{ sale: string }>(EVENTS, [after.at, after.id, until.toISOString()]);
      let next = page({ at: since.toISOString(), id: "" });
      for (let size = BATCH; size === BATCH; ) {
        const rows = await next.catch(fail);
        size = rows.length;
        const last = rows.at(-1);
        if (last && size === BATCH) {
          // Requests the next page while this one is being used.
          next = page(JSON.parse(last.sale));
          next.catch(() => {});
        }
        yield rows.map(({ sale }) => JSON.parse(sale) as SaleEvent);
      }
    },
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
}

const UNDEFINED_TABLE = "42P01";

function fail(error: unknown): never {
  if (sqlStateOf(error) !== UNDEFINED_TABLE) throw unusableDatabase(error);
  const message = "TRANSFER_DATABASE_URL: the database has no tables of this version yet; start the server on it once";
  throw new UnusableStorage(message, { cause: error });
}
