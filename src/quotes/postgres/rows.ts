import { type IdempotencyRecord, KEPT_MILLISECONDS, type QuoteEntry } from "../quote-store.ts";
import type { Statement } from "./pool.ts";

export interface RecordRow {
  readonly fingerprint: string;
  readonly answer: string;
  readonly created_at: string;
}

/** The record's fields are null unless `held`. */
export interface SavedRow extends RecordRow {
  readonly saved: boolean;
  readonly held: boolean;
}

/**
 * Writes record and quote in one step, the quote only if the scope was free or its record past its retention.
 * Otherwise it returns the record that holds the scope, if that existed when the statement began. The store's
 * clock decides, not the database's. $1 to $5 the record, $6 to $8 the quote (null where there is none), $9 now.
 */
export const SAVE: Statement = {
  name: "save-entry",
  text: `
    WITH won AS (
      INSERT INTO transfer_idempotency_records (scope, fingerprint, answer, created_at, kept_until)
      SELECT $1::text, $2::text, $3::text, $4::text, $5::timestamptz WHERE $1::text IS NOT NULL
      ON CONFLICT (scope) DO UPDATE SET
        fingerprint = excluded.fingerprint,
        answer = excluded.answer,
        created_at = excluded.created_at,
        kept_until = excluded.kept_until
      WHERE transfer_idempotency_records.kept_until <= $9::timestamptz
      RETURNING scope
    ), quote AS (
      INSERT INTO transfer_quotes (id, quote, kept_until)
      SELECT $6::text, $7::text, $8::timestamptz
      WHERE $6::text IS NOT NULL AND ($1::text IS NULL OR EXISTS (SELECT scope FROM won))
      RETURNING id
    )
    SELECT EXISTS (SELECT scope FROM won) AS saved,
      holder.scope IS NOT NULL AS held, holder.fingerprint, holder.answer, holder.created_at
    FROM (SELECT 1) AS one
    LEFT JOIN transfer_idempotency_records AS holder
      ON holder.scope = $1::text AND holder.kept_until > $9::timestamptz`,
};

export function saveValues({ quote, record }: QuoteEntry, now: string): readonly (string | null)[] {
  return [
    ...(record
      ? [keyOf(record.scope), record.fingerprint, record.answer, record.createdAt, keptUntil(record.createdAt)]
      : [null, null, null, null, null]),
    // JSON, because it escapes what no text column takes: U+0000 and halves of surrogate pairs.
    ...(quote ? [keyOf(quote.id), JSON.stringify(quote), keptUntil(quote.expiresAt)] : [null, null, null]),
    now,
  ];
}

export const FIND_QUOTE: Statement = {
  name: "find-quote",
  text: "SELECT quote FROM transfer_quotes WHERE id = $1 AND kept_until > $2::timestamptz",
};

export const FIND_RECORD: Statement = {
  name: "find-record",
  text: `SELECT fingerprint, answer, created_at FROM transfer_idempotency_records
         WHERE scope = $1 AND kept_until > $2::timestamptz`,
};

export const IS_READ_ONLY: Statement = {
  name: "is-read-only",
  text: "SELECT current_setting('transaction_read_only') AS read_only",
};

export function recordOf(scope: string, { fingerprint, answer, created_at }: RecordRow): IdempotencyRecord {
  return { scope, fingerprint, answer, createdAt: created_at };
}

/** A name in a form that every text column accepts: most are unchanged, and no two become equal. */
export function keyOf(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

function keptUntil(instant: string): string {
  return new Date(Date.parse(instant) + KEPT_MILLISECONDS).toISOString();
}
