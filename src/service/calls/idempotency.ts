import canonicalize from "canonicalize";
import { invalidRequest } from "../../contract/errors.ts";
import type { IdempotencyRecord } from "../../domain/sales/quote-store.ts";
import { sha256 } from "../../ops/ids.ts";

/** A call's claim to be the only one with a response under its idempotency key. */
export interface IdempotencyClaim {
  /** Hash of subject, operation and key, 43 characters; the same over REST and MCP. */
  readonly keyHash: string;
  /** SHA-256 of the canonical JSON (RFC 8785) of the arguments without the key. */
  readonly requestHash: string;
}

/** `undefined` if the call has no idempotency key. `input` has passed its schema. */
export function claimOf(operation: string, subject: string, input: unknown): IdempotencyClaim | undefined {
  const { idempotency_key: key, ...args } = input as Record<string, unknown>;
  if (typeof key !== "string") return undefined;
  return { keyHash: digest([subject, operation, key]), requestHash: digest(args) };
}

/** The response stored under a key, and what its card shows besides. Throws INVALID_REQUEST if the key was used with other arguments. */
export function replayOf(
  record: IdempotencyRecord,
  claim: IdempotencyClaim,
): { readonly answer: unknown; readonly card?: object } {
  if (record.requestHash === claim.requestHash) return JSON.parse(record.answer);
  const message = "This key was used for another request in the last 24 hours; send a new key.";
  throw invalidRequest([{ field: "idempotency_key", message }]);
}

/** Ends a handler because a concurrent call has stored a response under the same key. */
export class KeyTaken extends Error {
  override readonly name = "KeyTaken";
  readonly record: IdempotencyRecord;

  constructor(record: IdempotencyRecord) {
    super("the idempotency key is taken");
    this.record = record;
  }
}

/** Throws INVALID_REQUEST for a lone surrogate such as \ud800, which JSON allows and RFC 8785 does not. */
function digest(value: unknown): string {
  try {
    return sha256(canonicalize(value) ?? "", "base64url");
  } catch {
    const message = "A request with an idempotency key must be well-formed Unicode; remove the lone surrogate.";
    throw invalidRequest([{ field: "idempotency_key", message }]);
  }
}
