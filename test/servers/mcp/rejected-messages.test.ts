import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js";
import { wholeFile } from "../../support/lifetime.ts";
import { aNewerRequest, ENVELOPE, NEWER, newerOverHttp, postsTo } from "../../support/mcp-messages.ts";
import type { RawAnswer } from "../../support/raw-http.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aService, request } from "../../support/service.ts";

const { log, records } = aRecordingLog();
const service = await aService(wholeFile, { log });
const token = await service.token();
const post = postsTo(service.publicUrl, token);
const newer = newerOverHttp(service.publicUrl, token);
const PRIVATE = "Chalet-Edelweiss";

/** Surface, status and code of the lines about a request. */
const linesOf = (id: unknown) =>
  records.filter(({ facts }) => facts.request_id === id).map(({ facts }) => [facts.surface, facts.status, facts.code]);

const aRequest = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const aCall = (params: object) => aRequest("tools/call", params);
const aNewerCall = (params: Readonly<Record<string, unknown>>) => aNewerRequest(1, "tools/call", params);

const PING = aRequest("ping");
const POLICY = { name: "get_policy", arguments: { policy_key: "cancellation" } };
const A_TASK = { ...POLICY, task: { ttl: 60_000 } };
/** A batch of one message more than is allowed. */
const TOO_MANY = Array.from({ length: 101 }, (_, id) => ({ ...PING, id }));
const NO_JSON = ["{", "nonsense", `{"jsonrpc":"2.0","id":1,"method":"${PRIVATE}"`, "[1,]"];
// JSON-RPC 2.0, section 5.1: what is JSON is no parse error.
// biome-ignore format: several fit on a line
const NO_MESSAGE = [
  { [PRIVATE]: 1 }, "", '"text"', null, 7, { ...PING, jsonrpc: "1.0" }, { jsonrpc: "2.0", id: 1 }, { ...PING, id: null },
  { ...PING, id: { nested: 1 } }, { ...PING, method: 5 }, { ...PING, params: null },
  [], [{ ...PING, id: null }], [PING, 5], [[PING]], TOO_MANY,
];
const UNKNOWN_REVISIONS = ["1999-01-01", "2025", "latest", "", "2025-11-25, latest", "2099-01-01"];
const TYPES = ["text/plain", "application/x-www-form-urlencoded", undefined];
const WITHOUT_BATCHES = ["2025-06-18", "2025-11-25", NEWER];
const NOT_NEWER = ["initialize", "ping", "logging/setLevel", "prompts/list", "unknown/method"];
const LISTS = ["tools/list", "resources/list", "resources/templates/list"];

/** The message as JSON with an object 9,000 levels deep in place of "DEEP": JSON.stringify cannot write one. */
const deep = (message: object) =>
  JSON.stringify(message).replaceAll('"DEEP"', `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`);
const DEEP_CALL = aCall({ ...POLICY, arguments: "DEEP" });
const DEEP_CLIENT = {
  protocolVersion: LATEST_PROTOCOL_VERSION,
  clientInfo: { name: "deep", version: "1" },
  capabilities: { experimental: "DEEP" },
};
const deepNewer = (capability: string) => {
  const _meta = { ...ENVELOPE, "io.modelcontextprotocol/clientCapabilities": { [capability]: "DEEP" } };
  const headers = { "MCP-Protocol-Version": NEWER, "Mcp-Method": "tools/call", "Mcp-Name": "get_policy" };
  return post(deep(aCall({ ...POLICY, _meta })), headers);
};

type Rejected = readonly [name: string, status: number, code: number, id: number | null, () => Promise<RawAnswer>];

