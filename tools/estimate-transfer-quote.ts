import { Quote } from "../src/contract/quote.ts";
import { EstimateRequest } from "../src/contract/quote-request.ts";
import { defineOperation } from "../src/service/calls/operation.ts";
import { JOURNEY_ERRORS, missingFields, priceRequest } from "./wire/journey.ts";
import { beyondLimits } from "./wire/party.ts";
import { wireCard, wireEstimate } from "./wire/quote.ts";

export const estimateTransferQuote = defineOperation({
  name: "estimate_transfer_quote",
  title: "Estimate a price",
  description:
    "Returns a price estimate for a journey, with status estimate. It stores nothing, fixes no price, has no quote_id " +
    'and cannot be continued to checkout. For "roughly how much is it?" and "is it under 500?" while the party or the ' +
    "time is open; take a likely date and say which. Tell the traveler that it is an estimate; for a fixed price, call " +
    "create_transfer_quote with the same arguments. Fields are those of create_transfer_quote.",
  examples: (on) => [
    { origin: "Zurich Airport", destination: "Zermatt", pickup_datetime: on.pickup, passengers: 2, luggage: 2 },
    { origin: "Lucerne", pickup_datetime: on.pickup, booking_type: "hourly", duration_hours: 4 },
  ],
  fieldsAsIn: "create_transfer_quote",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  shownAsCard: true,
  access: { kind: "open" },
  rateTier: "quote_estimate",
  rest: {
    operationId: "createQuoteEstimate",
    method: "post",
    path: "/quote-intents",
    tag: "Quotes",
    description:
      "Returns an estimate, which fixes no price, without a token. Nothing is stored, and it cannot be continued to checkout. The service measures whichever of distance_km and duration_min is omitted.",
  },

  input: EstimateRequest,
  output: Quote,
  alsoMissing: missingFields,
  beyondLimits,
  errors: JOURNEY_ERRORS,

  async handle(request, services, call) {
    const priced = await priceRequest(request, services, call, request);
    call.showOnCard(wireCard(priced, services.localTime));
    return {
      ...wireEstimate(priced, call.requestId, services),
      next_action:
        "For a fixed price, call create_transfer_quote with the same arguments, without distance_km and duration_min.",
    };
  },
});
