import assert from "node:assert/strict";
import { test } from "node:test";
import { type JsonSchema, jsonSchemaOf } from "../../../src/contract/json-schema.ts";
import { tools } from "../../../tools/tools.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { mcp, service, token } from "../../support/shared-service.ts";

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const { value } = mcp;
const quote = await service.api("/quotes", { token, body: aQuoteRequest() });
const terms = { quote_id: quote.body.quote_id, fleet_id: quote.body.options[0].fleet_id, traveler_approval: true };
const journey = aQuoteRequest({ waypoints: [{ name: "Bern" }], special_items: [{ kind: "skis", count: 1 }] });

const ARGUMENTS: Readonly<Record<string, Fields>> = {
  get_transfer_route: { route_key: "zurich-airport-to-zermatt" },
  get_policy: { policy_key: "cancellation" },
  estimate_transfer_quote: journey,
  create_transfer_quote: journey,
  get_transfer_quote: { quote_id: terms.quote_id },
  create_checkout_handoff: terms,
};
/** The same value with null in every optional field that it leaves out, at every depth. */
function withNulls(schema: JsonSchema, sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map((item) => withNulls(schema.items as JsonSchema, item));
  if (typeof sent !== "object" || sent === null) return sent;
  const { properties, required = [] } = schema as ObjectSchema;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      if (Object.hasOwn(sent, name)) return [[name, withNulls(property, (sent as Fields)[name])]];
      return required.includes(name) ? [] : [[name, null]];
    }),
  );
}

test("null in an optional field is the field left out, in every tool and at every depth", async () => {
  for (const { name, input } of tools) {
    const left = ARGUMENTS[name] ?? {};
    const nulls = withNulls(jsonSchemaOf(input), left) as Fields;
    assert.deepEqual(withoutIds(await value(name, nulls)), withoutIds(await value(name, left)), name);
  }
});

test("null and 0 are different stop durations", async () => {
  const durationOf = async (stop_duration_min: number | null) => {
    const request = aQuoteRequest({ waypoints: [{ name: "Bern", stop_duration_min }] });
    const { waypoints, limitations } = await value("estimate_transfer_quote", request);
    return [waypoints[0].stop_duration_min, limitations.some((text: string) => text.includes("No stay was stated"))];
  };
  assert.deepEqual(await durationOf(null), [null, true]);
  assert.deepEqual(await durationOf(0), [0, false]);
});

function withoutIds({ quote_id: _, request_id: __, checkout_url: ___, ...answer }: Fields): Fields {
  return answer;
}
