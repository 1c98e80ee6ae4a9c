import { Quote } from "../src/contract/quote.ts";
import { EstimateRequest } from "../src/contract/quote-request.ts";
import { defineOperation } from "../src/engine/operation.ts";
import { journeyOf } from "./journey-of.ts";
import { wireEstimate } from "./wire-quote.ts";

export const estimateTransferQuote = defineOperation({
  name: "estimate_transfer_quote",
  title: "Estimate a price without a token",
  description:
    "Returns a non-binding price estimate for a journey. It needs no quote scope, stores nothing, has no quote_id and cannot be continued to checkout. " +
    "distance_km and duration_min may be sent; what is missing is measured. Use it for a first idea of the price; " +
    "for a binding price call create_transfer_quote. Example: " +
    '{"origin": "Zurich Airport", "destination": "Zermatt", "pickup_datetime": "2027-01-15T14:30:00+01:00", "passengers": 2, "luggage": 2}',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "open" },
  rateTier: "quote_estimate",

  input: EstimateRequest,
  output: Quote,

  async handle(request, { quoting, requestId, signal }) {
    return wireEstimate(await quoting.price(journeyOf(request, request), signal), requestId);
  },
});
