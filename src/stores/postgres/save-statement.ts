import type { SaleEvent } from "../../quotes/sale-event.ts";
import { EXPIRY_DELAY_MILLISECONDS, outboxEventsOf, positionOf } from "../outbox.ts";
import type { QuoteEntry } from "../quote-store.ts";
import type { Statement } from "./pool.ts";
import { keptUntil, keyOf, type RecordRow } from "./rows.ts";

/** What became of a record; the fields of the one that holds its scope are null unless `held`. */
export interface SavedRow extends RecordRow {
  /** As `keyOf` writes it. */
  readonly scope: string;
  readonly saved: boolean;
  readonly held: boolean;
}

const SALE_COLUMNS = {
  ...{ id: "text", type: "text", quote_id: "text", occurred_at: "timestamptz" },
  ...{ request_id: "text", surface: "text", client: "text" },
  ...{ corridor: "text", origin: "text", destination: "text", distance_km: "double precision", tariff_version: "text" },
  ...{ expires_at: "timestamptz", vehicle_classes: "text[]", totals_rappen: "bigint[]" },
};
const SALE_NAMES = Object.keys(SALE_COLUMNS);
/** What an entry is sent as: its record, its quote and its event, null where it has none. */
const COLUMNS = {
  ...{ scope: "text", fingerprint: "text", answer: "text", created_at: "text", record_until: "timestamptz" },
  ...{ quote: "text", quote_id: "text", quote_until: "timestamptz" },
  ...Object.fromEntries(Object.entries(SALE_COLUMNS).map(([name, type]) => [`sale_${name}`, type])),
};
/** And for the outbox: how its event and the end of its quote are sorted, and what both are made from. */
const EVENT_COLUMNS = { event_position: "text", end_position: "text", event: "text" };

/** Rows of the prepared statements; the rest of a larger one is filled with nulls, which save nothing. */
const SIZES = [1, 2, 4, 8, 16];
export const MOST_ENTRIES = 16;

/** One statement that saves the entries, whose scopes, quotes and events differ. It returns a row for each record. */
export type Saving = (entries: readonly QuoteEntry[], now: string) => [Statement, readonly (string | null)[]];

export function createSaving(fillsOutbox: boolean): Saving {
  const statements = new Map(SIZES.map((size) => [size, saveStatement(size, fillsOutbox)]));
  const width = Object.keys(COLUMNS).length + (fillsOutbox ? Object.keys(EVENT_COLUMNS).length : 0);

  return function saving(entries, now) {
    const size = SIZES.find((each) => each >= entries.length) ?? MOST_ENTRIES;
    const statement = statements.get(size) ?? saveStatement(size, fillsOutbox);
    const values: (string | null)[] = [now];
    for (const entry of entries) {
      values.push(...valuesOf(entry));
      if (fillsOutbox) values.push(...outboxValues(entry));
    }
    while (values.length <= size * width) values.push(null);
    return [statement, values];
  };
}

/**
 * Writes record, quote and event of each entry in one step, quote and event only if the scope was free or its record past
 * its retention. Otherwise it returns the record that holds the scope, if that existed when the statement began. The
 * store's clock decides, not the database's: $1 is now.
 */
