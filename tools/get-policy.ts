import { z } from "zod/v3";
import { invalidRequest } from "../src/contract/errors.ts";
import { Policy } from "../src/contract/policy.ts";
import { defineOperation } from "../src/engine/operation.ts";

export const getPolicy = defineOperation({
  name: "get_policy",
  title: "Get a published policy",
  description:
    "Returns a published policy of the operator with its version and the hours before pickup until which a cancellation is refunded in full. " +
    "Use it when a traveler asks about cancellation, and before preparing checkout. " +
    'Example: {"policy_key": "cancellation"}',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "open" },
  rateTier: "discovery",

  input: z
    .object({ policy_key: z.string().min(1).max(128).describe("which policy; cancellation is always there") })
    .strict(),
  output: Policy,

  async handle({ policy_key }, { published: { policies } }) {
    const policy = policies.find(({ key }) => key === policy_key);
    if (!policy) {
      const known = policies.map(({ key }) => key).join(", ");
      throw invalidRequest([{ field: "policy_key", message: `No such policy. There are: ${known}.` }]);
    }
    return {
      policy_key: policy.key,
      policy_version: policy.version,
      full_refund_cutoff_hours: policy.fullRefundCutoffHours,
      policy_text: policy.text,
    };
  },
});
