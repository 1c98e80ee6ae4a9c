import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { wholeFile } from "../../support/lifetime.ts";
import { aNewerRequest, newerOverHttp, postsTo } from "../../support/mcp-messages.ts";
import { aRateLimiter } from "../../support/rate-limiter.ts";
import { aService, request } from "../../support/service.ts";

const CARD = { uri: "ui://transfer-quote/card" };
const MIB = 1024 * 1024;
const BATCHES = { "MCP-Protocol-Version": "2025-03-26" };
const aMessage = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });

suite("the discovery budget", async () => {
  const limiter = aRateLimiter({ discovery: { points: 4, seconds: 600 } });
  const { publicUrl, token: tokenOf } = await aService(wholeFile, { limiter });
  const token = await tokenOf();
  const post = postsTo(publicUrl, token);
  const newer = newerOverHttp(publicUrl, token);

  test("is charged by lists and resources in every revision, and shared with REST", async () => {
    const charged = [
      await post(aMessage(1, "tools/list")),
      await newer(aNewerRequest(1, "resources/list")),
      await post(aMessage(1, "resources/read", CARD)),
    ];
    for (const { body } of charged) assert.ok(body.result, JSON.stringify(body));
    assert.equal((await request(`${publicUrl}/api/public/v1/vehicle-classes`, { token })).status, 200);
    for (const [name, { status, body }] of Object.entries({
      list: await post(aMessage(2, "tools/list")),
      newer: await newer(aNewerRequest(2, "tools/list")),
      templates: await post(aMessage(2, "resources/templates/list")),
      card: await post(aMessage(2, "resources/read", CARD)),
      unknown: await post(aMessage(2, "resources/read", { uri: "ui://nothing" })),
    })) {
      assert.equal(status, 200, name);
      assert.equal(body.error.code, -32600, name);
      const { code, retryable, retry_after_seconds } = body.error.data;
      assert.deepEqual([code, retryable], ["RATE_LIMITED", true], name);
      assert.ok(retry_after_seconds > 0, name);
    }
    assert.equal((await request(`${publicUrl}/api/public/v1/vehicle-classes`, { token })).status, 429);
    assert.deepEqual((await post(aMessage(3, "ping"))).body.result, {});
    const metrics = await request(`${publicUrl}/metrics`);
    assert.match(metrics.text, /^transfer_budget_exceeded_total\{tier="discovery"\} 6$/m);
  });
});

suite("a batch", async () => {
  const { publicUrl, token: tokenOf } = await aService(wholeFile);
  const token = await tokenOf();
  const post = postsTo(publicUrl, token);
  const quotesIssued = async () => {
    const { text } = await request(`${publicUrl}/metrics`);
    return Number(/^transfer_calls_total\{[^}]*operation="create_transfer_quote"[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };

  test("whose answer exceeds 1 MiB is cut: later messages are refused and not run", async () => {
    const reads = Array.from({ length: 99 }, (_, id) => aMessage(id, "tools/list"));
    const quote = aMessage(99, "tools/call", { name: "create_transfer_quote", arguments: aQuoteRequest() });
    const { status, text, body } = await post([...reads, quote], BATCHES);
    assert.equal(status, 200);
    assert.ok(Buffer.byteLength(text) < MIB + 64 * 1024, `${Buffer.byteLength(text)} bytes`);
    assert.deepEqual(
      body.map(({ id }: { id: number }) => id),
      Array.from({ length: 100 }, (_, id) => id),
    );
    const refused = body.filter(({ error }: { error?: unknown }) => error);
    assert.ok(refused.length > 10 && refused.length < 90, `${refused.length} refused`);
    for (const { error } of refused) assert.match(error.message, /1 MiB.*send it again/);
    assert.equal(body.at(-1).error.code, -32600);
    assert.equal(await quotesIssued(), 0);
  });

  test("may not contain initialize", async () => {
    const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    const { status, body } = await post([aMessage(1, "initialize", params), aMessage(2, "ping")], BATCHES);
    assert.deepEqual([status, body.error.code], [400, -32600]);
  });
});
