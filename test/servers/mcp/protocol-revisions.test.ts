import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { test } from "node:test";
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { packageVersion } from "../../../src/ops/package-root.ts";
import { toolList } from "../../../src/servers/mcp/mcp-tools.ts";
import { CAPABILITIES, instructions } from "../../../src/servers/mcp/server-info.ts";
import { tools } from "../../../tools/tools.ts";
import { aRouter } from "../../support/fake-router.ts";
import { aQuoteRequest, asCreated } from "../../support/journey-fixture.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aNewerRequest, ENVELOPE, NEWER, newerOverHttp, postsTo } from "../../support/mcp-messages.ts";
import { aService } from "../../support/service.ts";
import { mcp, service, token } from "../../support/shared-service.ts";

const post = postsTo(service.publicUrl, token);
const newer = newerOverHttp(service.publicUrl, token);
const call = (name: string, args: object) => aNewerRequest(1, "tools/call", { name, arguments: args });
const OLDER_LIST = { jsonrpc: "2.0", id: "list-1", method: "tools/list" };
const PING = { jsonrpc: "2.0", id: "p", method: "ping" };
/** For tests whose failure is an answer that never comes. */
const WAITS = { timeout: 30_000 };
const HOUR = 60 * 60 * 1000;
const listed = toolList(tools, { now: service.clock.now(), timeZone: "Europe/Zurich" });

test("the server describes itself with its operator, an icon, its reference, instructions and its capabilities", async () => {
  const { icons = [], websiteUrl, description, ...info } = mcp.client.getServerVersion() ?? {};
  const name = "example.transfer-quote/transfer-quote-mcp";
  assert.deepEqual(info, { name, title: "Example Transfers", version: packageVersion });
  assert.match(
    description ?? "",
    / Operator: Example Transfers \(https:\/\/transfers\.example, \+41 00 000 00 00, bookings@/,
  );
  assert.equal((await fetch(String(websiteUrl))).status, 200);
  const icon = await fetch(icons[0]?.src ?? "");
  assert.equal(icon.headers.get("content-type"), icons[0]?.mimeType);
  assert.match(await icon.text(), /^<svg [\s\S]*<\/svg>\n$/);
  const discovered = await newer(aNewerRequest("d", "server/discover"));
  assert.deepEqual([discovered.body.id, discovered.headers["cache-control"]], ["d", "no-store"]);
  const { _meta, ...result } = discovered.body.result;
  const same = { capabilities: mcp.client.getServerCapabilities(), instructions: mcp.client.getInstructions() };
  assert.deepEqual(same, { capabilities: CAPABILITIES, instructions });
  const caching = { resultType: "complete", ttlMs: HOUR, cacheScope: "public" };
  assert.deepEqual(result, { supportedVersions: [NEWER], ...same, ...caching });
  assert.equal(_meta["io.modelcontextprotocol/serverInfo"].name, name);
});

test("tools/list returns the same list in every revision, with caching hints in the newer one", async () => {
  assert.deepEqual(await mcp.client.listTools(), listed);
  const { tools, ttlMs, cacheScope } = (await newer(aNewerRequest(1, "tools/list"))).body.result;
  assert.deepEqual([tools, ttlMs, cacheScope], [listed.tools, HOUR, "public"]);
});

test("a call returns what the older revisions return, and its errors keep the request id", async () => {
  const created = await newer(call("create_transfer_quote", aQuoteRequest()));
  const { structuredContent, content, resultType } = created.body.result;
  assert.equal(resultType, "complete");
  assert.deepEqual(JSON.parse(content[0].text), structuredContent);
  const { quote_id } = structuredContent;
  const read = await service.api(`/quotes/${quote_id}`, { token });
  assert.deepEqual(structuredContent, asCreated(read.body));

  const missing = await newer(call("get_transfer_quote", { quote_id: "q_unknown" }));
  assert.equal(missing.status, 200);
  assert.equal(missing.body.result.isError, true);
  const problem = JSON.parse(missing.body.result.content[1].text);
  assert.equal(problem.code, "QUOTE_NOT_FOUND");
  assert.equal(problem.request_id, missing.headers["x-request-id"]);
});

test("accepts the revision repeated and a Base64 name", async () => {
  const encoded = `=?base64?${Buffer.from("get_policy").toString("base64")}?=`;
  const headers = { "MCP-Protocol-Version": `${NEWER}, ${NEWER}`, "Mcp-Name": encoded };
  const answer = await newer(call("get_policy", { policy_key: "cancellation" }), headers);
  assert.equal(answer.body.result.structuredContent.policy_key, "cancellation");
});

// A hosted connector of a large client negotiates the newer revision by `server/discover` and keeps the header of an
// older one on every request. It is public knowledge that it does, not whether it sends the two headers that only the
// newer revision has.
for (const how of ["with", "without"])
  test(`serves a connector whose header names an older revision than its metadata, ${how} the newer headers`, async () => {
    for (const [method, params, found] of [
      ["server/discover", {}, ({ supportedVersions }: Fields) => supportedVersions.includes(NEWER)],
      ["tools/list", {}, (result: Fields) => result.tools.length === tools.length],
      ["resources/read", { uri: "ui://transfer-quote/card" }, ({ contents }: Fields) => contents.length === 1],
      ["tools/call", { name: "create_transfer_quote", arguments: aQuoteRequest() }, ({ isError }: Fields) => !isError],
    ] as const) {
      const { name, uri = name } = params as Readonly<Record<string, string>>;
      const own = how === "with" ? { "Mcp-Method": method, "Mcp-Name": uri } : {};
      const { body, text } = await post(aNewerRequest(1, method, params), {
        "MCP-Protocol-Version": "2025-11-25",
        ...own,
      });
      // Only the newer revision has it.
      assert.equal(body.result?.resultType, "complete", text);
      assert.ok(found(body.result), text);
    }
  });

test("a subscription is acknowledged and ends, as nothing changes while the server runs", async () => {
  const answer = await newer(aNewerRequest(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
  assert.equal(answer.headers["content-type"], "text/event-stream");
  assert.match(answer.text, /notifications\/subscriptions\/acknowledged/);
});

for (const revision of ["2025-11-25", NEWER]) {
  const make = (args: object) => {
    const params = { name: "create_transfer_quote", arguments: args };
    return revision === NEWER
      ? aNewerRequest(1, "tools/call", params)
      : { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  };
  const own = { "MCP-Protocol-Version": revision, "Mcp-Method": "tools/call", "Mcp-Name": "create_transfer_quote" };

  test(`keeps 20 concurrent calls of two subjects apart (${revision})`, async () => {
    const tokens = await Promise.all(["one", "two"].map((subject) => service.token({ subject })));
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const args = aQuoteRequest({ passengers: 1 + (n % 7) });
        const { body } = await postsTo(service.publicUrl, tokens[n % 2] ?? "")(make(args), own);
        const { quote_id, passengers } = body.result.structuredContent;
        assert.equal(passengers, args.passengers);
        return { quote_id, owner: n % 2 };
      }),
    );
    assert.equal(new Set(answers.map(({ quote_id }) => quote_id)).size, 20);
    for (const { quote_id, owner } of answers)
      for (const [n, token] of tokens.entries())
        assert.equal((await service.api(`/quotes/${quote_id}`, { token })).status, n === owner ? 200 : 404);
  });

  test(`a client that disconnects cancels its call (${revision})`, WAITS, async (t) => {
    const calls = new EventEmitter<{ measure: [AbortSignal] }>();
    const router = aRouter(async (_stops, _departure, signal) => {
      calls.emit("measure", signal);
      await abortOf(signal);
      throw signal.reason;
    });
    const { publicUrl, token } = await aService(t, { router });
    const headers = {
      ...{ Authorization: `Bearer ${await token()}`, "Content-Type": "application/json", Accept: "application/json" },
      ...own,
    };
    const body = JSON.stringify(make(aQuoteRequest()));
    const leaving = new AbortController();
    const measuring = once(calls, "measure");
    const answer = fetch(`${publicUrl}/mcp`, { method: "POST", headers, body, signal: leaving.signal });
    const [signal] = await measuring;
    assert.equal(signal.aborted, false);
    leaving.abort();
    await assert.rejects(answer, { name: "AbortError" });
    await abortOf(signal);
  });
}

async function abortOf(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

test("answers a batch of up to 100 messages in order, without its notifications", WAITS, async () => {
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: OLDER_LIST.id } };
  const { status, body } = await post([PING, notification, OLDER_LIST, cancel], {
    "MCP-Protocol-Version": "2025-03-26",
  });
  assert.equal(status, 200);
  const ids = body.map(({ id }: Fields) => id);
  assert.deepEqual(ids, [PING.id, OLDER_LIST.id]);
  assert.deepEqual((await post([PING])).body, [{ jsonrpc: "2.0", id: PING.id, result: {} }]);
  assert.equal((await post([notification])).status, 202);
  const many = Array.from({ length: 100 }, (_, id) => ({ ...PING, id }));
  assert.equal((await post(many)).body.length, 100);
});

