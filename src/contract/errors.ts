import type { Tier } from "./tiers.ts";

interface ErrorRow {
  readonly status: number;
  /** Default: the code in words. */
  readonly title?: string;
  /** When it is returned; the text of its documentation page. */
  readonly when: string;
  /** What the client should do, unless the error itself has a more precise `nextAction`. */
  readonly nextAction: string;
}

const ROWS = {
  INVALID_REQUEST: {
    status: 422,
    when: "A field is missing, unknown, of the wrong type or out of bounds, or the body is not a JSON object. field_errors names each field.",
    nextAction: "Fix the named fields and resubmit.",
  },
  AUTHENTICATION_REQUIRED: {
    status: 401,
    when: "The token is missing, malformed, expired, issued for another audience or lacks the required scope. All causes are reported identically.",
    nextAction: "Present a valid bearer token for the required scope.",
  },
  FORBIDDEN: {
    status: 403,
    when: "The token is valid, but the operator has blocked its subject.",
    nextAction: "Contact the operator; other tokens of the same client are rejected too.",
  },
  QUOTE_NOT_FOUND: {
    status: 404,
    when: "This caller has no quote with this id, or the signature of a checkout link is wrong.",
    nextAction:
      "Send the quote_id that create_transfer_quote returned to this client. If the traveler has paid for it, ask the " +
      "operator, whose phone get_policy returns; otherwise create a new quote.",
  },
  QUOTE_EXPIRED: {
    status: 409,
    when: "The quote was issued more than 30 minutes ago.",
    nextAction:
      "Create a new quote with the same arguments and show the traveler its price; a quote is valid for 30 minutes.",
  },
  MANUAL_CONFIRMATION_REQUIRED: {
    status: 409,
    when: "The option or the journey requires the operator's confirmation and cannot be continued to checkout.",
    nextAction: "Tell the traveler that the operator must confirm this journey, and to contact the operator.",
  },
  RATE_LIMITED: {
    status: 429,
    when: "The rate limit of the operation's tier is exceeded.",
    nextAction: "Wait retry_after_seconds, then resend the identical request.",
  },
  QUOTE_UNAVAILABLE: {
    status: 503,
    when: "A vehicle class fits, but the tariff cannot price this journey at the moment.",
    nextAction: "Retry shortly.",
  },
  UPSTREAM_UNAVAILABLE: {
    status: 503,
    when: "A dependency of the service is unavailable or too slow, the server is overloaded, or checkout is disabled.",
    nextAction: "Retry shortly.",
  },
  INVALID_LOCATION: {
    status: 422,
    title: "Location not recognized",
    when: "A place is unknown or ambiguous, or a transfer starts and ends at one place. field_errors names the field and lists up to five candidates.",
    nextAction: "Send one of the candidates unchanged, or a more precise place.",
  },
  ROUTE_UNAVAILABLE: {
    status: 503,
    when: "The routing engine responded, but did not return a usable measurement for this journey.",
    nextAction: "Retry shortly.",
  },
  UNSUPPORTED_ROUTE: {
    status: 404,
    title: "Route not supported",
    when: "No corridor is published under this key or pair of places, or the places are outside the service area or not connected by road.",
    nextAction:
      "Tell the traveler that this journey is not served at that time, or ask the traveler for another date, place or stop.",
  },
  INVALID_DATETIME: {
    status: 422,
    title: "Invalid date-time",
    when: "A date-time names a day or a time that does not exist, or has no UTC offset.",
    nextAction: "Send an RFC 3339 date-time with its UTC offset.",
  },
  NO_ELIGIBLE_VEHICLE: {
    status: 422,
    when: "No vehicle class, including those on request, has room for the party and its luggage, or none of those with room is sold at that time or hired for so few hours. detail gives the reason.",
    nextAction: "Ask the traveler to contact the operator about this party.",
  },
  PAST_DATETIME: {
    status: 422,
    title: "Pickup in the past",
    when: "The pickup is in the past.",
    nextAction: "Ask the traveler for a pickup in the future.",
  },
  LEAD_TIME_NOT_SUPPORTED: {
    status: 422,
    when: "The pickup is sooner than the lead time or later than the booking horizon of every vehicle class that fits. detail gives the earliest and the latest accepted instant.",
    nextAction: "Ask the traveler for a pickup between the two instants named in detail.",
  },
  RETURN_TIME_INVALID: {
    status: 422,
    when: "The return pickup is not after the arrival of the outbound journey.",
    nextAction: "Ask the traveler for a later return; detail names the earliest one.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ROWS;
export const ERROR_CODES = Object.keys(ROWS) as [ErrorCode, ...ErrorCode[]];

interface ErrorEntry extends Required<ErrorRow> {
  /** Whether the identical request may succeed later. */
  readonly retryable: boolean;
}

/** Every public error code. Codes are never renamed. */
export const ERRORS = Object.fromEntries(
  Object.entries<ErrorRow>(ROWS).map(([code, row]) => [
    code,
    { title: inWords(code), retryable: row.status === 429 || row.status >= 500, ...row },
  ]),
) as Readonly<Record<ErrorCode, ErrorEntry>>;

/** "QUOTE_NOT_FOUND" as "Quote not found". */
function inWords(code: string): string {
  return code.slice(0, 1) + code.slice(1).toLowerCase().replaceAll("_", " ");
}

/** One field and what is wrong with it. */
export interface FieldError {
  /** Dotted path, e.g. `waypoints.0.stop_duration_min`. */
  readonly field: string;
  readonly message: string;
  /** Values that are accepted when sent back unchanged. */
  readonly candidates?: readonly string[];
}

interface PublicErrorOptions {
  readonly nextAction?: string;
  readonly fieldErrors?: readonly FieldError[];
  /** Whole seconds, at least 1: `Retry-After`, and with RATE_LIMITED `retry_after_seconds`. */
  readonly retryAfterSeconds?: number;
  /** The request, price and operator of an expired checkout link, in wire fields. */
  readonly expiredOffer?: Readonly<Record<string, unknown>>;
  /** HTTP status if it differs from the code's: a request that fails before its operation is known keeps its own. */
  readonly status?: number;
  /** With RATE_LIMITED, the tier of the exceeded budget; reported in metrics. */
  readonly tier?: string;
  /** Place texts that match no place, or several. Logged if the operator has enabled it, never sent. */
  readonly unmatchedPlaces?: readonly string[];
  /** Whether a sandbox name provoked it: nobody asked for this. */
  readonly isRehearsal?: boolean;
  /** The underlying error; logged, never sent. */
  readonly cause?: unknown;
}

/** A failure whose code and message are sent to the caller. Any other error is reported without its message. */
export class PublicError extends Error {
  override readonly name = "PublicError";
  readonly code: ErrorCode;
  readonly options: PublicErrorOptions;

  constructor(code: ErrorCode, detail: string, options: PublicErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.options = options;
  }
}

/** INVALID_REQUEST with `field_errors`; the detail repeats the first of them. `advice` may be about one of them. */
export function invalidRequest(fieldErrors: readonly FieldError[], advice?: string): PublicError {
  const others = fieldErrors.length > 1 ? " Do what the message of each field says." : "";
  const options = { fieldErrors, ...(advice !== undefined && { nextAction: `${advice}${others}` }) };
  return new PublicError("INVALID_REQUEST", detailOf(fieldErrors), options);
}

/** The detail of an error that is about fields alone. */
export function detailOf([first, ...rest]: readonly FieldError[]): string {
  if (!first) return "The request is not valid.";
  const more = rest.length > 0 ? ` (and ${rest.length} more in field_errors)` : "";
  return `${first.field ? `${first.field}: ` : ""}${first.message}${more}`;
}

export function quoteNotFound(id = ""): PublicError {
  if (!id.startsWith("req_")) return new PublicError("QUOTE_NOT_FOUND", "This caller has no quote with this id.");
  return new PublicError("QUOTE_NOT_FOUND", "This is a request_id, which is only for support requests.", {
    nextAction: "Send the quote_id of the same response; it starts with q_. An estimate has none.",
  });
}

/** A traveler with a link gets the offer, an agent with a quote what to do. */
export function quoteExpired(
  expiresAt: string,
  options: Pick<PublicErrorOptions, "expiredOffer" | "nextAction">,
): PublicError {
  return new PublicError("QUOTE_EXPIRED", `This quote expired at ${expiresAt}.`, options);
}

/** A counter in Redis expires up to a millisecond after the time that it reports, and a timer may end one too early. */
const LATE_MILLISECONDS = 2;

const OWN_LIMIT = " A caller with a token has a limit of its own.";
/** What is limited, in words, and what besides waiting helps, after a space. */
const LIMITED: Readonly<Record<Tier, readonly [calls: string, advice?: string]>> = {
  discovery: ["requests of this kind", OWN_LIMIT],
  routing: ["questions about single corridors", OWN_LIMIT],
  quote_estimate: ["estimates", OWN_LIMIT],
  quote_authoritative: ["new quotes"],
  quote_read: ["readings of quotes"],
  checkout: ["checkout links"],
  auth_failure: ["refused tokens from this address", " A valid token is still accepted."],
};

/** RATE_LIMITED; `milliseconds` until the budget is refilled, reported in whole seconds that are never too few. */
export function rateLimited(tier: Tier, milliseconds: number): PublicError {
  const seconds = Math.max(1, Math.ceil((milliseconds + LATE_MILLISECONDS) / 1000));
  const [calls, advice = ""] = LIMITED[tier];
  const next = tier === "auth_failure" ? "send a valid token" : "resend the identical request";
  return new PublicError("RATE_LIMITED", `Too many ${calls} in a short time. More are accepted in ${seconds} s.`, {
    nextAction: `Wait ${seconds} s, then ${next}.${advice}`,
    retryAfterSeconds: seconds,
    tier,
  });
}

/** UPSTREAM_UNAVAILABLE; `detail` names no internals, `cause` is logged. */
export function upstreamUnavailable(detail: string, cause?: unknown): PublicError {
  return new PublicError("UPSTREAM_UNAVAILABLE", detail, { cause });
}
