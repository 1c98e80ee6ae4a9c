import type { Checkout } from "../src/checkout/checkout.ts";
import type { CheckoutHandoff } from "../src/contract/checkout.ts";
import type { PricedOption } from "../src/pricing/price.ts";
import type { StoredQuote } from "../src/quotes/quote.ts";
import { francs } from "./wire-quote.ts";

/** The hand-over of one option of a live quote. */
export function wireHandoff(
  quote: StoredQuote,
  option: PricedOption,
  checkout: Checkout,
  requestId: string,
): CheckoutHandoff {
  return {
    checkout_url: checkout.urlFor(quote, option.fleetId),
    quote_id: quote.id,
    fleet_id: option.fleetId,
    total_price: francs(option.totalRappen),
    currency: quote.currency,
    expires_at: quote.expiresAt,
    request_id: requestId,
    non_binding: true,
    reservation_status: "not_reserved",
    status: "open",
  };
}
