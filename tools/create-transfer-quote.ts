import { Quote } from "../src/contract/quote.ts";
import { QuoteRequest } from "../src/contract/quote-request.ts";
import { IdempotencyKey } from "../src/contract/request-fields.ts";
import { issueQuote } from "../src/domain/quotes/quote.ts";
import { saleOf } from "../src/domain/sales/sale-event.ts";
import { defineOperation } from "../src/service/calls/operation.ts";
import { JOURNEY_ERRORS, missingFields, priceRequest } from "./wire/journey.ts";
import { beyondLimits } from "./wire/party.ts";
import { wireCard, wireQuote } from "./wire/quote.ts";

export const createTransferQuote = defineOperation({
  name: "create_transfer_quote",
  title: "Create a binding quote",
  description:
    "Measures a journey and prices it with every suitable vehicle class, fixed for 30 minutes; it reserves " +
    'nothing. For "a taxi from Zurich Airport to Zermatt", "there and back", "be at the airport by 11:10" (arrive_by) ' +
    'and "a driver for the day" (booking_type hourly). While date or party are open, estimate_transfer_quote. For ' +
    "another date, party, stop or return, call it again with all arguments; for two cars, once for each. Tell the " +
    "traveler each option's total_price (VAT included), expires_at and every limitation. After approval, call " +
    "create_checkout_handoff. After an error, follow next_action.",
  examples: (on) => [
    {
      origin: "Zurich Airport",
      destination: "Zermatt",
      pickup_datetime: on.pickup,
      passengers: 4,
      adults: 2,
      children: 2,
      luggage: 4,
      special_items: [{ kind: "child_seat", count: 2 }],
    },
    {
      origin: "Hotel Krone, Thun",
      destination: "Geneva Airport",
      pickup_datetime: on.pickup,
      return_datetime: on.return,
      waypoints: [{ name: "Montreux", stop_duration_min: 30 }],
    },
  ],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  shownAsCard: true,
  access: { kind: "scope", scope: "quote:create" },
  rateTier: "quote_authoritative",
  rest: {
    operationId: "createQuote",
    method: "post",
    path: "/quotes",
    tag: "Quotes",
    success: 201,
    location: "/quotes/{quote_id}",
    description:
      "Measures the journey and returns a price for every suitable vehicle class, fixed for 30 minutes. Nothing is reserved. Send an Idempotency-Key so that a retry does not create a second quote.",
  },

  input: QuoteRequest.extend({ idempotency_key: IdempotencyKey }),
  output: Quote,
  alsoMissing: missingFields,
  beyondLimits,
  errors: JOURNEY_ERRORS,

  async handle(request, services, call) {
    const { subject, requestId } = call;
    const priced = await priceRequest(request, services, call);
    const quote = issueQuote(priced, { subject, requestId, now: services.clock.now() });
    call.showOnCard(wireCard(quote, services.localTime));
    const sale = saleOf("quote.created", quote, services.catalog.tariff.timeZone);
    return call.commit(wireQuote(quote, "open", services), { quote, sale });
  },
});