// biome-ignore format: a table reads by its columns
const REJECTED: readonly Rejected[] = [
  ...NO_JSON.map((body): Rejected => [`the body ${body}`, 400, -32700, null, () => post(body)]),
  ...NO_MESSAGE.map((body): Rejected => [`the body ${JSON.stringify(body).slice(0, 80)}`, 400, -32600, null, () => post(body)]),
  ["a body that is too large", 413, -32600, null, () => post("x".repeat(200_000))],
  ["deeply nested capabilities", 400, -32600, null, () => post(deep(aRequest("initialize", DEEP_CLIENT)))],
  ["deeply nested arguments", 400, -32600, null, () => post(deep(DEEP_CALL))],
  ["a batch of deeply nested arguments", 400, -32600, null, () => post(deep([DEEP_CALL]))],
  ...["experimental", "extensions", "elicitation"].map((name): Rejected =>
    [`deeply nested ${name} (${NEWER})`, 400, -32600, null, () => deepNewer(name)]),
  ...TYPES.map((type): Rejected => [`Content-Type ${type}`, 415, -32000, 1, () => post(PING, { "Content-Type": type })]),
  [`Content-Type text/plain (${NEWER})`, 415, -32000, 1, () => newer(aNewerCall(POLICY), { "Content-Type": "text/plain" })],
  ...["text/event-stream", "text/html"].map((type): Rejected => [`Accept ${type}`, 406, -32000, 1, () => post(PING, { Accept: type })]),
  [`Accept text/html (${NEWER})`, 406, -32000, 1, () => newer(aNewerCall(POLICY), { Accept: "text/html" })],
  ...UNKNOWN_REVISIONS.map((version): Rejected =>
    [`MCP-Protocol-Version "${version}"`, 400, -32000, 1, () => post(PING, { "MCP-Protocol-Version": version })]),
  ...WITHOUT_BATCHES.map((version): Rejected =>
    [`a batch in revision ${version}`, 400, -32600, null, () => post([PING, PING], { "MCP-Protocol-Version": version })]),
  ["a batch with an id twice", 400, -32600, null, () => post([PING, PING], { "MCP-Protocol-Version": "2025-03-26" })],
  ["an initialize without what that needs", 400, -32602, 1, () => post(aRequest("initialize", { protocolVersion: 5 }))],
  ["an unknown method", 200, -32601, 1, () => post(aRequest(`tools/${PRIVATE}`))],
  ["an unknown tool", 200, -32602, 1, () => post(aCall({ name: PRIVATE }))],
  ["arguments that are none", 200, -32602, 1, () => post(aCall({ name: "get_policy", arguments: PRIVATE }))],
  ["a task", 200, -32600, 1, () => post(aCall(A_TASK))],
  ...LISTS.map((method): Rejected =>
    [`${method} with a cursor, which no answer has had`, 200, -32602, 1, () => post(aRequest(method, { cursor: "2" }))]),

  ...LISTS.map((method): Rejected =>
    [`${method} with a cursor (${NEWER})`, 200, -32602, 1, () => newer(aNewerRequest(1, method, { cursor: "2" }))]),
  [`an address that is no text (${NEWER})`, 200, -32602, 1, () => newer(aNewerRequest(1, "resources/read", { uri: 5 }))],
  [`a task (${NEWER})`, 200, -32600, 1, () => newer(aNewerCall(A_TASK))],
  [`a name that is no text (${NEWER})`, 200, -32602, 1, () => newer(aNewerCall({ name: 5 }))],
  [`an unknown tool (${NEWER})`, 200, -32602, 1, () => newer(aNewerCall({ name: PRIVATE }))],
  ...NOT_NEWER.map((method): Rejected => [`${method} (${NEWER})`, 404, -32601, 1, () => newer(aNewerRequest(1, method))]),
  ["no MCP-Protocol-Version", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "MCP-Protocol-Version": undefined })],
  ["an unknown MCP-Protocol-Version", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "MCP-Protocol-Version": "2099-01-01" })],
  ["two older MCP-Protocol-Version", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "MCP-Protocol-Version": "2025-06-18, 2025-11-25" })],
  ["another Mcp-Method beside an older MCP-Protocol-Version", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "MCP-Protocol-Version": "2025-11-25", "Mcp-Method": "tools/list" })],
  ["another Mcp-Name beside an older MCP-Protocol-Version", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "MCP-Protocol-Version": "2025-11-25", "Mcp-Name": "get_quote_requirements" })],
  ["an older MCP-Protocol-Version beside the newer", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "MCP-Protocol-Version": `2025-11-25, ${NEWER}` })],
  ["no Mcp-Method", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "Mcp-Method": undefined })],
  ["another Mcp-Method", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "Mcp-Method": "tools/list" })],
  ["Mcp-Method in another case", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "Mcp-Method": "TOOLS/CALL" })],
  ["no Mcp-Name", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "Mcp-Name": undefined })],
  ["another Mcp-Name", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "Mcp-Name": "get_quote_requirements" })],
  ["an Mcp-Name that is not Base64", 400, -32020, 1, () => newer(aNewerCall(POLICY), { "Mcp-Name": "=?base64?!?=" })],
  // The older revisions do not have it.
  ["discovery without metadata", 400, -32602, 1, () => newer({ ...aRequest("server/discover"), params: {} } as never)],
];

