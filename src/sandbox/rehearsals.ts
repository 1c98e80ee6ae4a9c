import type { ErrorCode } from "../contract/errors.ts";
import { type Notice, notice } from "../contract/notices.ts";

/** One branch of a client, and the place name that provokes it. */
export interface Rehearsal {
  /** Sent as origin, destination or name of a stop; letter case and punctuation do not matter. */
  readonly name: string;
  /** The call, or a later one with its quote, ends with this code. */
  readonly code?: ErrorCode;
  /** What ends with `code`: the call that sends the name, or the checkout of its quote. */
  readonly refuses?: "journey" | "checkout";
  /** The same request succeeds when it is sent again after `RETRY_SECONDS`. */
  readonly isOnce?: true;
  /** In the documentation: the quote, where the name is not refused itself. */
  readonly quote?: string;
  readonly validSeconds?: number;
  /** Issued, and not found afterwards. */
  readonly isLost?: true;
  /** Why the journey needs manual confirmation. */
  readonly doubt?: (place: string) => Notice;
  readonly hasOptionOnRequest?: true;
  readonly avoidsPass?: true;
}

/** A request that is refused once succeeds after so many seconds. */
export const RETRY_SECONDS = 2;

/** A road that is closed at any time of the year. */
export const PASS = { name: "Sandbox Pass", from: "11-05", to: "06-01" };
const MANUAL = "an open quote that needs manual confirmation, with the reason in `limitations`";

/** Every name. The price is that of a published corridor; none makes a journey cheaper or a quote last longer. */
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
  { name: "Sandbox: manual confirmation", code: "MANUAL_CONFIRMATION_REQUIRED", doubt: (place) => notice("OFF_THE_ROADS", { place, km: 12 }), quote: MANUAL },
  { name: "Sandbox: road closed", code: "MANUAL_CONFIRMATION_REQUIRED", doubt: (place) => notice("ROAD_CLOSED", { place, name: PASS.name }), quote: MANUAL.replace("the reason", "a closed road") },
  { name: "Sandbox: on request", code: "MANUAL_CONFIRMATION_REQUIRED", hasOptionOnRequest: true, quote: "an open quote; of the options that could be paid, the one with the highest `fleet_id` is on request" },
  { name: "Sandbox: pass avoided", avoidsPass: true, quote: "an open quote whose `limitations` name a winter detour" },
  { name: "Sandbox: checkout disabled", refuses: "checkout", code: "UPSTREAM_UNAVAILABLE" },
  { name: "Sandbox: checkout unavailable once", refuses: "checkout", code: "UPSTREAM_UNAVAILABLE", isOnce: true },
  { name: "Sandbox: checkout rate limited once", refuses: "checkout", code: "RATE_LIMITED", isOnce: true },
];

/** Every time, or once. */
function retryable(name: string, code: ErrorCode): readonly Rehearsal[] {
  const always = { name, refuses: "journey", code } as const;
  return [always, { ...always, name: `${name} once`, isOnce: true }];
}

/** Dates that provoke a code with any places; they work without the sandbox too. */
// biome-ignore format: a table reads by its columns
export const dates = [
  { field: "pickup_datetime", value: "2027-02-30T10:00:00+01:00", code: "INVALID_DATETIME" },
  { field: "pickup_datetime", value: "2020-01-15T10:00:00+01:00", code: "PAST_DATETIME" },
  { field: "pickup_datetime", value: "2099-01-15T10:00:00+01:00", code: "LEAD_TIME_NOT_SUPPORTED" },
  { field: "return_datetime", value: "2020-01-15T10:00:00+01:00", code: "RETURN_TIME_INVALID" },
] as const;
