import type { StoredQuote } from "../quotes/quote.ts";
import type { SaleEvent } from "./sale-event.ts";

/** The answer kept under an idempotency key for 24 hours. */
export interface IdempotencyRecord {
  /** Identifies subject, operation and key; opaque to the store. */
  readonly keyHash: string;
  /** Digest of the arguments that the answer belongs to. */
  readonly requestHash: string;
  /** The answer's JSON, byte for byte. */
  readonly answer: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

/** What one call stores; at least one of the three is present. */
export interface QuoteEntry {
  readonly quote: StoredQuote | undefined;
  readonly record: IdempotencyRecord | undefined;
  /** For the operator's ledger, which is kept longer than quote and record, and for the outbox. */
  readonly sale?: SaleEvent | undefined;
}

/**
 * Stores issued quotes and the responses returned under idempotency keys. Entries are written once and never changed,
 * except that the operator can confirm a quote.
 *
 * A quote is found until 24 hours past its `expiresAt`, a record until 24 hours past its `createdAt`, both by the
 * store's clock; afterwards they are not found, and a store may delete them at any time.
 *
 * Methods throw UPSTREAM_UNAVAILABLE where the storage fails. A failed call has stored nothing, with one exception:
 * if a connection broke while an entry was being saved, the entry may exist, and only a resend under the same
 * idempotency key finds it. Every implementation must pass `test/ports/quote-store.contract.ts`.
 */
export interface QuoteStore {
  /**
   * Saves an entry as a whole: once this resolves with `undefined`, a crash must not lose it. If the record's key is
   * taken, nothing is saved and the record that holds it is returned; of concurrent calls one saves. Rejects if the
   * quote's id exists. An event whose id exists is not saved again, but the rest of its entry is.
   */
  insert(entry: QuoteEntry): Promise<IdempotencyRecord | undefined>;

  /** Stores a quote as the operator has confirmed it, which is found from then on in place of the one with its id. */
  replace(quote: StoredQuote): Promise<void>;

  /** The quote with this id, whoever owns it, or `undefined`. Ownership is the caller's check. */
  find(id: string): Promise<StoredQuote | undefined>;

  findRecord(keyHash: string): Promise<IdempotencyRecord | undefined>;

  /** Resolves if the store can save an entry, rejects with the cause otherwise. Reported by `/readyz`. */
  ping(): Promise<void>;

  /** Waits for calls in flight and releases the storage. Later calls reject. */
  close(): Promise<void>;
}
