import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { anMcpClient, type Fields } from "../support/mcp-client.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { aService } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const service = await aService(wholeFile, { limiter: aRateLimiter() });
const { client } = await anMcpClient(wholeFile, service.publicUrl, await service.token());

/** The texts of a call's result; every block of a result is text. */
async function textsOf(name: string, args: object): Promise<{ texts: string[]; result: Fields }> {
  const result: Fields = await client.callTool({ name, arguments: { ...args } });
  return { texts: result.content.map(({ text }: { text: string }) => text), result };
}

test("an error has a sentence, which no host takes for structured content, and the problem document", async () => {
  const { texts, result } = await textsOf("create_transfer_quote", aQuoteRequest({ destination: "Nowhereville" }));
  assert.deepEqual(Object.keys(result).sort(), ["content", "isError"]);
  const [sentence = "", document = "", ...others] = texts;
  assert.deepEqual(others, []);
  assert.throws(() => JSON.parse(sentence));
  const problem = JSON.parse(document);
  assert.equal(problem.code, "INVALID_LOCATION");
  assert.equal(sentence, `INVALID_LOCATION: ${problem.detail} Next: ${problem.next_action}`);
});

test("the sentence names every field, and its candidates", async () => {
  const args = aQuoteRequest({ passengers: 0, luggage: -1 });
  const [sentence = ""] = (await textsOf("create_transfer_quote", args)).texts;
  assert.match(sentence, /^INVALID_REQUEST: .*passengers: .*luggage: .* Next: /);
  const [route = ""] = (await textsOf("get_transfer_route", { route_key: "zurich-airport-to-zermat" })).texts;
  assert.match(route, /^UNSUPPORTED_ROUTE: .*route_key: .*"zurich-airport-to-zermatt"/);
});

test("a success has one text, the JSON of its structured content", async () => {
  const { texts, result } = await textsOf("create_transfer_quote", aQuoteRequest());
  assert.deepEqual(texts, [JSON.stringify(result.structuredContent)]);
});
