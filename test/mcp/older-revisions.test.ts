import assert from "node:assert/strict";
import { test } from "node:test";
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js";
import { tools } from "../../tools/tools.ts";
import { ENVELOPE, NEWER } from "../support/newer-request.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { send } from "../support/raw-http.ts";
import { aService } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const service = await aService(wholeFile, { limiter: aRateLimiter() });
const Authorization = `Bearer ${await service.token()}`;
const USUAL = { Authorization, "Content-Type": "application/json", Accept: "*/*" };
const LIST = { jsonrpc: "2.0", id: "list-1", method: "tools/list" };
const params = {
  protocolVersion: LATEST_PROTOCOL_VERSION,
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
};
const INITIALIZE = { jsonrpc: "2.0", id: 0, method: "initialize", params };

function post(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return send(`${service.publicUrl}/mcp`, "POST", { ...USUAL, ...headers }, JSON.stringify(body));
}

// biome-ignore format: a table reads by its columns
const SERVED: Readonly<Record<string, [object, Record<string, string>]>> = {
  "a header newer than the body": [LIST, { "MCP-Protocol-Version": NEWER }],
  "a header newer than the body, twice": [LIST, { "MCP-Protocol-Version": `${NEWER}, ${NEWER}` }],
  "a newer header beside other metadata": [{...LIST, params: { _meta: { progressToken: 1 } } }, { "MCP-Protocol-Version": NEWER }],
  "the header repeated": [LIST, { "MCP-Protocol-Version": "2025-11-25, 2025-11-25" }],
  "the header with two revisions": [LIST, { "MCP-Protocol-Version": `2025-11-25,${NEWER}` }],
  "an older header with newer metadata": [{...LIST, params: { _meta: ENVELOPE } }, { "MCP-Protocol-Version": "2025-11-25" }],
  "metadata that names an older revision": [{...LIST, params: { _meta: {...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2025-11-25" } } }, {}],
  "Accept with JSON alone": [LIST, { Accept: "application/json" }],
  "Accept with anything": [LIST, { Accept: "*/*" }],
};

for (const [name, [body, headers]] of Object.entries(SERVED)) {
  test(`${name}: served as revision 2025-11-25`, async () => {
    const { status, body: answer } = await post(body, headers);
    assert.equal(status, 200);
    assert.equal(answer.id, LIST.id);
    assert.equal(answer.result.tools.length, tools.length);
    assert.deepEqual(Object.keys(answer.result), ["tools"]);
  });
}

test("an initialize with a newer header agrees on 2025-11-25", async () => {
  const { status, body } = await post(INITIALIZE, { "MCP-Protocol-Version": NEWER });
  assert.equal(status, 200);
  assert.equal(body.result.protocolVersion, "2025-11-25");
});

for (const version of ["1999-01-01", "2025", "latest", "", "2025-11-25, latest", "2099-01-01"]) {
  test(`MCP-Protocol-Version "${version}" is rejected with all revisions and the id of the request`, async () => {
    const { status, body } = await post(LIST, { "MCP-Protocol-Version": version });
    assert.equal(status, 400);
    assert.match(body.error.message, /supported: 2026-07-28, 2025-11-25/);
    assert.equal(body.id, LIST.id);
  });
}

for (const [name, body, headers, status, id] of [
  ["an Accept without JSON", LIST, { Accept: "text/html" }, 406, LIST.id],
  ["a Content-Type other than JSON", LIST, { "Content-Type": "text/plain" }, 415, LIST.id],
  ["a message that is not JSON-RPC 2.0", { ...LIST, jsonrpc: "1.0" }, {}, 400, null],
  ["a numeric id", { ...INITIALIZE, id: 7, params: {} }, {}, 400, 7],
  ["an id that JSON-RPC does not have", { ...LIST, id: { nested: 1 } }, {}, 400, null],
] as const) {
  test(`the error of ${name} carries id ${id}`, async () => {
    const answer = await post(body, headers);
    assert.equal(answer.status, status);
    assert.equal(answer.body.id, id);
  });
}
