import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js";
import { instructions } from "../../src/mcp/instructions.ts";
import { CAPABILITIES } from "../../src/mcp/server-info.ts";
import { packageRoot, packageVersion } from "../../src/ops/package-root.ts";
import { tools } from "../../tools/tools.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aNewerRequest, ENVELOPE, NEWER, newerOverHttp } from "../support/newer-request.ts";
import { send } from "../support/raw-http.ts";
import { request } from "../support/service.ts";
import { mcp, service, token } from "../support/shared-service.ts";

const post = newerOverHttp(service.publicUrl, token);
const call = (name: string, args: object) => aNewerRequest(1, "tools/call", { name, arguments: args });
const HOUR = 60 * 60 * 1000;
const snapshot = JSON.parse(readFileSync(join(packageRoot, "test/mcp/tool-list.snapshot.json"), "utf8"));

test("the server describes itself with an icon, its reference, instructions and its capabilities", async () => {
  const { icons = [], websiteUrl, ...info } = mcp.client.getServerVersion() ?? {};
  assert.deepEqual(info, {
    name: "transfer-quote-mcp",
    title: "Transfer quotes Switzerland",
    version: packageVersion,
    description:
      "Binding prices of Example Transfers (https://transfers.example, +41 00 000 00 00, bookings@transfers.example) for passenger transfers in Switzerland and to its neighbors.",
  });
  assert.equal((await fetch(String(websiteUrl))).status, 200);
  const icon = await fetch(icons[0]?.src ?? "");
  assert.equal(icon.headers.get("content-type"), icons[0]?.mimeType);
  assert.match(await icon.text(), /^<svg [\s\S]*<\/svg>\n$/);
  assert.deepEqual(mcp.client.getServerCapabilities(), CAPABILITIES);
  assert.equal(mcp.client.getInstructions(), instructions);
});

test("tools/list returns the snapshot at every call", async () => {
  assert.deepEqual(await mcp.client.listTools(), snapshot);
  assert.deepEqual(await mcp.client.listTools(), snapshot);
});

test("server/discover returns revision, capabilities, instructions and how long they hold", async () => {
  const { status, body, headers } = await post(aNewerRequest("d", "server/discover"));
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "application/json; charset=utf-8");
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(body.id, "d");
  const { _meta, ...result } = body.result;
  assert.deepEqual(result, {
    supportedVersions: [NEWER],
    capabilities: CAPABILITIES,
    instructions,
    resultType: "complete",
    ttlMs: HOUR,
    cacheScope: "public",
  });
  assert.equal(_meta["io.modelcontextprotocol/serverInfo"].name, "transfer-quote-mcp");
});

test("tools/list returns the list of the older revisions with caching hints", async () => {
  const { body } = await post(aNewerRequest(1, "tools/list"));
  assert.deepEqual(body.result.tools, snapshot.tools);
  assert.equal(body.result.ttlMs, HOUR);
  assert.equal(body.result.cacheScope, "public");
});

test("a call returns what the older revisions return, and its errors keep the request id", async () => {
  const created = await post(call("create_transfer_quote", aQuoteRequest()));
  const { structuredContent, content, resultType } = created.body.result;
  assert.equal(resultType, "complete");
  assert.deepEqual(JSON.parse(content[0].text), structuredContent);
  const { quote_id } = structuredContent;
  const read = await service.api(`/quotes/${quote_id}`, { token });
  assert.deepEqual(structuredContent, read.body);

  const missing = await post(call("get_transfer_quote", { quote_id: "q_unknown" }));
  assert.equal(missing.status, 200);
  assert.equal(missing.body.result.isError, true);
  const problem = JSON.parse(missing.body.result.content[1].text);
  assert.equal(problem.code, "QUOTE_NOT_FOUND");
  assert.equal(problem.request_id, missing.headers["x-request-id"]);
});

test("decodes a Base64 name", async () => {
  const encoded = `=?base64?${Buffer.from("get_policy").toString("base64")}?=`;
  const answer = await post(call("get_policy", { policy_key: "cancellation" }), { "Mcp-Name": encoded });
  assert.equal(answer.body.result.structuredContent.policy_key, "cancellation");
});