/** What the log has where HTTP answered 200: the status of the error in the message. */
const LOGGED: Readonly<Record<number, number>> = { [-32601]: 404 };

suite("a message that is answered with a JSON-RPC error makes one line", () => {
  for (const [name, status, code, id, answered] of REJECTED) {
    test(`${name}: ${status}, ${code}, id ${id}`, async () => {
      const { headers, text, body, ...answer } = await answered();
      assert.deepEqual([answer.status, body.error?.code, body.id], [status, code, id], text);
      assert.doesNotMatch(text, / at |\.ts|\.js|node_modules/);
      const logged = status === 200 ? (LOGGED[code] ?? 400) : status;
      assert.deepEqual(linesOf(headers["x-request-id"]), [["mcp", logged, "INVALID_REQUEST"]]);
    });
  }

  test("for each request of a batch", async () => {
    const batch = [PING, { ...aCall({ name: PRIVATE }), id: 2 }, { ...aRequest("x"), id: 3 }];
    const { body, headers } = await post(batch, { "MCP-Protocol-Version": "2025-03-26" });
    assert.equal(body.length, 3);
    const lines = linesOf(headers["x-request-id"]);
    assert.deepEqual(
      lines.map(([, status]) => status),
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
    assert.match(text, /^transfer_rejected_requests_total\{surface="mcp",status="415",code="INVALID_REQUEST"\} 4$/m);
    assert.match(text, /^transfer_rejected_requests_total\{surface="mcp",status="406",code="INVALID_REQUEST"\} 3$/m);
  });
});

test("tools/call without a tool or with arguments that are none says in one sentence what is wrong", async () => {
  for (const [params, expected] of [
    [undefined, /^params\.name must be the name of a tool/],
    [{ name: ["get_policy"] }, /^params\.name must be the name of a tool/],
    [{ name: "get_policy", arguments: ["cancellation"] }, /^params\.arguments must be an object .* get_policy/],
    [{ name: "get_policy", arguments: null }, /omit it where there are none/],
    [{ name: "resolve_checkout_handoff" }, /^Unknown tool: resolve_checkout_handoff$/],
    [{ name: "__proto__" }, /^Unknown tool: __proto__$/],
  ] as const) {
    const { error } = (await post({ ...aCall({}), params })).body;
    assert.equal(error.code, -32602);
    assert.match(error.message, expected);
    assert.doesNotMatch(error.message, /\n|"code"|MCP error/);
  }
});

test("an unknown revision is answered with those that are served", async () => {
  const older = await post(PING, { "MCP-Protocol-Version": "2099-01-01" });
  assert.match(older.body.error.message, new RegExp(`supported: ${NEWER}, ${LATEST_PROTOCOL_VERSION}`));
  const _meta = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  const { status, body } = await post(aRequest("tools/list", { _meta }), { "MCP-Protocol-Version": "2099-01-01" });
  assert.deepEqual([status, body.error.code], [400, -32022]);
  assert.deepEqual(body.error.data, { supported: [NEWER], requested: "2099-01-01" });
});
