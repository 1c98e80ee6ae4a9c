import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { instructions } from "../../src/mcp/instructions.ts";
import { CAPABILITIES } from "../../src/mcp/server-info.ts";
import { packageRoot, packageVersion } from "../../src/ops/package-root.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { anMcpClient } from "../support/mcp-client.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { aService } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const service = await aService(wholeFile, {
  limiter: aRateLimiter(),
  env: { TRANSFER_BLOCKED_SUBJECTS: "blocked,banned" },
});
const token = await service.token();
const mcp = await anMcpClient(wholeFile, service.publicUrl, token);

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
  assert.match(await icon.text(), /^<svg .*<\/svg>$/);
  assert.deepEqual(mcp.client.getServerCapabilities(), CAPABILITIES);
  assert.equal(mcp.client.getInstructions(), instructions);
});

test("tools/list returns the snapshot at every call", async () => {
  const snapshot = JSON.parse(readFileSync(join(packageRoot, "test/mcp/tool-list.snapshot.json"), "utf8"));
  assert.deepEqual(await mcp.client.listTools(), snapshot);
  assert.deepEqual(await mcp.client.listTools(), snapshot);
});

test("an unknown tool is a protocol error, also where it is named like a prototype", async () => {
  for (const name of ["book_transfer", "resolve_checkout_handoff", "constructor", "__proto__", ""]) {
    await assert.rejects(mcp.client.callTool({ name, arguments: {} }), (error) => {
      assert.ok(error instanceof McpError);
      assert.equal(error.code, ErrorCode.InvalidParams);
      return true;
    });
  }
});

test("an unknown method is a protocol error", async () => {
  await assert.rejects(mcp.client.listPrompts(), { code: ErrorCode.MethodNotFound });
});

test("the problem of a tool error has the request id of the response header", async () => {
  const problem = await mcp.problem("get_transfer_quote", { quote_id: "q_unknown" });
  assert.equal(problem.code, "QUOTE_NOT_FOUND");
  assert.equal(problem.instance, null);
  assert.match(problem.request_id, /^req_/);
  assert.equal((await fetch(problem.type)).status, 200);
});

test("a token without the scope of a tool connects, and the tool answers AUTHENTICATION_REQUIRED", async (t) => {
  const narrow = await service.token({ subject: "narrow", scopes: ["discovery", "quote:read-own"] });
  const { value, problem } = await anMcpClient(t, service.publicUrl, narrow);
  await value("list_transfer_services");
  assert.equal((await problem("create_transfer_quote", aQuoteRequest())).code, "AUTHENTICATION_REQUIRED");
  const approved = { quote_id: "q_1", fleet_id: 1, traveler_approval: true };
  assert.equal((await problem("create_checkout_handoff", approved)).code, "AUTHENTICATION_REQUIRED");
});

test("the sentence of an error names every field, its candidates and what to do next", async () => {
  const sentenceOf = async (name: string, args: Record<string, unknown>) => {
    const { content } = await mcp.client.callTool({ name, arguments: args });
    return (content as { text: string }[])[0]?.text ?? "";
  };
  const flawed = await sentenceOf("create_transfer_quote", aQuoteRequest({ passengers: 0, luggage: -1 }));
  assert.match(flawed, /^INVALID_REQUEST: .*passengers: .*luggage: .* Next: /);
  const route = await sentenceOf("get_transfer_route", { route_key: "zurich-airport-to-zermat" });
  assert.match(route, /^UNSUPPORTED_ROUTE: .*route_key: .*"zurich-airport-to-zermatt"/);
});
