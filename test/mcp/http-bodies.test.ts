import assert from "node:assert/strict";
import { test } from "node:test";
import { aRouter } from "../support/fake-router.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { anMcpClient } from "../support/mcp-client.ts";
import { aNewerRequest, NEWER } from "../support/newer-request.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { send } from "../support/raw-http.ts";
import { aService } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const limiter = aRateLimiter();
const stuck = aStuckRouter();
const service = await aService(wholeFile, { limiter, router: stuck.router });
const Authorization = `Bearer ${await service.token()}`;
const HEADERS = { Authorization, "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const PING = { jsonrpc: "2.0", id: "p", method: "ping" };
const QUOTE = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "create_transfer_quote", arguments: aQuoteRequest() },
};

function post(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return send(`${service.publicUrl}/mcp`, "POST", { ...HEADERS, ...headers }, text);
}

/** For tests whose failure is an answer that never comes. */
const WAITS = { timeout: 30_000 };

for (const text of ["{", "nonsense", '{"jsonrpc":"2.0","id":1,"method":"tools/list"', "[1,]"]) {
  test(`the body ${JSON.stringify(text)} is a parse error`, async () => {
    const answer = await post(text);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.code, -32700);
    assert.equal(answer.body.id, null);
    assert.doesNotMatch(answer.text, / at |\.ts|\.js|node_modules/);
  });
}

for (const message of [
  {},
  "",
  '"text"',
  null,
  7,
  { ...LIST, jsonrpc: "1.0" },
  { jsonrpc: "2.0", id: 1 },
  { ...LIST, id: null },
  { ...LIST, id: { nested: 1 } },
  { ...LIST, method: 5 },
  { ...LIST, params: null },
  [],
  [{ ...LIST, id: null }],
]) {
  test(`${JSON.stringify(message)} is not a JSON-RPC message`, async () => {
    const answer = await post(message);
    assert.equal(answer.status, 400);
    // JSON-RPC 2.0, section 5.1: what is JSON is no parse error.
    assert.equal(answer.body.error.code, -32600);
    assert.equal(answer.body.id, null);
  });
}

for (const revision of ["2025-06-18", "2025-11-25", "2026-07-28"]) {
  test(`refuses a batch in revision ${revision}, which has none`, async () => {
    const { status, body } = await post([LIST, PING], { "MCP-Protocol-Version": revision });
    assert.deepEqual([status, body.error.code, body.id], [400, -32600, null]);
  });
}

test("answers a batch in order, without its notifications", async () => {
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  const answer = await post([PING, notification, LIST], { "MCP-Protocol-Version": "2025-03-26" });
  assert.equal(answer.status, 200);
  assert.deepEqual(
    answer.body.map(({ id }: { id: unknown }) => id),
    ["p", 1],
  );
  assert.equal((await post([notification])).status, 202);
});

test("rejects batches that are too long or contain what is not a message", async () => {
  const many = Array.from({ length: 101 }, (_, id) => ({ ...PING, id }));
  assert.equal((await post(many.slice(0, 100))).body.length, 100);
  for (const batch of [many, [PING, 5], [[PING]]]) {
    assert.equal((await post(batch)).status, 400, JSON.stringify(batch).slice(0, 80));
  }
});

test("rejects a body of 3 MB and answers the next request", async () => {
  const response = await fetch(`${service.publicUrl}/mcp`, {
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify({ ...LIST, params: { _meta: { padding: "x".repeat(3_000_000) } } }),
  });
  assert.equal(response.status, 413);
  const { error } = (await response.json()) as { error: { code: number } };
  assert.equal(error.code, -32600);
  assert.equal((await post(LIST)).status, 200);
});

test("accepts large arguments and rejects those named like prototypes", async () => {
  const strange = '{"__proto__":{"policy_key":"cancellation"},"constructor":1}';
  const answer = await post(
    `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"get_policy","arguments":${strange}}}`,
  );
  const problem = JSON.parse(answer.body.result.content[1].text);
  assert.equal(problem.code, "INVALID_REQUEST");
  const just = { ...LIST, params: { _meta: { padding: "x".repeat(60_000) } } };
  assert.equal((await post(just)).status, 200);
});

for (const [revision, message, headers] of [
  ["2025-11-25", QUOTE, {}],
  [
    NEWER,
    aNewerRequest(2, "tools/call", QUOTE.params),
    { "MCP-Protocol-Version": NEWER, "Mcp-Method": "tools/call", "Mcp-Name": QUOTE.params.name },
  ],
] as const) {
  test(`a client that disconnects cancels its call (${revision})`, WAITS, async () => {
    const leaving = new AbortController();
    const measuring = stuck.nextMeasure();
    const answer = fetch(`${service.publicUrl}/mcp`, {
      method: "POST",
      headers: { ...HEADERS, ...headers },
      body: JSON.stringify(message),
      signal: leaving.signal,
    });
    const signal = await measuring;
    assert.equal(signal.aborted, false);
    leaving.abort();
    await assert.rejects(answer, { name: "AbortError" });
    await aborted(signal);
  });
}

test("a batch that cancels one of its own requests ends", WAITS, async () => {
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: LIST.id } };
  const answer = await post([LIST, PING, cancel]);
  assert.equal(answer.status, 200);
  assert.equal(answer.body.at(-1).id, "p");
});

test("a client continues after a restart of the server", async (t) => {
  const first = await aService(t, { limiter });
  const { value } = await anMcpClient(t, first.publicUrl, await first.token());
  const quote = await value("create_transfer_quote", aQuoteRequest());
  await first.close();
  const TRANSFER_HTTP_PORT = new URL(first.publicUrl).port;
  await aService(t, { limiter, env: { TRANSFER_HTTP_PORT, TRANSFER_DATA_DIR: first.dataDir } });
  assert.deepEqual(await value("get_transfer_quote", { quote_id: quote.quote_id }), quote);
});

/** A router that measures nothing until its caller has gone. */
function aStuckRouter() {
  let tell: (signal: AbortSignal) => void = () => {};
  return {
    router: aRouter(async (_stops, _departure, signal) => {
      tell(signal);
      await aborted(signal);
      throw signal.reason;
    }),
    /** The signal of the next call that reaches the router. */
    nextMeasure: () =>
      new Promise<AbortSignal>((resolve) => {
        tell = resolve;
      }),
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}