// biome-ignore format: a table reads by its columns
const SERVED: Readonly<Record<string, [object, Record<string, string>]>> = {
  "a header newer than the body": [OLDER_LIST, { "MCP-Protocol-Version": NEWER }],
  "a header newer than the body, twice": [OLDER_LIST, { "MCP-Protocol-Version": `${NEWER}, ${NEWER}` }],
  "a newer header beside other metadata": [{...OLDER_LIST, params: { _meta: { progressToken: 1 } } }, { "MCP-Protocol-Version": NEWER }],
  "the header repeated": [OLDER_LIST, { "MCP-Protocol-Version": "2025-11-25, 2025-11-25" }],
  "the header with two revisions": [OLDER_LIST, { "MCP-Protocol-Version": `2025-11-25,${NEWER}` }],
  "metadata that names an older revision": [{...OLDER_LIST, params: { _meta: {...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2025-11-25" } } }, {}],
  "an empty cursor": [{...OLDER_LIST, params: { cursor: "" } }, {}],
};

for (const [name, [body, headers]] of Object.entries(SERVED)) {
  test(`${name}: served as revision 2025-11-25`, async () => {
    const { status, body: answer } = await post(body, headers);
    assert.equal(status, 200);
    assert.equal(answer.id, OLDER_LIST.id);
    assert.equal(answer.result.tools.length, tools.length);
    assert.deepEqual(Object.keys(answer.result), ["tools"]);
  });
}

test("serves each older revision in the header, and agrees on it at initialize, else on the newest of them", async () => {
  for (const version of SUPPORTED_PROTOCOL_VERSIONS) {
    assert.equal((await post(OLDER_LIST, { "MCP-Protocol-Version": version })).status, 200, version);
    assert.equal(await agreed(version), version);
  }
  assert.equal(await agreed("1999-01-01"), LATEST_PROTOCOL_VERSION);
  assert.equal(await agreed(LATEST_PROTOCOL_VERSION, { "MCP-Protocol-Version": NEWER }), LATEST_PROTOCOL_VERSION);
});

async function agreed(protocolVersion: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  const { status, body } = await post({ jsonrpc: "2.0", id: 0, method: "initialize", params }, headers);
  assert.equal(status, 200);
  return body.result.protocolVersion;
}
