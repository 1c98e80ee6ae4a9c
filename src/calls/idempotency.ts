import canonicalize from "canonicalize";
import { invalidRequest } from "../contract/errors.ts";
import { sha256 } from "../ops/sha256.ts";
import type { IdempotencyRecord } from "../stores/quote-store.ts";

/** What one call claims: its answer shall be the only one under this key. */
export interface IdempotencyClaim {
  /** Names subject, operation and key in 43 characters; equal on both surfaces. */
  readonly scope: string;
  /** SHA-256 of the canonical JSON (RFC 8785) of the arguments without the key. */
  readonly fingerprint: string;
}

/** The claim of a call, or `undefined` where it brings no key. `input` has passed its schema. */
export function claimOf(operation: string, subject: string, input: unknown): IdempotencyClaim | undefined {
  const { idempotency_key: key, ...args } = input as Record<string, unknown>;
  if (typeof key !== "string") return undefined;
  return { scope: digest([subject, operation, key]), fingerprint: digest(args) };
}

/** The answer kept under a key. Throws INVALID_REQUEST where the key was used for other arguments. */
export function replayOf(record: IdempotencyRecord, claim: IdempotencyClaim): unknown {
  if (record.fingerprint === claim.fingerprint) return JSON.parse(record.answer);
  throw invalidRequest([
    {
      field: "idempotency_key",
      message: "This key was used for another request in the last 24 hours; send a new key.",
    },
  ]);
}

/** Ends a handler whose key another call has used meanwhile. */
export class KeyTaken extends Error {
  override readonly name = "KeyTaken";
  readonly record: IdempotencyRecord;

  constructor(record: IdempotencyRecord) {
    super("the idempotency key is taken");
    this.record = record;
  }
}

function digest(value: unknown): string {
  return sha256(canonical(value), "base64url");
}

/** RFC 8785 has no form for text that is not Unicode, which JSON can carry as a lone \ud800. */
function canonical(value: unknown): string {
  try {
    return canonicalize(value) ?? "";
  } catch {
    const message = "A request with an idempotency key must be well-formed Unicode; remove the lone surrogate.";
    throw invalidRequest([{ field: "idempotency_key", message }]);
  }
}
