import { z } from "zod/v3";
import { quoteNotFound } from "../src/contract/errors.ts";
import { Quote } from "../src/contract/quote.ts";
import { defineOperation } from "../src/engine/operation.ts";
import { isExpired } from "../src/quotes/quote.ts";
import { wireQuote } from "./wire-quote.ts";

export const getTransferQuote = defineOperation({
  name: "get_transfer_quote",
  title: "Read back a quote",
  description:
    "Returns a quote that this client created with create_transfer_quote, exactly as priced; its status is open or expired. " +
    "Use it to check expires_at before create_checkout_handoff. It never returns another client's quote. " +
    'Example: {"quote_id": "q_Zk3vT0xqQm2nB8sYw1LdUA"}',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "scope", scope: "quote:read-own" },
  rateTier: "quote_read",

  input: z
    .object({ quote_id: z.string().min(1).max(64).describe("quote_id from create_transfer_quote") })
    .strict(),
  output: Quote,

  async handle({ quote_id }, { quotes, subject, clock }) {
    const quote = await quotes.find(quote_id);
    if (quote?.ownerSubject !== subject) throw quoteNotFound();
    return wireQuote(quote, isExpired(quote, clock.now()) ? "expired" : "open");
  },
});
