import assert from "node:assert/strict";
import { test } from "node:test";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { BIN, cleanEnvironment, startBuiltServer } from "../support/built-process.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { anMcpClient, connected } from "../support/mcp-client.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { wholeFile } from "../support/whole-file.ts";

const WAITS = { timeout: 60_000 };
const server = await startBuiltServer(wholeFile);

async function estimate(body: string) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${server.publicUrl}/api/public/v1/quote-intents`, { method: "POST", headers, body });
  return { status: answer.status, problem: await answer.json() };
}

/** Lists within lists, as JSON: too deep for `JSON.stringify` to write. */
function nested(levels: number): string {
  return `${"[".repeat(levels)}${"]".repeat(levels)}`;
}

for (const [field, item] of [
  ["waypoints", {}],
  ["special_items", {}],
  ["waypoints", []],
] as const) {
  test(`refuses 10,000 ${field} (${JSON.stringify(item)}) by their number, over REST and MCP`, WAITS, async (t) => {
    const request = aQuoteRequest({ [field]: Array.from({ length: 10_000 }, () => item) });
    const { status, problem } = await estimate(JSON.stringify(request));
    const mcp = await (await anMcpClient(t, server.publicUrl, server.token)).problem(
      "estimate_transfer_quote",
      request,
    );
    assert.equal(status, 422);
    for (const { code, field_errors } of [problem, mcp]) {
      assert.equal(code, "INVALID_REQUEST");
      assert.deepEqual(
        field_errors.map((each: { field: string }) => each.field),
        [field],
      );
      assert.match(field_errors[0].message, /^Must be at most \d0 items long, not 10000\.$/);
    }
  });
}

for (const [name, member] of [
  ["a text", '"origin": NESTED'],
  ["a list", '"waypoints": NESTED'],
  ["an item", '"waypoints": [NESTED]'],
  ["a field of an item", '"waypoints": {"name": NESTED}'],
  ["JSON within text", '"waypoints": "NESTED"'],
  ["an unknown field", '"NESTED": NESTED'],
] as const) {
  test(`refuses lists nested 15,000 levels deep in ${name} as INVALID_REQUEST, over REST and MCP`, WAITS, async () => {
    const valid = JSON.stringify(aQuoteRequest()).slice(1, -1);
    const body = `{${valid}, ${member.replaceAll("NESTED", nested(15_000))}}`;
    const { status, problem } = await estimate(body);
    assert.deepEqual([status, problem.code], [422, "INVALID_REQUEST"], JSON.stringify(problem));
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"estimate_transfer_quote","arguments":${body}}}`;
    const answer = await fetch(`${server.publicUrl}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${server.token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: message,
    });
    const { result } = (await answer.json()) as { result: { isError: boolean; content: { text: string }[] } };
    assert.equal(result.isError, true);
    assert.match(result.content.map(({ text }) => text).join("\n"), /INVALID_REQUEST/);
  });
}

test("refuses lists nested 2,000 levels deep over stdio as INVALID_REQUEST", WAITS, async (t) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN],
    env: cleanEnvironment({ TRANSFER_DATA_DIR: aFolder(t) }),
    stderr: "ignore",
  });
  const { problem } = await connected(t, transport);
  const request = aQuoteRequest({ waypoints: JSON.parse(nested(2_000)) });
  assert.equal((await problem("estimate_transfer_quote", request)).code, "INVALID_REQUEST");
});

test("has logged no error and no stack", WAITS, async () => {
  server.child.kill("SIGTERM");
  await server.ended;
  assert.doesNotMatch(server.stderr(), /"err":|RangeError/);
});