test("accepts the header repeated", async () => {
  const answer = await post(aNewerRequest(1, "tools/list"), { "MCP-Protocol-Version": `${NEWER}, ${NEWER}` });
  assert.equal(answer.body.result.cacheScope, "public");
});

for (const [name, over] of [
  ["no MCP-Protocol-Version", { "MCP-Protocol-Version": undefined }],
  ["an older MCP-Protocol-Version", { "MCP-Protocol-Version": "2025-11-25" }],
  ["an older MCP-Protocol-Version beside the newer", { "MCP-Protocol-Version": `2025-11-25, ${NEWER}` }],
  ["no Mcp-Method", { "Mcp-Method": undefined }],
  ["another Mcp-Method", { "Mcp-Method": "tools/list" }],
  ["Mcp-Method in another case", { "Mcp-Method": "TOOLS/CALL" }],
  ["no Mcp-Name", { "Mcp-Name": undefined }],
  ["another Mcp-Name", { "Mcp-Name": "get_quote_requirements" }],
  ["an Mcp-Name that is not Base64", { "Mcp-Name": "=?base64?!?=" }],
] as const) {
  test(`${name} is -32020 with the id of the request`, async () => {
    const answer = await post(call("get_policy", { policy_key: "cancellation" }), over);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.code, -32020);
    assert.equal(answer.body.id, 1);
  });
}

test("answers an unknown revision with -32022 and the served one", async () => {
  const message = aNewerRequest(1, "tools/list");
  const _meta = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  const answer = await post({ ...message, params: { _meta } }, { "MCP-Protocol-Version": "2099-01-01" });
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.body.error.data, { supported: [NEWER], requested: "2099-01-01" });
});

test("discovery without metadata is -32602, as the older revisions do not have it", async () => {
  const { params: _params, ...bare } = aNewerRequest(1, "server/discover");
  const answer = await post({ ...bare, params: {} } as never);
  assert.equal(answer.status, 400);
  assert.equal(answer.body.error.code, -32602);
});

for (const method of ["initialize", "ping", "logging/setLevel", "prompts/list", "unknown/method"]) {
  test(`${method} is 404 and -32601`, async () => {
    const answer = await post(aNewerRequest(1, method));
    assert.equal(answer.status, 404);
    assert.equal(answer.body.error.code, -32601);
    assert.equal(answer.body.id, 1);
  });
}

test("a subscription is acknowledged and ends, as nothing changes while the server runs", async () => {
  const answer = await post(aNewerRequest(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
  assert.equal(answer.headers["content-type"], "text/event-stream");
  assert.match(answer.text, /notifications\/subscriptions\/acknowledged/);
});

test("checks Host, Origin, token, Accept and Content-Type as for the older revisions", async () => {
  const list = aNewerRequest(1, "tools/list");
  assert.equal((await post(list, { Host: "evil.example" })).status, 403);
  assert.equal((await post(list, { Origin: "https://evil.example" })).status, 403);
  assert.equal((await post(list, { Authorization: undefined })).status, 401);
  assert.equal((await post(list, { Accept: "text/html" })).status, 406);
  assert.equal((await post(list, { "Content-Type": "text/plain" })).status, 415);
});

for (const revision of ["2025-11-25", NEWER]) {
  test(`keeps 20 concurrent calls of two subjects apart (${revision})`, async () => {
    const tokens = await Promise.all(["one", "two"].map((subject) => service.token({ subject })));
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const bearer = tokens[n % 2] ?? "";
        const args = aQuoteRequest({ passengers: 1 + (n % 7) });
        const message = { ...call("create_transfer_quote", args), id: 1 };
        const older = { ...message, params: { name: "create_transfer_quote", arguments: args } };
        const answer =
          revision === NEWER
            ? await newerOverHttp(service.publicUrl, bearer)(message)
            : await request(`${service.publicUrl}/mcp`, { token: bearer, body: older });
        const { quote_id, passengers } = answer.body.result.structuredContent;
        assert.equal(passengers, args.passengers);
        return { quote_id, owner: n % 2 };
      }),
    );
    assert.equal(new Set(answers.map(({ quote_id }) => quote_id)).size, 20);
    for (const { quote_id, owner } of answers) {
      for (const [n, token] of tokens.entries())
        assert.equal((await service.api(`/quotes/${quote_id}`, { token })).status, n === owner ? 200 : 404);
    }
  });
}

