import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { tools } from "../../tools/tools.ts";
import { cleanEnvironment, runBuilt, startBuilt } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { runCommand } from "../support/command-line.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder, until } from "../support/lifetime.ts";
import { anMcpHost, type Fields } from "../support/mcp-client.ts";
import { aNewerRequest, ENVELOPE, NEWER } from "../support/mcp-messages.ts";

/** Turns a process that does not answer or end into a failure. */
const WAITS = { timeout: 180_000 };

const REAL_JOURNEY = aRealJourney();

const call = (id: number | string, name: string, args: object = {}) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } },
});
const aNewerCall = (id: number, name: string, args: object) =>
  aNewerRequest(id, "tools/call", { name, arguments: args });
const PING = { jsonrpc: "2.0", id: 2, method: "ping" };
const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
const INITIALIZE = { jsonrpc: "2.0", id: 1, method: "initialize", params };
const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };

/** What the process answers to these lines, after which it ends with 0. */
async function stdio(t: TestContext, input: readonly unknown[]) {
  const text = input.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const { code, stdout } = await runBuilt(t, [], {}, text);
  assert.equal(code, 0);
  const lines = stdout.trimEnd().split("\n");
  const answers: Fields[] = lines.map((line) => JSON.parse(line));
  return { answers, of: (id: string | number | null) => answers.find((answer) => answer.id === id) };
}

test("the traveler's port serves links alone, also to a bearer of another issuer's token", WAITS, async (t) => {
  const { value } = await anMcpHost(t);
  const quote = await value("create_transfer_quote", REAL_JOURNEY);
  const [{ fleet_id, total_price }] = quote.options;
  const terms = { quote_id: quote.quote_id, fleet_id, traveler_approval: true };
  const { origin, search } = new URL((await value("create_checkout_handoff", terms)).checkout_url);
  const page = await fetch(`${origin}/checkout${search}`);
  assert.match(String(page.headers.get("content-type")), /^text\/html/);
  const resolve = `${origin}/api/public/v1/checkout-sessions/${quote.quote_id}${search}`;
  // The first token that this process has to verify.
  const resolved = await fetch(resolve, { headers: { Authorization: "Bearer of.another.issuer" } });
  assert.equal(((await resolved.json()) as Fields).total_price, total_price);
  assert.equal((await fetch(resolve.replace(/sig=[^&]+/, `sig=${"A".repeat(43)}`))).status, 404);
  for (const path of ["/api/public/v1/services/transfers", "/api/public/v1/quotes", "/mcp", "/dev-auth/oauth/token"])
    assert.equal((await fetch(origin + path)).status, 404, `the traveler's port serves ${path}`);
});

test("two hosts share a data folder, each with its own quotes", WAITS, async (t) => {
  const shared = { TRANSFER_DATA_DIR: aFolder(t) };
  const [first, second] = await Promise.all([anMcpHost(t, shared), anMcpHost(t, shared)]);
  const quotes = await Promise.all([first, second].map(({ value }) => value("create_transfer_quote", REAL_JOURNEY)));
  for (const [index, host] of [first, second].entries()) {
    const { quote_id } = quotes[index];
    assert.equal((await host.value("get_transfer_quote", { quote_id })).quote_id, quote_id);
  }
});

test("TRANSFER_ACCESS_TOKEN sets the caller and its scopes", WAITS, async (t) => {
  const TRANSFER_DATA_DIR = aFolder(t);
  const tokenFor = async (scope: string) =>
    (await runCommand(t, ["token", "--scope", scope], { TRANSFER_DATA_DIR })).stdout.trim();
  const [narrow, none] = await Promise.all([tokenFor("discovery quote:read-own"), tokenFor("quote:create")]);
  const reader = await anMcpHost(t, { TRANSFER_DATA_DIR, TRANSFER_ACCESS_TOKEN: narrow });
  await reader.value("list_transfer_services");
  assert.equal((await reader.problem("get_transfer_quote", { quote_id: "q_1" })).code, "QUOTE_NOT_FOUND");
  assert.equal((await reader.problem("create_transfer_quote", REAL_JOURNEY)).code, "AUTHENTICATION_REQUIRED");
  const otherCaller = await anMcpHost(t, { TRANSFER_DATA_DIR, TRANSFER_ACCESS_TOKEN: none });
  assert.equal((await otherCaller.problem("list_transfer_services")).code, "AUTHENTICATION_REQUIRED");
});

test(
  "answers each call that was sent before the end of input with its own journey, and exits with 0",
  WAITS,
  async (t) => {
    const estimate = (n: number) => call(n, "estimate_transfer_quote", aRealJourney({ passengers: 1 + (n % 7) }));
    const { answers, of } = await stdio(t, [...Array.from({ length: 20 }, (_, n) => estimate(n)), { ...PING, id: 20 }]);
    assert.equal(answers.length, 21);
    for (let n = 0; n < 20; n += 1) assert.equal(of(n).result.structuredContent.passengers, 1 + (n % 7));
  },
);

for (const [revision, canceled, _meta, next] of [
  ["2025-11-25", call(1, "create_transfer_quote", REAL_JOURNEY), undefined, PING],
  [NEWER, aNewerCall(1, "create_transfer_quote", REAL_JOURNEY), ENVELOPE, aNewerRequest(2, "tools/list")],
] as const) {
  test(`does not answer a canceled call and answers the next one (${revision})`, WAITS, async (t) => {
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, _meta } };
    const { answers } = await stdio(t, [canceled, cancel, next]);
    const ids = answers.map(({ id }) => id);
    assert.deepEqual(ids, [2]);
  });
}

