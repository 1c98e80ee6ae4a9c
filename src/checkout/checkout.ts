import type { Operator } from "../catalog/load-operator.ts";
import { PublicError } from "../contract/errors.ts";
import type { PricedOption, StoredQuote } from "../quotes/quote.ts";
import type { LinkSigner } from "./signature.ts";

/** Hands travelers to the hosted checkout. */
export interface Checkout {
  /** Throws UPSTREAM_UNAVAILABLE while the deployment switch is off. */
  assertEnabled(): void;
  /** Throws MANUAL_CONFIRMATION_REQUIRED if the operator must confirm the journey or the option. */
  assertSelfServable(quote: StoredQuote, option: PricedOption): void;
  /** The signed link to an option of a quote. */
  urlFor(quote: StoredQuote, fleetId: number): string;
  /** The signed link to the operator's own booking page; `undefined` if none is set. */
  continueUrlFor(quote: StoredQuote, fleetId: number): string | undefined;
  /** Whether `signature` was made for this option of this quote. */
  verifySignature(quote: StoredQuote, fleetId: number, signature: string): boolean;
}

export interface CheckoutParts {
  readonly signer: LinkSigner;
  readonly enabled: boolean;
  /** The operator's checkout page; may have a query of its own. */
  readonly pageUrl: string;
  /** The operator's own booking page, to which the reference page links. */
  readonly continueUrl?: string | undefined;
  readonly operator: Operator;
}

export function createCheckout({ signer, enabled, pageUrl, continueUrl, operator }: CheckoutParts): Checkout {
  const contact = `${operator.name} (${operator.phone}, ${operator.email})`;

  return {
    assertEnabled() {
      if (enabled) return;
      throw new PublicError("UPSTREAM_UNAVAILABLE", "Checkout is disabled on this server.", {
        nextAction: `Tell the traveler to contact ${contact}; retry only after the operator has enabled checkout.`,
      });
    },

    assertSelfServable({ options, requiresManualConfirmation }, { onRequest, vehicleClass }) {
      if (!requiresManualConfirmation && !onRequest) return;
      const payable = requiresManualConfirmation ? [] : options.filter((option) => !option.onRequest);
      const detail = requiresManualConfirmation
        ? "This journey requires the operator's confirmation before it can be paid."
        : `The vehicle class ${vehicleClass} is on request and requires the operator's confirmation.`;
      const others = payable.map(({ fleetId }) => fleetId).join(", ");
      const nextAction = others
        ? `Tell the traveler that ${contact} must confirm this vehicle, and ask the traveler whether another option will do: fleet_id ${others} can be paid now.`
        : `Tell the traveler that the operator must confirm this journey, and to contact ${contact}.`;
      throw new PublicError("MANUAL_CONFIRMATION_REQUIRED", detail, { nextAction });
    },

    urlFor: (quote, fleetId) => signedUrl(pageUrl, quote, fleetId),

    continueUrlFor: (quote, fleetId) =>
      continueUrl === undefined ? undefined : signedUrl(continueUrl, quote, fleetId),

    verifySignature({ id: quoteId, expiresAt }, fleetId, signature) {
      return signer.verify({ quoteId, fleetId, expiresAt }, signature);
    },
  };

  function signedUrl(page: string, { id: quoteId, expiresAt }: StoredQuote, fleetId: number): string {
    const url = new URL(page);
    url.searchParams.set("quote_id", quoteId);
    url.searchParams.set("fleet_id", String(fleetId));
    url.searchParams.set("sig", signer.sign({ quoteId, fleetId, expiresAt }));
    return url.href;
  }
}
