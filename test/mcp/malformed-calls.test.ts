import assert from "node:assert/strict";
import { test } from "node:test";
import { aNewerRequest, newerOverHttp } from "../support/newer-request.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { aService, request } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const service = await aService(wholeFile, { limiter: aRateLimiter() });
const token = await service.token();
const newer = newerOverHttp(service.publicUrl, token);

for (const [params, expected] of [
  [{ arguments: {} }, /^params\.name must be the name of a tool/],
  [{ name: 5 }, /^params\.name must be the name of a tool/],
  [{ name: ["get_policy"] }, /^params\.name must be the name of a tool/],
  [{ name: "get_policy", arguments: "cancellation" }, /^params\.arguments must be an object .* get_policy/],
  [{ name: "get_policy", arguments: ["cancellation"] }, /^params\.arguments must be an object/],
  [{ name: "get_policy", arguments: null }, /omit it where there are none/],
  [{ name: "book_transfer" }, /^Unknown tool: book_transfer$/],
] as const) {
  test(`tools/call with ${JSON.stringify(params)} is -32602 in both revisions, in the older ones with one sentence`, async () => {
    const body = { jsonrpc: "2.0", id: 3, method: "tools/call", params };
    const older = await request(`${service.publicUrl}/mcp`, { token, body });
    for (const answer of [older, await newer(aNewerRequest(3, "tools/call", params))]) {
      assert.equal(answer.status, 200);
      assert.equal(answer.body.id, 3);
      assert.equal(answer.body.error.code, -32602);
    }
    assert.match(older.body.error.message, expected);
    assert.doesNotMatch(older.body.error.message, /\n|"code"|MCP error/);
  });
}

test("tools/call without params is -32602", async () => {
  const body = { jsonrpc: "2.0", id: 3, method: "tools/call" };
  const answer = await request(`${service.publicUrl}/mcp`, { token, body });
  assert.equal(answer.body.error.code, -32602);
});
