import { assertSelfServable } from "../src/checkout/checkout.ts";
import { CheckoutHandoff, CheckoutRequest } from "../src/contract/checkout.ts";
import { invalidRequest, quoteExpired, quoteNotFound } from "../src/contract/errors.ts";
import { defineOperation } from "../src/engine/operation.ts";
import { isExpired } from "../src/quotes/quote.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { wireHandoff } from "./wire-handoff.ts";

export const createCheckoutHandoff = defineOperation({
  name: "create_checkout_handoff",
  title: "Hand the traveler to checkout",
  description:
    "Returns a signed checkout_url for one option of a live quote of this client. The traveler opens it and pays on the operator's page; " +
    "you never handle payment data, and nothing is booked or held by this call. Call it only after the traveler has explicitly approved " +
    "vehicle and price, and give the link to the traveler unchanged. Options with requires_manual_confirmation are refused. Example: " +
    '{"quote_id": "q_Zk3vT0xqQm2nB8sYw1LdUA", "fleet_id": 1, "traveler_approval": true}',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "scope", scope: "checkout:prepare" },
  rateTier: "checkout",

  input: CheckoutRequest.extend({ idempotency_key: idempotencyKey }).strict(),
  output: CheckoutHandoff,

  async handle({ quote_id, fleet_id, traveler_approval }, context) {
    const { quotes, checkout, clock, subject, requestId, commit } = context;
    checkout.assertEnabled();
    if (!traveler_approval) {
      throw invalidRequest([
        {
          field: "traveler_approval",
          message: "Must be true: ask the traveler to approve vehicle and price first.",
        },
      ]);
    }
    const quote = await quotes.find(quote_id);
    if (quote?.ownerSubject !== subject) throw quoteNotFound();
    if (isExpired(quote, clock.now())) throw quoteExpired(quote.expiresAt);
    const option = quote.options.find(({ fleetId }) => fleetId === fleet_id);
    if (!option) {
      const priced = quote.options.map(({ fleetId }) => fleetId).join(", ");
      throw invalidRequest([
        { field: "fleet_id", message: `This quote did not price it. It priced: ${priced}.` },
      ]);
    }
    assertSelfServable(quote, option);
    return commit(wireHandoff(quote, option, checkout, requestId));
  },
});