function saveStatement(size: number, fillsOutbox: boolean): Statement {
  const columns = Object.entries({ ...COLUMNS, ...(fillsOutbox && EVENT_COLUMNS) });
  const rows = Array.from({ length: size }, (_, row) => {
    const cells = columns.map(([, type], column) => `$${2 + row * columns.length + column}::${type}`);
    return `(${cells.join(", ")})`;
  });
  return {
    name: size === 1 ? "save-entry" : `save-${size}-entries`,
    text: `
    WITH entry (${columns.map(([name]) => name).join(", ")}) AS (VALUES ${rows.join(",\n")}), won AS (
      INSERT INTO transfer_idempotency_records (scope, fingerprint, answer, created_at, kept_until)
      SELECT scope, fingerprint, answer, created_at, record_until FROM entry WHERE scope IS NOT NULL
      ON CONFLICT (scope) DO UPDATE SET
        fingerprint = excluded.fingerprint,
        answer = excluded.answer,
        created_at = excluded.created_at,
        kept_until = excluded.kept_until
      WHERE transfer_idempotency_records.kept_until <= $1::timestamptz
      RETURNING scope
    ), quote AS (
      INSERT INTO transfer_quotes (id, quote, kept_until)
      SELECT quote_id, quote, quote_until FROM entry
      WHERE quote_id IS NOT NULL AND (scope IS NULL OR scope IN (SELECT scope FROM won))
      RETURNING id
    ), sale AS (
      INSERT INTO transfer_sales (${SALE_NAMES.join(", ")})
      SELECT ${SALE_NAMES.map((name) => `sale_${name}`).join(", ")} FROM entry
      WHERE sale_id IS NOT NULL AND (scope IS NULL OR scope IN (SELECT scope FROM won))
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    )${fillsOutbox ? OUTBOX : ""}
    SELECT entry.scope, won.scope IS NOT NULL AS saved,
      holder.scope IS NOT NULL AS held, holder.fingerprint, holder.answer, holder.created_at
    FROM entry LEFT JOIN won ON won.scope = entry.scope
    -- One look-up by key for each entry that lost: a join could read the whole table while it has no statistics.
    LEFT JOIN LATERAL (
      SELECT scope, fingerprint, answer, created_at FROM transfer_idempotency_records
      WHERE scope = entry.scope AND won.scope IS NULL AND kept_until > $1::timestamptz LIMIT 1
    ) AS holder ON true
    WHERE entry.scope IS NOT NULL`,
  };
}

/** The event, and after that of a new quote the quote's end. */
const OUTBOX = `, outbox AS (
      INSERT INTO transfer_outbox (id, type, quote_id, position, sale, occurred_at, due_at, failures)
      SELECT sale_id, sale_type, sale_quote_id, event_position, event, sale_occurred_at, sale_occurred_at, 0
      FROM entry WHERE sale_id IN (SELECT id FROM sale)
      UNION ALL
      SELECT sale_id || '_expired', 'quote.expired', sale_quote_id, end_position, event, sale_expires_at,
        sale_expires_at + INTERVAL '${EXPIRY_DELAY_MILLISECONDS / 1000} seconds', 0
      FROM entry WHERE end_position IS NOT NULL AND sale_id IN (SELECT id FROM sale)
    )`;

function outboxValues({ sale }: QuoteEntry): readonly (string | null)[] {
  if (!sale) return [null, null, null];
  const [position = null, endPosition = null] = outboxEventsOf(sale).map(positionOf);
  return [position, endPosition, JSON.stringify(sale)];
}

function valuesOf({ quote, record, sale }: QuoteEntry): readonly (string | null)[] {
  return [
    ...(record
      ? [keyOf(record.scope), record.fingerprint, record.answer, record.createdAt, keptUntil(record.createdAt)]
      : [null, null, null, null, null]),
    // JSON, because it escapes what no text column takes: U+0000 and halves of surrogate pairs.
    ...(quote ? [JSON.stringify(quote), keyOf(quote.id), keptUntil(quote.expiresAt)] : [null, null, null]),
    ...(sale ? saleValues(sale) : NO_SALE),
  ];
}

const NO_SALE: readonly null[] = SALE_NAMES.map(() => null);

function saleValues({
  id,
  type,
  quoteId,
  at,
  requestId,
  surface,
  client,
  ...facts
}: SaleEvent): readonly (string | null)[] {
  const { corridor, origin, destination, distanceKm, tariffVersion, expiresAt, options } = facts;
  return [
    ...[id, type, keyOf(quoteId), at, keyOf(requestId), surface, client && keyOf(client)],
    ...[corridor, origin, destination, String(distanceKm), tariffVersion && keyOf(tariffVersion), expiresAt],
    // Ids of classes are words, which an array takes as they are.
    `{${options.map(({ vehicleClass }) => vehicleClass).join(",")}}`,
    `{${options.map(({ totalRappen }) => totalRappen).join(",")}}`,
  ];
}
