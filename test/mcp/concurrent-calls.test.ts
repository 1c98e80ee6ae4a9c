import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { untilServed } from "../support/machines.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { aService, request } from "../support/service.ts";

test("200 concurrent calls of two subjects get their own ids, quotes and owners", async (t) => {
  const { publicUrl, token } = await aService(t, { limiter: aRateLimiter() });
  const tokens = [await token({ subject: "a" }), await token({ subject: "b" })];
  const call = async (n: number, subject: number, name: string, args: object) => {
    const body = { jsonrpc: "2.0", id: `call-${n}`, method: "tools/call", params: { name, arguments: args } };
    const headers = { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18" };
    const send = () => request(`${publicUrl}/mcp`, { token: tokens[subject], body, headers });
    const answer = await untilServed(send);
    assert.equal(answer.body.id, `call-${n}`, answer.text);
    assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
    return answer.body.result;
  };
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const passengers = 1 + (n % 4);
      const created = await call(n, n % 2, "create_transfer_quote", aQuoteRequest({ passengers }));
      const quote = created.structuredContent;
      assert.equal(quote.passengers, passengers);
      assert.deepEqual(JSON.parse(created.content[0].text), quote);
      const args = { quote_id: quote.quote_id };
      const own = await call(n, n % 2, "get_transfer_quote", args);
      assert.deepEqual(own.structuredContent, quote);
      const other = await call(n, 1 - (n % 2), "get_transfer_quote", args);
      assert.equal(JSON.parse(other.content[1].text).code, "QUOTE_NOT_FOUND");
    }),
  );
});
