import { keptUntil } from "../../../domain/quotes/quote.ts";
import { dueAtOf, outboxEventsOf, positionOf } from "../../../domain/sales/outbox.ts";
import type { QuoteEntry } from "../../../domain/sales/quote-store.ts";
import type { Statement } from "./database.ts";

/**
 * Saves an entry in one step, unless a live record holds its key, and returns whether it saved. $1 is the current
 * time by the store's clock, which decides whether a record is live.
 */
export const SAVE: Statement = {
  name: "save-entry",
  text: `
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
    SELECT EXISTS (SELECT FROM free) AS saved`,
};

/** The driver writes what is absent as NULL. */
export function saveValues({ record, quote, sale }: QuoteEntry, now: string, fillsOutbox: boolean): readonly unknown[] {
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

/** A name as a text column accepts it: U+0000 and lone surrogates are escaped. */
export function keyOf(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

function instantOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
