import { type IdempotencyRecord, KEPT_MILLISECONDS } from "../quote-store.ts";
import type { Statement } from "./pool.ts";

export interface RecordRow {
  readonly fingerprint: string;
  readonly answer: string;
  readonly created_at: string;
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

export function keptUntil(instant: string): string {
  return new Date(Date.parse(instant) + KEPT_MILLISECONDS).toISOString();
}
