import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { JOURNEY_STATES } from "../../support/journey-states.ts";
import { mcp } from "../../support/shared-service.ts";

const { client } = mcp;

/** Bytes of the text that a model reads. */
async function bytesOf(name: string, args: Record<string, unknown>): Promise<number> {
  const { content } = await client.callTool({ name, arguments: args });
  const [{ text } = { text: "" }] = content as { text: string }[];
  return Buffer.byteLength(text);
}

test("a quote for two people is at most 2,800 bytes for a model, and one in any state 5,000", async () => {
  const usual = [{ destination: "Zermatt" }, { destination: "St. Moritz", luggage: 3 }];
  const states = Object.values(JOURNEY_STATES).map(({ journey }) => journey);
  for (const [most, journeys] of [
    [2_800, usual],
    [5_000, states],
  ] as const)
    for (const journey of journeys) {
      const bytes = await bytesOf("create_transfer_quote", aQuoteRequest(journey));
      assert.ok(bytes <= most, `${JSON.stringify(journey)}: ${bytes} bytes`);
    }
});

test("the list of all corridors has nothing optional", async () => {
  const { content } = await client.callTool({ name: "list_transfer_services", arguments: {} });
  const [{ text } = { text: "" }] = content as { text: string }[];
  for (const service of JSON.parse(text).services)
    assert.deepEqual(Object.keys(service), ["route_key", "origin", "destination", "transfer_type"]);
});
