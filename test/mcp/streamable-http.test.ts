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

test("the tools lead a traveler from discovery to checkout", async () => {
  const { services } = await mcp.value("list_transfer_services");
  assert.ok(services.length >= 25);
  const route = await mcp.value("get_transfer_route", { origin: "ZRH", destination: "Zermatt" });
  assert.equal(route.route_key, "zurich-airport-to-zermatt");
  assert.deepEqual(await mcp.value("get_transfer_route", { route_key: route.route_key }), route);
  const { vehicle_classes } = await mcp.value("list_vehicle_classes");
  assert.ok(vehicle_classes.length >= 6);
  const policy = await mcp.value("get_policy", { policy_key: "cancellation" });
  assert.equal(policy.full_refund_cutoff_hours, 24);
  const { fields } = await mcp.value("get_quote_requirements");
  assert.ok(fields.some(({ name }: { name: string }) => name === "pickup_datetime"));

  const estimate = await mcp.value("estimate_transfer_quote", aQuoteRequest());
  assert.equal(estimate.quote_id, null);
  assert.equal(estimate.status, "estimate");
  const quote = await mcp.value("create_transfer_quote", aQuoteRequest());
  assert.equal(quote.status, "open");
  assert.deepEqual(quote.options, estimate.options);
  assert.deepEqual(await mcp.value("get_transfer_quote", { quote_id: quote.quote_id }), quote);

  const [option] = quote.options;
  const terms = { quote_id: quote.quote_id, fleet_id: option.fleet_id };
  const handoff = await mcp.value("create_checkout_handoff", { ...terms, traveler_approval: true });
  assert.equal(handoff.total_price, option.total_price);
  const link = new URL(handoff.checkout_url);
  assert.equal(link.origin + link.pathname, `${service.publicUrl}/checkout`);
  const resolved = await service.api(
    `/checkout-sessions/${quote.quote_id}?fleet_id=${option.fleet_id}&sig=${link.searchParams.get("sig")}`,
  );
  assert.equal(resolved.status, 200);
  assert.equal(resolved.body.total_price, option.total_price);
});

test("arguments are optional where a tool needs none", async () => {
  const result = await mcp.client.callTool({ name: "list_vehicle_classes" });
  assert.notEqual(result.isError, true);
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

test("a quote can be read by its caller only", async (t) => {
  const quote = await mcp.value("create_transfer_quote", aQuoteRequest());
  const other = await anMcpClient(t, service.publicUrl, await service.token({ subject: "another" }));
  const foreign = await other.problem("get_transfer_quote", { quote_id: quote.quote_id });
  const unknown = await other.problem("get_transfer_quote", { quote_id: "q_unknown" });
  assert.deepEqual({ ...foreign, request_id: "" }, { ...unknown, request_id: "" });
});

test("reports an expired quote", async () => {
  const quote = await mcp.value("create_transfer_quote", aQuoteRequest());
  const { quote_id } = quote;
  service.clock.advance(30 * 60_000);
  const [{ fleet_id }] = quote.options;
  const terms = { quote_id, fleet_id, traveler_approval: true };
  const late = await anMcpClient(wholeFile, service.publicUrl, await service.token());
  assert.equal((await late.problem("create_checkout_handoff", terms)).code, "QUOTE_EXPIRED");
  assert.deepEqual(await late.value("get_transfer_quote", { quote_id }), { ...quote, status: "expired" });
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
