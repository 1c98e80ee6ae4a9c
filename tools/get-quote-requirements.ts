import { z } from "zod/v3";
import { jsonSchemaOf } from "../src/contract/json-schema.ts";
import { QuoteRequest } from "../src/contract/quote-request.ts";
import { QuoteRequirements } from "../src/contract/quote-requirements.ts";
import { defineOperation } from "../src/engine/operation.ts";

/** Derived from the schema that validates requests, so that the two cannot differ. */
const fields = (() => {
  const { properties, required } = jsonSchemaOf(QuoteRequest) as {
    properties: Record<string, { type: string | string[]; format?: string; description: string }>;
    required: string[];
  };
  return Object.entries(properties).map(([name, { type, format, description }]) => ({
    name,
    required: required.includes(name),
    type: [type]
      .flat()
      .join(" or ")
      .replace("string", format ?? "string"),
    description,
  }));
})();

export const getQuoteRequirements = defineOperation({
  name: "get_quote_requirements",
  title: "Get the contract of a quote request",
  description:
    "Returns which fields a quote request takes, which are required and what they mean, with notes on lead time and parties with children. " +
    "Reference data: it validates nothing. Use it when unsure what to ask a traveler before create_transfer_quote. Example: {}",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "open" },
  rateTier: "discovery",

  input: z.object({}).strict(),
  output: QuoteRequirements,

  async handle(_input, { published: { requirements } }) {
    return { notes: requirements.notes, fields, bookability_states: requirements.bookabilityStates };
  },
});