const Authorization = `Bearer ${token}`;
const USUAL = { Authorization, "Content-Type": "application/json", Accept: "*/*" };
const OLDER_LIST = { jsonrpc: "2.0", id: "list-1", method: "tools/list" };
const params = {
  protocolVersion: LATEST_PROTOCOL_VERSION,
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
};
const INITIALIZE = { jsonrpc: "2.0", id: 0, method: "initialize", params };

function postOlder(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return send(`${service.publicUrl}/mcp`, "POST", { ...USUAL, ...headers }, JSON.stringify(body));
}

// biome-ignore format: a table reads by its columns
const SERVED: Readonly<Record<string, [object, Record<string, string>]>> = {
  "a header newer than the body": [OLDER_LIST, { "MCP-Protocol-Version": NEWER }],
  "a header newer than the body, twice": [OLDER_LIST, { "MCP-Protocol-Version": `${NEWER}, ${NEWER}` }],
  "a newer header beside other metadata": [{...OLDER_LIST, params: { _meta: { progressToken: 1 } } }, { "MCP-Protocol-Version": NEWER }],
  "the header repeated": [OLDER_LIST, { "MCP-Protocol-Version": "2025-11-25, 2025-11-25" }],
  "the header with two revisions": [OLDER_LIST, { "MCP-Protocol-Version": `2025-11-25,${NEWER}` }],
  "metadata that names an older revision": [{...OLDER_LIST, params: { _meta: {...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2025-11-25" } } }, {}],
  "Accept with JSON alone": [OLDER_LIST, { Accept: "application/json" }],
  "Accept with anything": [OLDER_LIST, { Accept: "*/*" }],
};

for (const [name, [body, headers]] of Object.entries(SERVED)) {
  test(`${name}: served as revision 2025-11-25`, async () => {
    const { status, body: answer } = await postOlder(body, headers);
    assert.equal(status, 200);
    assert.equal(answer.id, OLDER_LIST.id);
    assert.equal(answer.result.tools.length, tools.length);
    assert.deepEqual(Object.keys(answer.result), ["tools"]);
  });
}

test("an initialize with a newer header agrees on 2025-11-25", async () => {
  const { status, body } = await postOlder(INITIALIZE, { "MCP-Protocol-Version": NEWER });
  assert.equal(status, 200);
  assert.equal(body.result.protocolVersion, "2025-11-25");
});

for (const version of ["1999-01-01", "2025", "latest", "", "2025-11-25, latest", "2099-01-01"]) {
  test(`MCP-Protocol-Version "${version}" is rejected with all revisions and the id of the request`, async () => {
    const { status, body } = await postOlder(OLDER_LIST, { "MCP-Protocol-Version": version });
    assert.equal(status, 400);
    assert.match(body.error.message, /supported: 2026-07-28, 2025-11-25/);
    assert.equal(body.id, OLDER_LIST.id);
  });
}

for (const [name, body, headers, status, id] of [
  ["an Accept without JSON", OLDER_LIST, { Accept: "text/html" }, 406, OLDER_LIST.id],
  ["a Content-Type other than JSON", OLDER_LIST, { "Content-Type": "text/plain" }, 415, OLDER_LIST.id],
  ["a message that is not JSON-RPC 2.0", { ...OLDER_LIST, jsonrpc: "1.0" }, {}, 400, null],
  ["a numeric id", { ...INITIALIZE, id: 7, params: {} }, {}, 400, 7],
  ["an id that JSON-RPC does not have", { ...OLDER_LIST, id: { nested: 1 } }, {}, 400, null],
] as const) {
  test(`the error of ${name} carries id ${id}`, async () => {
    const answer = await postOlder(body, headers);
    assert.equal(answer.status, status);
    assert.equal(answer.body.id, id);
  });
}
