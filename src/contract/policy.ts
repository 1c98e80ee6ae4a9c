import { z } from "zod/v3";

export const Policy = z
  .object({
    policy_key: z.string(),
    policy_version: z.string(),
    full_refund_cutoff_hours: z.number(),
    policy_text: z.string(),
  })
  .passthrough();
