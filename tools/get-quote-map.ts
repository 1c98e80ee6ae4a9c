import { z } from "zod/v3";
import { defineOperation } from "../src/calls/operation.ts";
import { quoteNotFound } from "../src/contract/errors.ts";
import { getTransferQuote } from "./get-transfer-quote.ts";
import { ResolvedHandoff } from "./resolve-checkout-handoff.ts";

/** Called by the quote card. The map is not part of the quote itself, because 17 KB would fill an agent's context. */
export const getQuoteMap = defineOperation({
  name: "get_quote_map",
  title: "Get the map of a quote",
  description: "Returns a map of the route of a quote that this client created, as SVG.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  listedOverMcp: false,
  access: getTransferQuote.access,
  rateTier: getTransferQuote.rateTier,

  input: getTransferQuote.input,
  output: z.object({ route_map: ResolvedHandoff.shape.route_map }).passthrough(),
  errors: getTransferQuote.errors,

  async handle({ quote_id }, { quotes, subject, drawRoute }) {
    const quote = await quotes.find(quote_id);
    if (quote?.ownerSubject !== subject) throw quoteNotFound(quote_id);
    // A hire has no route to show.
    const map = quote.path && quote.hireHours === null ? await drawRoute(quote.path) : undefined;
    return map ? { route_map: map.svg } : {};
  },
});
