import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { mcp } from "../../support/shared-service.ts";

const { client } = mcp;

/** What travelers asked of an agent: most can be priced, some are ambiguous or incomplete. */
const REQUESTS: readonly Record<string, unknown>[] = JSON.parse(
  readFileSync(new URL("../../support/fifty-requests.json", import.meta.url), "utf8"),
);

/** Bytes of the text that a model reads. */
async function bytesOf(name: string, args: Record<string, unknown>): Promise<number> {
  const { content } = await client.callTool({ name, arguments: args });
  const [{ text } = { text: "" }] = content as { text: string }[];
  return Buffer.byteLength(text);
}

test("half of fifty requests are answered in at most 2,630 bytes, and each in at most 4,100", async () => {
  assert.equal(REQUESTS.length, 50);
  const sizes: number[] = [];
  for (const request of REQUESTS) sizes.push(await bytesOf("create_transfer_quote", request));
  sizes.sort((a, b) => a - b);
  const [median = 0, most = 0] = [sizes[25], sizes.at(-1)];
  assert.ok(median <= 2_630 && most <= 4_100, `median ${median}, most ${most} bytes`);
});

test("a quote for two persons has at most 2,800 bytes", async () => {
  const forTwo = { origin: "Zurich Airport", pickup_datetime: "2026-12-08T14:00:00+01:00", passengers: 2 };
  for (const journey of [
    { destination: "Zermatt", luggage: 2 },
    { destination: "St. Moritz", luggage: 3 },
  ]) {
    const bytes = await bytesOf("create_transfer_quote", { ...forTwo, ...journey });
    assert.ok(bytes <= 2_800, `${bytes} bytes to ${journey.destination}`);
  }
});

test("the list of all corridors has nothing optional", async () => {
  const { content } = await client.callTool({ name: "list_transfer_services", arguments: {} });
  const [{ text } = { text: "" }] = content as { text: string }[];
  for (const service of JSON.parse(text).services)
    assert.deepEqual(Object.keys(service), ["route_key", "origin", "destination", "transfer_type"]);
});
