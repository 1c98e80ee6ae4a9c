import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { tools } from "../../tools/tools.ts";
import { runBuilt } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aNewerRequest, ENVELOPE, NEWER } from "../support/newer-request.ts";

/** A process that does not answer or end is a failure, not a wait. */
const WAITS = { timeout: 60_000 };

const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
const INITIALIZE = { jsonrpc: "2.0", id: 1, method: "initialize", params };
const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };

async function stdio(t: TestContext, input: readonly unknown[]) {
  const text = input.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const { code, stdout } = await runBuilt(t, [], {}, text);
  assert.equal(code, 0);
  const answers: Fields[] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { answers, of: (id: string | number | null) => answers.find((answer) => answer.id === id) };
}

test("serves 2026-07-28 after a first message of that revision", WAITS, async (t) => {
  const call = aNewerRequest(3, "tools/call", { name: "create_transfer_quote", arguments: aRealJourney() });
  const discover = aNewerRequest("d", "server/discover");
  const { of, answers } = await stdio(t, [discover, aNewerRequest(2, "tools/list"), call, INITIALIZE]);
  assert.equal(answers.length, 4);
  assert.deepEqual(of("d").result.supportedVersions, [NEWER]);
  assert.equal(of(2).result.tools.length, tools.length);
  assert.equal(of(2).result.cacheScope, "public");
  assert.equal(of(3).result.structuredContent.status, "open");
  assert.equal(of(1).error.code, -32022);
});

test("serves 2025-11-25 after a first message of that revision", WAITS, async (t) => {
  const { of } = await stdio(t, [INITIALIZE, aNewerRequest(2, "tools/list"), aNewerRequest(3, "server/discover")]);
  assert.equal(of(1).result.protocolVersion, "2025-11-25");
  assert.deepEqual(Object.keys(of(2).result), ["tools"]);
  assert.equal(of(3).error.code, -32601);
});

test("a client that probes for an unknown revision falls back to initialize", WAITS, async (t) => {
  const _meta = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  const probe = { jsonrpc: "2.0", id: 0, method: "server/discover", params: { _meta } };
  const { of } = await stdio(t, [probe, INITIALIZE, LIST]);
  assert.deepEqual(of(0).error.data.supported, [NEWER]);
  assert.equal(of(2).result.tools.length, tools.length);
});

test("reads on after a line that is not JSON or not JSON-RPC", WAITS, async (t) => {
  // Line separators of Unicode belong to a line.
  const spread = { ...LIST, params: { _meta: { note: "a\u2028b" } } };
  const { answers } = await stdio(t, ["nonsense", "", '{"id":5,"method":"ping"}', "[]", spread]);
  assert.deepEqual(
    answers.map(({ id, result }) => [id, result.tools.length]),
    [[LIST.id, tools.length]],
  );
});

test("does not answer a canceled call of 2026-07-28, but the next one", WAITS, async (t) => {
  const call = aNewerRequest(1, "tools/call", { name: "create_transfer_quote", arguments: aRealJourney() });
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, _meta: ENVELOPE } };
  const { answers } = await stdio(t, [call, cancel, aNewerRequest(2, "tools/list")]);
  assert.deepEqual(
    answers.map(({ id }) => id),
    [2],
  );
});

test("answers each of 20 concurrent calls of 2026-07-28 with its own journey", WAITS, async (t) => {
  const calls = Array.from({ length: 20 }, (_, n) =>
    aNewerRequest(n, "tools/call", {
      name: "estimate_transfer_quote",
      arguments: aRealJourney({ passengers: 1 + (n % 7) }),
    }),
  );
  const { answers } = await stdio(t, calls);
  assert.equal(answers.length, 20);
  for (const { id, result } of answers) assert.equal(result.structuredContent.passengers, 1 + (id % 7));
});
