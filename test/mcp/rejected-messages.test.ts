import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { callLines, runBuilt } from "../support/built-process.ts";
import { aNewerRequest, newerOverHttp } from "../support/newer-request.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { send } from "../support/raw-http.ts";
import { aRecordingLog } from "../support/recording-log.ts";
import { aService, request } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const { log, records } = aRecordingLog();
const service = await aService(wholeFile, { log, limiter: aRateLimiter() });
const token = await service.token();
const HEADERS = { Authorization: `Bearer ${token}`, Accept: "application/json, text/event-stream" };
const JSON_TYPE = { "Content-Type": "application/json" };
const PRIVATE = "Chalet-Edelweiss";

/** Status and code of the lines about a request. */
const linesOf = (id: unknown) =>
  records.filter(({ facts }) => facts.request_id === id).map(({ facts }) => [facts.surface, facts.status, facts.code]);

function post(message: unknown, headers: Readonly<Record<string, string>> = {}) {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  return send(`${service.publicUrl}/mcp`, "POST", { ...HEADERS, ...JSON_TYPE, ...headers }, text);
}

const A_TASK = { name: "get_policy", arguments: { policy_key: "cancellation" }, task: { ttl: 60_000 } };

const aRequest = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const newer = newerOverHttp(service.publicUrl, token);

suite("a message that is answered with a JSON-RPC error makes one line", () => {
  // biome-ignore format: a table reads by its columns
  for (const [name, status, answered] of [
    ["of an unknown tool", 400, () => post(aRequest("tools/call", { name: PRIVATE }))],
    ["of an unknown method", 404, () => post(aRequest(`tools/${PRIVATE}`))],
    ["with arguments that are none", 400, () => post(aRequest("tools/call", { name: "get_policy", arguments: PRIVATE }))],
    ["to initialize without what that needs", 400, () => post(aRequest("initialize", { protocolVersion: 5 }))],
    ["that asks for a task", 400, () => post(aRequest("tools/call", A_TASK))],
    ["of the newer revision that asks for a task", 400, () => newer(aNewerRequest(1, "tools/call", A_TASK))],
    ["that is no JSON", 400, () => post(`{"${PRIVATE}`)],
    ["that is no message", 400, () => post({ [PRIVATE]: 1 })],
    ["of another type", 415, () => post("{}", { "Content-Type": "text/plain" })],
    ["whose answer cannot be accepted", 406, () => post(aRequest("ping"), { Accept: "text/html" })],
    ["that is too large", 413, () => post("x".repeat(200_000))],
    ["of an unknown revision", 400, () => post(aRequest("ping"), { "MCP-Protocol-Version": "1999-01-01" })],
    ["of the newer revision for an unknown tool", 400, () => newer(aNewerRequest(1, "tools/call", { name: PRIVATE }))],
    ["of the newer revision without its headers", 400, () => newer(aNewerRequest(1, "tools/list"), { "Mcp-Method": undefined })],
  ] as const) {
    test(name, async () => {
      const answer = await answered();
      assert.ok(answer.body.error, answer.text);
      assert.deepEqual(linesOf(answer.headers["x-request-id"]), [["mcp", status, "INVALID_REQUEST"]]);
    });
  }

  test("for each request of a batch", async () => {
    const batch = [
      aRequest("ping"),
      { ...aRequest("tools/call", { name: PRIVATE }), id: 2 },
      { ...aRequest("x"), id: 3 },
    ];
    const answer = await post(batch, { "MCP-Protocol-Version": "2025-03-26" });
    assert.equal(answer.body.length, 3);
    assert.deepEqual(
      linesOf(answer.headers["x-request-id"]).map(([, status]) => status),
      [400, 404],
    );
  });

  test("which is counted and quotes no caller; messages without a call make none", async () => {
    for (const method of ["tools/list", "ping"]) {
      const { headers } = await post(aRequest(method));
      assert.deepEqual(linesOf(headers["x-request-id"]), []);
    }
    assert.ok(!JSON.stringify(records).includes(PRIVATE));
    const { text } = await request(`${service.publicUrl}/metrics`);
    assert.match(text, /^transfer_rejected_requests_total\{surface="mcp",status="415",code="INVALID_REQUEST"\} 1$/m);
    assert.match(text, /^transfer_rejected_requests_total\{surface="mcp",status="404",code="INVALID_REQUEST"\} 2$/m);
  });
});

test("over stdio they make lines as well", { timeout: 60_000 }, async (t) => {
  const requests = [aRequest("tools/call", { name: PRIVATE }), aRequest(PRIVATE), aRequest("ping")];
  const lines = requests.map((each, id) => JSON.stringify({ ...each, id }));
  const input = ["no JSON", "{}", ...lines].map((line) => `${line}\n`).join("");
  const { stdout, stderr } = await runBuilt(t, ["stdio"], {}, input);
  assert.equal(stdout.trimEnd().split("\n").length, 3);
  const logged = callLines(stderr);
  assert.deepEqual(logged.map(({ surface, status }) => [surface, status]).sort(), [
    ["stdio", 400],
    ["stdio", 404],
  ]);
  assert.equal(new Set(logged.map(({ request_id }) => request_id)).size, 2);
  assert.ok(!stderr.includes(PRIVATE));
});

for (const [params, expected] of [
  [{ arguments: {} }, /^params\.name must be the name of a tool/],
  [{ name: 5 }, /^params\.name must be the name of a tool/],
  [{ name: ["get_policy"] }, /^params\.name must be the name of a tool/],
  [{ name: "get_policy", arguments: "cancellation" }, /^params\.arguments must be an object .* get_policy/],
  [{ name: "get_policy", arguments: ["cancellation"] }, /^params\.arguments must be an object/],
  [{ name: "get_policy", arguments: null }, /omit it where there are none/],
  ...["book_transfer", "resolve_checkout_handoff", "constructor", "__proto__", ""].map(
    (name) => [{ name }, new RegExp(`^Unknown tool: ${name}$`)] as const,
  ),
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

test("a list with a cursor, which no answer has had, is -32602 in both revisions", async () => {
  for (const method of ["tools/list", "resources/list", "resources/templates/list"]) {
    const answers = [
      await post(aRequest(method, { cursor: "2" })),
      await newer(aNewerRequest(1, method, { cursor: "2" })),
    ];
    for (const { body } of answers) assert.equal(body.error.code, -32602, method);
    assert.ok((await post(aRequest(method, { cursor: "" }))).body.result, method);
  }
});

test("tools/call without params is -32602", async () => {
  const body = { jsonrpc: "2.0", id: 3, method: "tools/call" };
  const answer = await request(`${service.publicUrl}/mcp`, { token, body });
  assert.equal(answer.body.error.code, -32602);
});
