/** Every public error code; values are never renamed. */
export const ERROR_CODES = [
  "INVALID_REQUEST",
  "AUTHENTICATION_REQUIRED",
  "FORBIDDEN",
  "QUOTE_NOT_FOUND",
  "QUOTE_EXPIRED",
  "MANUAL_CONFIRMATION_REQUIRED",
  "RATE_LIMITED",
  "QUOTE_UNAVAILABLE",
  "UPSTREAM_UNAVAILABLE",
  "INVALID_LOCATION",
  "ROUTE_UNAVAILABLE",
  "UNSUPPORTED_ROUTE",
  "INVALID_DATETIME",
  "NO_ELIGIBLE_VEHICLE",
  "PAST_DATETIME",
  "LEAD_TIME_NOT_SUPPORTED",
  "RETURN_TIME_INVALID",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

interface CatalogueEntry {
  readonly status: number;
  /** Whether the identical request may succeed later. */
  readonly retryable: boolean;
  readonly title: string;
  /** When it is answered; the text of its documentation page. */
  readonly when: string;
  /** What to do, where the error itself knows nothing more precise. */
  readonly nextAction: string;
}

/** Every public code and what it implies. Adding a code to `ERROR_CODES` fails to compile until it is here. */
export const ERROR_CATALOGUE = {
  INVALID_REQUEST: {
    status: 422,
    retryable: false,
    title: "Invalid request",
    when: "A field is missing, unknown, of the wrong type or out of its bounds, or the body is not a JSON object. field_errors names each field.",
    nextAction: "Fix the named fields and resubmit.",
  },
  AUTHENTICATION_REQUIRED: {
    status: 401,
    retryable: false,
    title: "Authentication required",
    when: "The token is missing, malformed, expired, not meant for this service or lacks the scope. The cause is not told apart.",
    nextAction: "Present a valid bearer token for the required scope.",
  },
  FORBIDDEN: {
    status: 403,
    retryable: false,
    title: "Forbidden",
    when: "The token is valid, but the operator has blocked its subject.",
    nextAction: "Contact the operator; another token of the same client will not help.",
  },
  QUOTE_NOT_FOUND: {
    status: 404,
    retryable: false,
    title: "Quote not found",
    when: "No quote with this id is visible to this caller, or a continuation link does not carry its signature.",
    nextAction: "Check the quote id, or create a new quote.",
  },
  QUOTE_EXPIRED: {
    status: 409,
    retryable: false,
    title: "Quote expired",
    when: "The 30 minutes of the quote are over.",
    nextAction: "Create a new quote; a quote is valid for 30 minutes.",
  },
  MANUAL_CONFIRMATION_REQUIRED: {
    status: 409,
    retryable: false,
    title: "Manual confirmation required",
    when: "The option or the journey needs the operator's confirmation and cannot be handed to checkout.",
    nextAction: "Choose another option of the quote, or ask the operator to confirm this journey.",
  },
  RATE_LIMITED: {
    status: 429,
    retryable: true,
    title: "Rate limited",
    when: "The budget of the operation's tier is spent.",
    nextAction: "Wait retry_after_seconds, then resend the identical request.",
  },
  QUOTE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    title: "Quote unavailable",
    when: "A vehicle fits, but the tariff cannot price this journey now.",
    nextAction: "Retry shortly.",
  },
  UPSTREAM_UNAVAILABLE: {
    status: 503,
    retryable: true,
    title: "Upstream unavailable",
    when: "Something the service depends on is down or too slow, or checkout is switched off.",
    nextAction: "Retry shortly.",
  },
  INVALID_LOCATION: {
    status: 422,
    retryable: false,
    title: "Location not recognised",
    when: "A place text matches nothing or several places. field_errors names the field and lists up to five candidates.",
    nextAction: "Send one of the candidates as it stands, or a more precise place.",
  },
  ROUTE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    title: "Route unavailable",
    when: "The routing engine answered but gave no measurement for this journey now.",
    nextAction: "Retry shortly.",
  },
  UNSUPPORTED_ROUTE: {
    status: 404,
    retryable: false,
    title: "Route not supported",
    when: "No route is published under this key or pair, or the places lie outside the service area or have no road between them.",
    nextAction: "Choose places in the service area; list_transfer_services names the published corridors.",
  },
  INVALID_DATETIME: {
    status: 422,
    retryable: false,
    title: "Invalid date-time",
    when: "A date-time names no real instant, or has no UTC offset.",
    nextAction: "Send an RFC 3339 date-time with its UTC offset.",
  },
  NO_ELIGIBLE_VEHICLE: {
    status: 422,
    retryable: false,
    title: "No eligible vehicle",
    when: "No vehicle class seats the party and its luggage, not even on request.",
    nextAction: "Split the party over several quotes.",
  },
  PAST_DATETIME: {
    status: 422,
    retryable: false,
    title: "Pickup in the past",
    when: "The pickup lies before now.",
    nextAction: "Send a pickup_datetime in the future.",
  },
  LEAD_TIME_NOT_SUPPORTED: {
    status: 422,
    retryable: false,
    title: "Lead time not supported",
    when: "The pickup is sooner than the minimum lead time or later than the booking horizon.",
    nextAction: "Send a pickup_datetime between the two instants named in detail.",
  },
  RETURN_TIME_INVALID: {
    status: 422,
    retryable: false,
    title: "Return time invalid",
    when: "The return is not after the outbound journey's arrival.",
    nextAction: "Send a later return_datetime; detail names the earliest one.",
  },
} as const satisfies Record<ErrorCode, CatalogueEntry>;

