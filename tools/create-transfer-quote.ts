import { Quote } from "../src/contract/quote.ts";
import { QuoteRequest } from "../src/contract/quote-request.ts";
import { defineOperation } from "../src/engine/operation.ts";
import { createId } from "../src/ops/ids.ts";
import { QUOTE_VALIDITY_MILLISECONDS, type StoredQuote } from "../src/quotes/quote.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { journeyOf } from "./journey-of.ts";
import { wireQuote } from "./wire-quote.ts";

export const createTransferQuote = defineOperation({
  name: "create_transfer_quote",
  title: "Create a binding quote",
  description:
    "Measures the route of one journey and returns binding prices for every vehicle that fits, valid for 30 minutes. " +
    "It books nothing and holds no vehicle. Use it when the traveler has named places, date, time and party; ask for what is missing. " +
    "Show the traveler options, expires_at and limitations; after approval call create_checkout_handoff with quote_id and the chosen fleet_id. " +
    "On INVALID_LOCATION resend one of the candidates. Example: " +
    '{"origin": "Zurich Airport", "destination": "Zermatt", "pickup_datetime": "2027-01-15T14:30:00+01:00", "passengers": 4, "adults": 2, "children": 2, "luggage": 4}',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  access: { kind: "scope", scope: "quote:create" },
  rateTier: "quote_authoritative",

  input: QuoteRequest.extend({ idempotency_key: idempotencyKey }).strict(),
  output: Quote,

  async handle(request, { quoting, clock, subject, requestId, signal, commit }) {
    const priced = await quoting.price(journeyOf(request), signal);
    const issued = clock.now();
    const quote: StoredQuote = {
      id: createId("q"),
      ownerSubject: subject,
      requestId,
      issuedAt: issued.toISOString(),
      expiresAt: new Date(issued.getTime() + QUOTE_VALIDITY_MILLISECONDS).toISOString(),
      ...priced,
    };
    return commit(wireQuote(quote, "open"), quote);
  },
});
