import type { ErrorCode } from "../../contract/errors.ts";
import { type Notice, notice } from "../../contract/notices.ts";

/** A place name of the sandbox, and the behavior that it provokes so that a client can be tested. */
export interface Rehearsal {
  /** Sent as origin, destination or name of a stop; letter case and punctuation do not matter. */
  readonly name: string;
  /** The problem code with which the call, or a later call with its quote, ends. */
  readonly code?: ErrorCode;
  /** Which call ends with `code`: the one that sends the name, or the checkout of its quote. */
  readonly refuses?: "journey" | "checkout";
  /** Whether the same request succeeds when it is resent after `RETRY_SECONDS`. */
  readonly isOnce?: true;
  /** Description of the quote for the documentation; absent if the name itself is refused. */
  readonly quote?: string;
  readonly validSeconds?: number;
  /** Whether the issued quote is not found afterwards. */
  readonly isLost?: true;
  /** Added to those of the journey. */
  readonly notice?: (place: string) => Notice;
  /** Whether the journey needs manual confirmation, because of its `notice`. */
  readonly isManual?: true;
  readonly hasOptionOnRequest?: true;
}

/** `Retry-After` of refused requests, and how long an `isOnce` request is refused. */
export const RETRY_SECONDS = 2;

/** A fictional pass, which the sandbox treats as closed at any time of the year. */
const PASS = { name: "Sandbox Pass", from: "11-05", to: "06-01" };
const manual = (reason: string) => `an open quote that needs manual confirmation, with ${reason} in \`limitations\``;

/** Every name. A journey with a name is priced on a published corridor; no name lowers a price or prolongs a quote. */
// biome-ignore format: a table reads by its columns
export const rehearsals: readonly Rehearsal[] = [
  { name: "Sandbox: invalid request", refuses: "journey", code: "INVALID_REQUEST" },
  { name: "Sandbox: authentication required", refuses: "journey", code: "AUTHENTICATION_REQUIRED" },
  { name: "Sandbox: forbidden", refuses: "journey", code: "FORBIDDEN" },
  { name: "Sandbox: invalid location", refuses: "journey", code: "INVALID_LOCATION" },
  { name: "Sandbox: unsupported route", refuses: "journey", code: "UNSUPPORTED_ROUTE" },
  { name: "Sandbox: no eligible vehicle", refuses: "journey", code: "NO_ELIGIBLE_VEHICLE" },
  ...retryable("Sandbox: rate limited", "RATE_LIMITED"),
  ...retryable("Sandbox: route unavailable", "ROUTE_UNAVAILABLE"),
  ...retryable("Sandbox: quote unavailable", "QUOTE_UNAVAILABLE"),
  ...retryable("Sandbox: upstream unavailable", "UPSTREAM_UNAVAILABLE"),
  { name: "Sandbox: quote lost", code: "QUOTE_NOT_FOUND", isLost: true, quote: "an open quote, which no call finds afterwards" },
  { name: "Sandbox: expires in 5 seconds", code: "QUOTE_EXPIRED", validSeconds: 5, quote: "an open quote that is valid for 5 s; afterwards it reads `expired`, and its links are rejected" },
  { name: "Sandbox: expires in 60 seconds", code: "QUOTE_EXPIRED", validSeconds: 60, quote: "the same with 60 s, for the traveler's page" },
  { name: "Sandbox: manual confirmation", code: "MANUAL_CONFIRMATION_REQUIRED", isManual: true, notice: (place) => notice("OFF_THE_ROADS", { place, km: 12 }), quote: manual("the reason") },
  { name: "Sandbox: road closed", code: "MANUAL_CONFIRMATION_REQUIRED", isManual: true, notice: (place) => notice("ROAD_CLOSED", { place, name: PASS.name }), quote: manual("a closed road") },
  { name: "Sandbox: on request", code: "MANUAL_CONFIRMATION_REQUIRED", hasOptionOnRequest: true, quote: "an open quote, whose payable option with the highest `fleet_id` is on request instead" },
  { name: "Sandbox: pass avoided", notice: () => notice("PASS_AVOIDED", { ...PASS, uncertain: 1 }), quote: "an open quote whose `limitations` name a winter detour" },
  { name: "Sandbox: checkout disabled", refuses: "checkout", code: "UPSTREAM_UNAVAILABLE" },
  { name: "Sandbox: checkout unavailable once", refuses: "checkout", code: "UPSTREAM_UNAVAILABLE", isOnce: true },
  { name: "Sandbox: checkout rate limited once", refuses: "checkout", code: "RATE_LIMITED", isOnce: true },
];

/** A name that is refused every time, and one that is refused once. */
function retryable(name: string, code: ErrorCode): readonly Rehearsal[] {
  const always = { name, refuses: "journey", code } as const;
  return [always, { ...always, name: `${name} once`, isOnce: true }];
}

/** Dates that provoke a problem code with any place, with or without the sandbox. */
// biome-ignore format: a table reads by its columns
export const dates = [
  { field: "pickup_datetime", value: "2027-02-30T10:00:00+01:00", code: "INVALID_DATETIME" },
  { field: "pickup_datetime", value: "2020-01-15T10:00:00+01:00", code: "PAST_DATETIME" },
  { field: "pickup_datetime", value: "2099-01-15T10:00:00+01:00", code: "LEAD_TIME_NOT_SUPPORTED" },
  { field: "return_datetime", value: "2020-01-15T10:00:00+01:00", code: "RETURN_TIME_INVALID" },
] as const;
