import { z } from "zod/v3";
import { Policy } from "../src/contract/discovery.ts";
import { invalidRequest } from "../src/contract/errors.ts";
import { type Policy as CatalogPolicy, isCancellation } from "../src/domain/catalog/catalog-schema.ts";
import { asksOperator } from "../src/domain/quotes/party.ts";
import { defineOperation, type Services } from "../src/service/calls/operation.ts";
import { cancelNote, legsNote, paymentNote, wireOperator } from "./wire/operator.ts";

export const getPolicy = defineOperation({
  name: "get_policy",
  title: "Get a policy",
  description:
    "Returns a policy of the operator: its text and version, how many hours before pickup a cancellation is still " +
    "fully refunded, and the operator's contact, phone hours and payment methods. Keys: cancellation, changes (late " +
    'flight, another date), payment (with waiting), invoice (with VAT). For "can I cancel?", "how do I pay?", "do I get an invoice?" ' +
    'and "how do I reach you?"; free_cancellation_until of a quote is its deadline. Add ' +
    "nothing to the text.",
  examples: () => [{ policy_key: "cancellation" }],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "open" },
  rateTier: "discovery",
  rest: {
    operationId: "getPolicy",
    method: "get",
    path: "/policies/{policy_key}",
    tag: "Discovery",
    isCacheable: true,
    description:
      "Returns a policy of the operator: its text, its version, for cancellation how many hours before the pickup a refund is still full, and the operator's contact, phone hours and payment methods.",
  },

  input: z.strictObject({
    policy_key: z.string().min(1).max(128).describe("cancellation, changes, payment or invoice"),
  }),
  output: Policy,
  errors: [],

  async handle({ policy_key }, { catalog: { policies, tariff, operator } }) {
    const policy = policies.find(({ key }) => key === policy_key);
    if (!policy) {
      const candidates = policies.map(({ key }) => key);
      const message = `Unknown policy; send one of: ${candidates.join(", ")}.`;
      const advice = `Send the policy that the traveler means. For anything else ${asksOperator(operator)}.`;
      throw invalidRequest([{ field: "policy_key", message, candidates }], advice);
    }
    return {
      policy_key: policy.key,
      policy_version: policy.version,
      full_refund_cutoff_hours: policy.fullRefundCutoffHours,
      ...(policy.partialRefunds && { partial_refunds: policy.partialRefunds }),
      policy_text: policy.text,
      note: noteOf(policy, operator),
      vat_percent: tariff.vat?.percent,
      operator: {
        ...wireOperator(operator),
        phone_hours: operator.phoneHours,
        payment_methods: operator.paymentMethods,
      },
    };
  },
});

/** What this service adds to the operator's text. */
function noteOf(policy: CatalogPolicy, operator: Services["catalog"]["operator"]): string | undefined {
  if (policy.key === "payment") return paymentNote(operator);
  return isCancellation(policy) ? `${cancelNote(operator)} ${legsNote(operator, policy)}` : undefined;
}
