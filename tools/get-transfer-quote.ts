import { z } from "zod/v3";
import { quoteNotFound } from "../src/contract/errors.ts";
import { Quote } from "../src/contract/quote.ts";
import { isExpired } from "../src/domain/quotes/quote.ts";
import { defineOperation } from "../src/service/calls/operation.ts";
import { requestAgain } from "./wire/journey.ts";
import { paymentNote, unlessPaid } from "./wire/operator.ts";
import { wireCard, wireQuote } from "./wire/quote.ts";

export const getTransferQuote = defineOperation({
  name: "get_transfer_quote",
  title: "Get a quote",
  description:
    "Returns a quote that this client created with create_transfer_quote, exactly as priced, with status open or " +
    'expired. For "is that price still valid?" and "what was included?", and before create_checkout_handoff. Tell the ' +
    "traveler until when the price is fixed. Where status is expired, request has the arguments for " +
    "create_transfer_quote; the price may differ. It never returns another client's quote.",
  examples: () => [{ quote_id: "q_Zk3vT0xqQm2nB8sYw1LdUA" }],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  shownAsCard: true,
  access: { kind: "scope", scope: "quote:read-own" },
  rateTier: "quote_read",
  rest: {
    operationId: "getOwnQuote",
    method: "get",
    path: "/quotes/{quote_id}",
    tag: "Quotes",
    description:
      "Returns a quote that the same client has created, as it was priced, with status open or expired. Quotes of other clients are not found.",
  },

  input: z.strictObject({ quote_id: z.string().min(1).max(64).describe("quote_id from create_transfer_quote") }),
  output: Quote,
  errors: ["QUOTE_NOT_FOUND"],

  async handle({ quote_id }, services, { subject, showOnCard }) {
    const { quotes, clock, localTime } = services;
    const quote = await quotes.find(quote_id);
    if (quote?.ownerSubject !== subject) throw quoteNotFound(quote_id);
    showOnCard(wireCard(quote, localTime));
    const { operator } = quote.terms;
    if (!isExpired(quote, clock.now()))
      return { ...wireQuote(quote, "open", services), next_action: paymentNote(operator) };
    return {
      ...wireQuote(quote, "expired", services),
      next_action: `Call create_transfer_quote with the arguments in request and show the traveler its price, ${unlessPaid(operator)}`,
      request: requestAgain(quote, localTime),
    };
  },
});
