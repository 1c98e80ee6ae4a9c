import type { PricedOption } from "../pricing/price.ts";
import type { RouteAuthority } from "../routing/router.ts";

/** How long a quote can be handed to checkout, in milliseconds. */
export const QUOTE_VALIDITY_MILLISECONDS = 30 * 60 * 1000;

/** A stop as the caller described it. */
export interface QuotedStop {
  readonly name: string;
  /** `null` = the dwell was not asked, 0 = drive through. */
  readonly dwellMinutes: number | null;
}

/** The route behind a price. */
export interface QuotedRoute {
  readonly authority: RouteAuthority;
  readonly automaticallyPayable: boolean;
  /** One decimal. Outbound journey only. */
  readonly distanceKm: number;
  /** Driving time without dwell. Outbound journey only. */
  readonly durationMinutes: number;
  /** ISO 8601 UTC; `null` where nothing was measured. */
  readonly measuredAt: string | null;
  readonly contractVersion: string;
  readonly fingerprint: string;
  /** Engine and data, e.g. `EMBEDDED_ROAD_NETWORK`; `null` where nothing was measured. */
  readonly basis: string | null;
}

/** A journey with its prices: all that an estimate is, and what a quote fixes. Instants are ISO 8601 UTC. */
export interface PricedJourney {
  /** The caller's own text. */
  readonly origin: string;
  readonly destination: string;
  readonly stops: readonly QuotedStop[];
  readonly pickupAt: string;
  readonly returnAt: string | null;
  readonly passengers: number;
  readonly adults: number;
  readonly children: number;
  readonly infants: number;
  readonly luggage: number;
  readonly route: QuotedRoute;
  /** ISO 4217. */
  readonly currency: string;
  readonly options: readonly PricedOption[];
  /** The journey itself needs the operator's confirmation, whatever the option. */
  readonly requiresManualConfirmation: boolean;
  /** Sentences for the traveler. */
  readonly limitations: readonly string[];
}

/** A quote as stored. Never changes after issue; it expires by the clock. */
export interface StoredQuote extends PricedJourney {
  /** Opaque, at most 64 characters, unguessable, unique for ever. */
  readonly id: string;
  /** Token subject (`sub`) of the caller who created it. */
  readonly ownerSubject: string;
  readonly requestId: string;
  /** ISO 8601 UTC. */
  readonly issuedAt: string;
  /** ISO 8601 UTC. The quote can be handed to checkout strictly before this instant. */
  readonly expiresAt: string;
}

export function isExpired(quote: StoredQuote, now: Date): boolean {
  return now.getTime() >= Date.parse(quote.expiresAt);
}
