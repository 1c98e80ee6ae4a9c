import { CheckoutHandoff, CheckoutRequest } from "../src/contract/checkout.ts";
import { invalidRequest, quoteExpired, quoteNotFound } from "../src/contract/errors.ts";
import { IdempotencyKey } from "../src/contract/request-fields.ts";
import { isExpired } from "../src/domain/quotes/quote.ts";
import { saleOf } from "../src/domain/sales/sale-event.ts";
import { defineOperation } from "../src/service/calls/operation.ts";
import { requestAgain } from "./wire/journey.ts";
import { cancelNote, endedNote, paymentNote, unlessPaid } from "./wire/operator.ts";
import { wireHandoff } from "./wire/quote.ts";

export const createCheckoutHandoff = defineOperation({
  name: "create_checkout_handoff",
  title: "Create a checkout link",
  description:
    'Returns a signed checkout_url for one option. For "book it" and "how do I pay?", only once the traveler has ' +
    "approved vehicle and price. The traveler opens it unchanged and pays there before expires_at; nothing is booked " +
    "until then. With requires_manual_confirmation it says whom to ask.",
  examples: () => [{ quote_id: "q_Zk3vT0xq", fleet_id: 1, traveler_approval: true }],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "scope", scope: "checkout:prepare" },
  rateTier: "checkout",
  rest: {
    operationId: "createCheckoutHandoff",
    method: "post",
    path: "/checkout-sessions",
    tag: "Checkout",
    description:
      "Returns a signed checkout_url for one option of an open quote. Open it in the traveler’s browser unchanged. It books, charges and reserves nothing. An option with requires_manual_confirmation is rejected with what the traveler sends to the operator, and gets a link once the operator has confirmed.",
  },

  input: CheckoutRequest.extend({ idempotency_key: IdempotencyKey }),
  output: CheckoutHandoff,
  errors: ["QUOTE_NOT_FOUND", "QUOTE_EXPIRED", "MANUAL_CONFIRMATION_REQUIRED"],

  async handle({ quote_id, fleet_id, traveler_approval }, services, call) {
    const { quotes, checkout, clock, localTime, catalog } = services;
    const { timeZone } = catalog.tariff;
    checkout.assertEnabled();
    if (!traveler_approval) {
      const message = "Must be true, once the traveler has explicitly approved the vehicle and the price.";
      const advice = "Ask the traveler to approve the vehicle and the price; without approval there is no checkout.";
      throw invalidRequest([{ field: "traveler_approval", message }], advice);
    }
    const quote = await quotes.find(quote_id);
    if (quote?.ownerSubject !== call.subject) throw quoteNotFound(quote_id);
    const { operator } = quote.terms;
    if (isExpired(quote, clock.now())) {
      const request = JSON.stringify(requestAgain(quote, localTime));
      throw quoteExpired(localTime(quote.expiresAt), {
        nextAction: `Create a new quote and show the traveler its price, ${unlessPaid(operator)} Call create_transfer_quote with ${request}`,
      });
    }
    const option = quote.options.find(({ fleetId }) => fleetId === fleet_id);
    if (!option) {
      const candidates = quote.options.map(({ fleetId }) => String(fleetId));
      const message = `Not an option of this quote. Its options: ${candidates.join(", ")}.`;
      const advice =
        "Send the fleet_id of the option that the traveler approved; ask the traveler if that is not clear.";
      throw invalidRequest([{ field: "fleet_id", message, candidates }], advice);
    }
    const refusal = checkout.refusalOf(quote, option, localTime);
    if (refusal) {
      const requested = saleOf("handoff.requested", quote, timeZone, option);
      if (requested) await call.recordSale(requested);
      throw refusal;
    }
    const sale = saleOf("handoff.created", quote, timeZone, option);
    const isAfterFlight = quote.legs.some(({ landing }) => landing);
    const next_action = `Give the traveler checkout_url unchanged; nothing is booked before its page is completed. Before payment, another vehicle that is not on request needs only a handoff of its fleet_id, and any other change a new quote; once paid, only the operator changes it. ${paymentNote(operator)}${isAfterFlight ? " For a late flight, get_policy changes says what applies." : ""}`;
    const policy = quote.terms.policies.find(({ key }) => key === "cancellation");
    const terms = {
      ...(policy && { cancellation: `${endedNote(quote, clock.now())}${policy.text} ${cancelNote(operator)}` }),
      ...(operator.paymentMethods && { payment_methods: operator.paymentMethods }),
    };
    return call.commit({ ...wireHandoff(quote, option, services, call), ...terms, next_action }, { sale });
  },
});
