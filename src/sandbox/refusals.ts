import { closestMatch } from "leven";
import { LRUCache } from "lru-cache";
import { ERRORS, type FieldError, PublicError } from "../contract/errors.ts";
import { RETRY_SECONDS, type Rehearsal, rehearsals } from "./rehearsals.ts";

const MARK = "Rehearsal: ";
const NOT_ACCEPTED = "Not accepted in this rehearsal; send a real place.";
/** A request that was refused once and not sent again for so long is a new one. */
const FORGOTTEN_AFTER_MS = 600_000;
const REMEMBERED = 1_000;

/** A call with a name of the sandbox. */
interface Attempt {
  readonly rehearsal: Rehearsal;
  /** Equal for two calls that send the same. */
  readonly request: string;
  readonly now: Date;
  /** The field with the name, where the call has one. */
  readonly field?: string;
  /** Real places, for a choice between two. */
  readonly candidates?: readonly string[];
}

/** Refuses attempts as the table says. */
export interface Refusals {
  /** Throws the rehearsed error; returns where the attempt succeeds. */
  refuse(attempt: Attempt): void;
}

export function createRefusals(): Refusals {
  const succeedsAt = new LRUCache<string, number>({ max: REMEMBERED });

  return {
    refuse(attempt) {
      const { rehearsal, request, now } = attempt;
      const seconds = rehearsal.isOnce ? secondsLeft(`${rehearsal.name}\n${request}`, now.getTime()) : RETRY_SECONDS;
      if (seconds > 0) throw rehearsedError(attempt, seconds);
    },
  };

  /** Until the request succeeds; 0 once it does, and the next one like it is refused again. */
  function secondsLeft(request: string, now: number): number {
    const at = succeedsAt.get(request);
    if (at === undefined || now > at + FORGOTTEN_AFTER_MS) {
      succeedsAt.set(request, now + RETRY_SECONDS * 1000);
      return RETRY_SECONDS;
    }
    if (now < at) return Math.ceil((at - now) / 1000);
    succeedsAt.delete(request);
    return 0;
  }
}

function rehearsedError({ rehearsal, field, candidates }: Attempt, retryAfterSeconds: number): PublicError {
  const { code = "UPSTREAM_UNAVAILABLE" } = rehearsal;
  const { retryable, when, status } = ERRORS[code];
  const [meaning = ""] = when.split(/(?<=\.) /);
  if (code === "INVALID_LOCATION" && field !== undefined) return ambiguous(field, candidates ?? []);
  return new PublicError(code, `${MARK}${meaning}`, {
    ...(code === "INVALID_REQUEST" && field !== undefined && { fieldErrors: [{ field, message: NOT_ACCEPTED }] }),
    ...(retryable && { retryAfterSeconds }),
    // For the log, where it must not look like a fault.
    ...(status >= 500 && { cause: new Error("a rehearsal in the sandbox, and no fault") }),
  });
}

function ambiguous(field: string, candidates: readonly string[]): PublicError {
  const quoted = candidates.map((candidate) => `"${candidate}"`).join(", ");
  return invalidLocation(
    { field, message: `Several places have this name: ${quoted}.`, candidates },
    "Ask the traveler which place is meant, and send that candidate as it stands.",
  );
}

/** For a text that begins like a name of the sandbox and is none. */
export function unknownName(field: string, text: string): PublicError {
  const names = rehearsals.map(({ name }) => name);
  const nearest = closestMatch(text.slice(0, 64), names, { maxDistance: 5 });
  const message = nearest ? `Not a name of the sandbox; did you mean "${nearest}"?` : "Not a name of the sandbox.";
  return invalidLocation(
    { field, message, ...(nearest && { candidates: [nearest] }) },
    "Send a name that /docs/sandbox lists, or a real place.",
  );
}

function invalidLocation(error: FieldError, nextAction: string): PublicError {
  const detail = `${MARK}${error.field}: ${error.message}`;
  return new PublicError("INVALID_LOCATION", detail, { fieldErrors: [error], nextAction });
}

/** What a call with a rehearsed quote throws, marked as a rehearsal. */
export function markedError(error: unknown): unknown {
  if (!(error instanceof PublicError) || error.message.startsWith(MARK)) return error;
  return new PublicError(error.code, `${MARK}${error.message}`, error.options);
}
