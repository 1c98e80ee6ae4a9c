import canonicalize from "canonicalize";
import { type ChargeCode, hireHoursOf } from "../../contract/charges.ts";
import { sha256 } from "../../ops/ids.ts";
import { localDateTime } from "../../ops/local-time.ts";
import type { ListedEnds, PricedOption, StoredQuote } from "../quotes/quote.ts";

/** One step of a sale, without personal data: no texts, addresses, positions, times of a journey or token subjects. */
export interface SaleFacts extends ListedEnds {
  /** Opaque, 26 characters. The same each time the step is repeated, so that it is stored once. */
  readonly id: string;
  readonly type: "quote.created" | "handoff.requested" | "quote.confirmed" | "handoff.created" | "handoff.opened";
  readonly quoteId: string;
  /** Kilometers of the outbound journey. */
  readonly distanceKm: number;
  readonly tariffVersion: string;
  /** Days of service in the operator's time zone, such as `2026-12-03`; absent from an event of a preview. */
  readonly pickupOn?: string;
  readonly returnOn?: string | undefined;
  /** Charged hours of a hire; `null` for a transfer. */
  readonly hireHours: number | null;
  /** End of the quote's validity, ISO 8601 UTC. */
  readonly expiresAt: string;
  /** Digest of what the traveler was shown (`termsDigest`); absent for a new quote. */
  readonly termsDigest?: string | undefined;
  /** For a new quote every option, the cheapest first; for a later step the one that was handed off. */
  readonly options: readonly SaleOption[];
}

interface SaleOption extends Pick<PricedOption, "vehicleClass" | "totalRappen"> {
  readonly vatRappen?: number | null;
  /** The part of `totalRappen` for the return, its discount taken off; absent without a return. */
  readonly returnRappen?: number;
}

/** One step of a sale as it is stored and delivered to the operator's own systems. */
export interface SaleEvent extends SaleFacts {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Id of the request that caused it. */
  readonly requestId: string;
  readonly surface: string;
  /** The client that the token was issued to; `null` if the token names none, and for openings, which have no token. */
  readonly client: string | null;
  /** The commission of that client on this day, in percent; `null` without one. Not delivered. */
  readonly commissionPercent?: number | null;
}

/**
 * The facts of one step: the creation or confirmation of a quote or, with `option`, the request of a handoff that the
 * operator has to confirm, a handoff or its opening. Days are those of `timeZone`. `undefined` for a rehearsal of the
 * sandbox, which is not a sale.
 */
export function saleOf(
  type: SaleFacts["type"],
  quote: StoredQuote,
  timeZone: string,
  option?: PricedOption,
): SaleFacts | undefined {
  if (quote.rehearsal) return undefined;
  const { id: quoteId, ends, route, tariffVersion, expiresAt, pickupAt, returnAt } = quote;
  const dayOf = (instant: string) => localDateTime(new Date(instant), timeZone).slice(0, 10);
  const options = (option ? [option] : quote.options).map(
    ({ vehicleClass, totalRappen, vatRappen = null, charges }) => ({
      vehicleClass,
      totalRappen,
      ...(vatRappen !== null && { vatRappen }),
      ...(returnAt && { returnRappen: returnRappenOf(charges) }),
    }),
  );
  return {
    id: `evt_${sha256(`${type}\n${quoteId}\n${option?.fleetId ?? ""}`, "base64url").slice(0, 22)}`,
    type,
    quoteId,
    ...ends,
    distanceKm: route.distanceKm,
    tariffVersion,
    pickupOn: dayOf(pickupAt),
    ...(returnAt && { returnOn: dayOf(returnAt) }),
    hireHours: hireHoursOf(quote.options[0]?.charges ?? []),
    expiresAt,
    ...(option && { termsDigest: termsDigest(quote, option) }),
    options: options.sort((a, b) => a.totalRappen - b.totalRappen),
  };
}

const RETURN_DISCOUNTS: readonly ChargeCode[] = ["same_day", "return_discount"];

function returnRappenOf(charges: PricedOption["charges"]): number {
  const ofReturn = charges.filter(({ code, direction }) => direction === "return" || RETURN_DISCOUNTS.includes(code));
  return ofReturn.reduce((sum, { rappen }) => sum + rappen, 0);
}

/** The part of a quote from which everything follows that the traveler is shown of an option. */
export function shownDocument(quote: StoredQuote, { fleetId }: Pick<PricedOption, "fleetId">): unknown {
  const { ownerSubject: _, requestId: __, ...shown } = quote;
  const options = quote.options.filter((option) => option.fleetId === fleetId);
  return JSON.parse(JSON.stringify({ ...shown, options }), wellFormed);
}

/** Half a surrogate pair, which a text of the caller may contain and canonical JSON may not, becomes U+FFFD. */
function wellFormed(_: string, value: unknown): unknown {
  return typeof value === "string" ? Buffer.from(value).toString() : value;
}

/** SHA-256 of the canonical JSON (RFC 8785) of what the traveler is shown of an option, in hex. */
export function termsDigest(quote: StoredQuote, option: Pick<PricedOption, "fleetId">): string {
  return sha256(canonicalize(shownDocument(quote, option)) ?? "", "hex");
}
