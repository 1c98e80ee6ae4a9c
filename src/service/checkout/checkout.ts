import { PublicError } from "../../contract/errors.ts";
import { classNames, francsText, referenceOf } from "../../contract/notice-formats.ts";
import { counted, valueText } from "../../contract/notices.ts";
import type { Operator } from "../../domain/catalog/load-operator.ts";
import type { PricedOption, StoredQuote } from "../../domain/quotes/quote.ts";
import type { LinkSigner } from "./signature.ts";

export type Checkout = ReturnType<typeof createCheckout>;

export interface CheckoutParts {
  readonly signer: LinkSigner;
  readonly enabled: boolean;
  /** The operator's checkout page; may have a query of its own. */
  readonly pageUrl: string;
  /** The operator's own booking page, to which the reference page links. */
  readonly continueUrl?: string | undefined;
  readonly operator: Operator;
}

/** Hands travelers to the hosted checkout. */
export function createCheckout({ signer, enabled, pageUrl, continueUrl, operator }: CheckoutParts) {
  const { name, phone, email, phoneHours } = operator;
  const contact = `${name} (${phone}${phoneHours ? `, ${phoneHours}` : ""}, ${email})`;

  return {
    /** Throws UPSTREAM_UNAVAILABLE while the deployment switch is off. */
    assertEnabled(): void {
      if (enabled) return;
      throw new PublicError("UPSTREAM_UNAVAILABLE", "Checkout is disabled on this server.", {
        nextAction: `Tell the traveler to contact ${contact}; retry only after the operator has enabled checkout.`,
      });
    },

    /** MANUAL_CONFIRMATION_REQUIRED where the operator must confirm the journey or the option, otherwise `undefined`. */
    refusalOf(quote: StoredQuote, option: PricedOption, localTime: (instant: string) => string) {
      const { options, requiresManualConfirmation } = quote;
      const { onRequest, vehicleClass, totalRappen } = option;
      if (!requiresManualConfirmation && !onRequest) return undefined;
      const nameOf = classNames(options.map(({ vehicleClass: id, vehicleType: type }) => ({ id, type })));
      const payable = requiresManualConfirmation ? [] : options.filter((option) => !option.onRequest);
      const detail = requiresManualConfirmation
        ? "This journey requires the operator's confirmation before it can be paid."
        : `The vehicle class ${nameOf(vehicleClass)} is on request and requires the operator's confirmation.`;
      const others = payable.map(({ fleetId }) => fleetId).join(", ");
      const must = others
        ? `Tell the traveler that ${contact} must confirm this vehicle, and ask the traveler whether another option will do: fleet_id ${others} can be paid now.`
        : `Tell the traveler that the operator must confirm this journey, and to contact ${contact}.`;
      const asked = [nameOf(vehicleClass), ...journeyIn(quote, localTime), francsText(totalRappen)].join(", ");
      const text = `Reference ${referenceOf(quote.id)}: please confirm ${asked}.`;
      const nextAction = `${must} The reference is ${referenceOf(quote.id)}; a text to send, in the traveler's language: "${text}" Once the operator has confirmed, perhaps after expires_at, create_checkout_handoff with the same arguments returns a link.`;
      return new PublicError("MANUAL_CONFIRMATION_REQUIRED", detail, { nextAction });
    },

    /** The signed link to an option of a quote. */
    urlFor: (quote: StoredQuote, fleetId: number) => signedUrl(pageUrl, quote, fleetId),

    /** The signed link to the operator's own booking page; `undefined` if none is set. */
    continueUrlFor: (quote: StoredQuote, fleetId: number) =>
      continueUrl === undefined ? undefined : signedUrl(continueUrl, quote, fleetId),

    /** Whether `signature` was made for this option of this quote. */
    verifySignature: (
      { id: quoteId, expiresAt, unconfirmedExpiresAt = expiresAt }: StoredQuote,
      fleetId: number,
      signature: string,
    ) =>
      [expiresAt, unconfirmedExpiresAt].some((end) => signer.verify({ quoteId, fleetId, expiresAt: end }, signature)),
  };

  function signedUrl(page: string, { id: quoteId, expiresAt }: StoredQuote, fleetId: number): string {
    const url = new URL(page);
    url.searchParams.set("quote_id", quoteId);
    url.searchParams.set("fleet_id", String(fleetId));
    url.searchParams.set("sig", signer.sign({ quoteId, fleetId, expiresAt }));
    return url.href;
  }
}

/** What the operator has to know of a journey in order to confirm it. */
function journeyIn(quote: StoredQuote, localTime: (instant: string) => string): readonly string[] {
  const { origin, stops, destination, pickupAt, returnAt, hireHours, passengers, luggage, notices } = quote;
  const at = (instant: string) => localTime(instant).slice(0, 16).replace("T", " ");
  return [
    [origin, ...stops.map(({ name }) => name), destination].join(" – "),
    at(pickupAt),
    ...(returnAt ? [`return ${at(returnAt)}`] : []),
    ...(hireHours ? [`hire of ${hireHours} h`] : []),
    counted(passengers, "passenger"),
    ...(luggage > 0 ? [`${counted(luggage, "piece")} of luggage`] : []),
    ...notices.flatMap(({ code, values: { items } }) => (code === "SPECIAL_ITEM" && items ? [valueText(items)] : [])),
  ];
}