test("the first message decides the revision, and an unknown one falls back to initialize", WAITS, async (t) => {
  const discover = aNewerRequest("d", "server/discover");
  const newer = await stdio(t, [discover, aNewerRequest(2, "tools/list"), INITIALIZE]);
  assert.deepEqual(newer.of("d").result.supportedVersions, [NEWER]);
  assert.equal(newer.of(2).result.cacheScope, "public");
  assert.equal(newer.of(1).error.code, -32022);

  const older = await stdio(t, [INITIALIZE, aNewerRequest(2, "tools/list"), aNewerRequest(3, "server/discover")]);
  assert.equal(older.of(1).result.protocolVersion, "2025-11-25");
  assert.deepEqual([Object.keys(older.of(2).result), older.of(3).error.code], [["tools"], -32601]);

  const _meta = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  const probe = { jsonrpc: "2.0", id: 0, method: "server/discover", params: { _meta } };
  const unknown = await stdio(t, [probe, INITIALIZE, LIST]);
  assert.deepEqual(unknown.of(0).error.data.supported, [NEWER]);
  assert.equal(unknown.of(2).result.tools.length, tools.length);
});

test("reads on after a line that is not JSON or not JSON-RPC", WAITS, async (t) => {
  // Line separators of Unicode belong to a line.
  const spread = { ...LIST, params: { _meta: { note: "a\u2028b" } } };
  const { answers } = await stdio(t, ["nonsense", "", '{"id":5,"method":"ping"}', "[]", spread]);
  const listed = answers.map(({ id, result }) => [id, result.tools.length]);
  assert.deepEqual(listed, [[LIST.id, tools.length]]);
});

const MIB = 1024 * 1024;
const aRequest = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

suite("a line over stdio", () => {
  const tooLarge = "Invalid request: the line is larger than 64 KiB";
  const tooDeep = "Invalid request: Lists and objects are nested more than 64 levels deep";
  const deep = `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`;
  const aDeepRequest = aRequest(1, "initialize", { capabilities: "DEEP" }).replace('"DEEP"', deep);
  test("that is too large or too deep is answered with an error, and the next one as usual", WAITS, async (t) => {
    const lines = [
      [`${"x".repeat(11 * MIB)}\n`, null, tooLarge],
      [aRequest(1, "tools/call", { padding: "x".repeat(65 * 1024) }), null, tooLarge],
      // A message that was read is answered under its id.
      [aDeepRequest, 1, tooDeep],
    ] as const;
    const input = lines.map(([line], n) => line + aRequest(2 + n, "ping")).join("");
    const { stdout, stderr, code } = await runBuilt(t, [], {}, input);
    assert.equal(code, 0);
    const answers = stdout.trimEnd().split("\n");
    const parsed = answers.map((each) => JSON.parse(each));
    assert.deepEqual(
      parsed.flatMap(({ id, error }) => (error ? [[id, error.code, error.message]] : [])),
      lines.map(([, id, refusal]) => [id, -32600, refusal]),
    );
    assert.deepEqual(
      parsed.flatMap(({ id, error }) => (error ? [] : [id])),
      [2, 3, 4],
    );
    assert.doesNotMatch(stderr, /the host has disconnected[\s\S]*"status":400/);
  });

  test("may come in pieces, and the last one without its end", WAITS, async (t) => {
    const { child, stdout, ended } = startBuilt(t, []);
    const text = aRequest(1, "ping", { text: "é".repeat(100) });
    const bytes = Buffer.from(text);
    // Within a character of two bytes.
    const middle = bytes.indexOf("é") + 1;
    child.stdin.write(bytes.subarray(0, middle));
    await sleep(50);
    child.stdin.write(bytes.subarray(middle));
    await until(() => stdout().includes('"id":1'), "the ping is answered");
    child.stdin.end('{"jsonrpc"');
    assert.equal((await ended).code, 0);
  });
});

const skip = process.platform === "linux" ? false : "reads /proc";

test("a host that does not read leaves memory bounded, and gets every answer once it reads", {
  ...WAITS,
  skip,
}, async (t) => {
  const requests = 6_000;
  const env = { TRANSFER_CATALOG_DIR: aCatalogWithBudgets(t), TRANSFER_DATA_DIR: aFolder(t) };
  const { child, ended } = startBuilt(t, [], cleanEnvironment(env));
  const memory = () =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
  child.stdin.write(aRequest(0, "tools/list"));
  await once(child.stdout, "data");
  child.stdout.pause();
  const before = memory();
  for (let id = 1; id <= requests; id += 1) child.stdin.write(aRequest(id, "tools/list"));
  let most = 0;
  for (let look = 0; look < 30; look += 1) {
    await sleep(100);
    most = Math.max(most, memory() - before);
  }
  // 6,000 answers have 140 MiB; those that were not made belong to requests that were not read.
  assert.ok(child.stdin.writableLength > 0, "every request was read");
  assert.ok(most < 64, `${Math.round(most)} MiB more`);
  let bytes = 0;
  child.stdout
    .removeAllListeners("data")
    .setEncoding("utf8")
    .on("data", (text: string) => {
      bytes += text.split("\n").length - 1;
    });
  child.stdout.resume();
  await until(() => bytes >= requests, `${requests} answers`, 150_000);
  child.stdin.end();
  assert.equal((await ended).code, 0);
});