/** One field and what is wrong with it. */
export interface FieldError {
  /** Dotted path, e.g. `waypoints.0.stop_duration_min`. */
  readonly field: string;
  readonly message: string;
}

interface PublicErrorOptions {
  readonly nextAction?: string;
  readonly fieldErrors?: readonly FieldError[];
  /** Whole seconds, at least 1; only with RATE_LIMITED. */
  readonly retryAfterSeconds?: number;
  /** HTTP status where it is not the code's own: failures before any operation keep theirs. */
  readonly status?: number;
  /** What really happened; logged, never sent. */
  readonly cause?: unknown;
}

/** A failure whose code and prose the caller may see. Anything else thrown is hidden. */
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

/** INVALID_REQUEST that names each field. */
export function invalidRequest(fieldErrors: readonly FieldError[]): PublicError {
  const [first] = fieldErrors;
  const rest = fieldErrors.length - 1;
  const more = rest > 0 ? ` (and ${rest} more in field_errors)` : "";
  const detail = first
    ? `${first.field ? `${first.field}: ` : ""}${first.message}${more}`
    : "The request is not valid.";
  return new PublicError("INVALID_REQUEST", detail, { fieldErrors });
}

/** One wording for every cause, so that the answer does not tell why a token failed. */
export function authenticationRequired(): PublicError {
  return new PublicError(
    "AUTHENTICATION_REQUIRED",
    "This operation needs a valid bearer token for its scope.",
  );
}

export function quoteNotFound(): PublicError {
  return new PublicError("QUOTE_NOT_FOUND", "No quote with this id is visible to this caller.");
}

export function quoteExpired(expiresAt: string): PublicError {
  return new PublicError("QUOTE_EXPIRED", `This quote expired at ${expiresAt}.`);
}

/** RATE_LIMITED; `milliseconds` until the budget is refilled, rounded up to whole seconds. */
export function rateLimited(tier: string, milliseconds: number): PublicError {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new PublicError("RATE_LIMITED", `The ${tier} budget is spent. It is refilled in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  });
}

/** UPSTREAM_UNAVAILABLE; `detail` names no internals, `cause` is logged. */
export function upstreamUnavailable(detail: string, cause?: unknown): PublicError {
  return new PublicError("UPSTREAM_UNAVAILABLE", detail, { cause });
}
