import { z } from "zod/v3";

/** What a quote request means; reference data, it validates nothing. */
export const QuoteRequirements = z
  .object({
    notes: z.string(),
    fields: z.array(
      z.object({ name: z.string(), required: z.boolean(), type: z.string(), description: z.string() }).passthrough(),
    ),
    bookability_states: z.array(z.string()).optional(),
  })
  .passthrough();
