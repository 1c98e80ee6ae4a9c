import { PublicError, upstreamUnavailable } from "../contract/errors.ts";
import type { PricedOption } from "../pricing/price.ts";
import type { StoredQuote } from "../quotes/quote.ts";
import type { LinkSigner } from "./signature.ts";

/** Hands travelers to the hosted checkout. */
export interface Checkout {
  /** Throws UPSTREAM_UNAVAILABLE while the deployment switch is off. */
  assertEnabled(): void;
  /** The signed link to an option of a quote. */
  urlFor(quote: StoredQuote, fleetId: number): string;
  /** Whether `signature` was made for this option of this quote. */
  vouchesFor(quote: StoredQuote, fleetId: number, signature: string): boolean;
}

export interface CheckoutParts {
  readonly signer: LinkSigner;
  readonly enabled: boolean;
  /** The operator's checkout page; may bring a query of its own. */
  readonly pageUrl: string;
}

export function createCheckout({ signer, enabled, pageUrl }: CheckoutParts): Checkout {
  return {
    assertEnabled() {
      if (!enabled) throw upstreamUnavailable("Checkout is switched off on this server.");
    },

    urlFor({ id: quoteId, expiresAt }, fleetId) {
      const url = new URL(pageUrl);
      url.searchParams.set("quote_id", quoteId);
      url.searchParams.set("fleet_id", String(fleetId));
      url.searchParams.set("sig", signer.sign({ quoteId, fleetId, expiresAt }));
      return url.href;
    },

    vouchesFor({ id: quoteId, expiresAt }, fleetId, signature) {
      return signer.verify({ quoteId, fleetId, expiresAt }, signature);
    },
  };
}

/** Throws MANUAL_CONFIRMATION_REQUIRED where an option cannot be self-served. */
export function assertSelfServable(quote: StoredQuote, option: PricedOption): void {
  if (!quote.requiresManualConfirmation && !option.onRequest) return;
  throw new PublicError(
    "MANUAL_CONFIRMATION_REQUIRED",
    option.onRequest
      ? `${option.vehicleType} is on request: the operator confirms it by hand.`
      : "This journey needs the operator's confirmation before it can be paid.",
  );
}
