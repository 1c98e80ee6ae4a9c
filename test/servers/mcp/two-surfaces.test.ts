import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest, asCreated } from "../../support/journey-fixture.ts";
import { wholeFile } from "../../support/lifetime.ts";
import { anMcpClient } from "../../support/mcp-client.ts";
import { aRateLimiter } from "../../support/rate-limiter.ts";
import { type ApiOptions, aService } from "../../support/service.ts";

type Arguments = Readonly<Record<string, unknown>>;

const FEW = { points: 3, seconds: 60 };
const service = await aService(wholeFile, { limiter: aRateLimiter({ quote_authoritative: FEW, routing: FEW }) });

/** A caller who has spent nothing yet, on both surfaces. */
async function aCaller(subject: string) {
  const token = await service.token({ subject });
  const mcp = await anMcpClient(wholeFile, service.publicUrl, token);
  const rest = (path: string, options: ApiOptions = {}) => service.api(path, { token, ...options });
  return { ...mcp, rest };
}

test("discovery returns the same over REST and MCP", async () => {
  const { value, rest } = await aCaller("discovers");
  const pairs: [string, Arguments, string][] = [
    ["list_transfer_services", {}, "/services/transfers"],
    ["list_transfer_services", { origin: "ZRH" }, "/services/transfers?origin=ZRH"],
    ["get_transfer_route", { route_key: "zurich-airport-to-zermatt" }, "/routes/zurich-airport-to-zermatt"],
    ["get_transfer_route", { origin: "ZRH", destination: "Zermatt" }, "/routes?origin=ZRH&destination=Zermatt"],
    ["list_vehicle_classes", {}, "/vehicle-classes"],
    ["get_policy", { policy_key: "cancellation" }, "/policies/cancellation"],
    ["get_quote_requirements", {}, "/quote-requirements"],
  ];
  for (const [tool, args, path] of pairs) {
    const answer = await rest(path, { token: undefined });
    assert.equal(answer.status, 200, path);
    assert.deepEqual(await value(tool, args), answer.body, path);
  }
});

test("a quote made over REST is read and handed off over MCP, and the reverse", async () => {
  const { value, rest } = await aCaller("prices");
  const estimate = await rest("/quote-intents", { body: aQuoteRequest() });
  assert.deepEqual(withoutPlace(await value("estimate_transfer_quote", aQuoteRequest())), withoutPlace(estimate.body));

  const created = await rest("/quotes", { body: aQuoteRequest() });
  const { quote_id } = created.body;
  assert.deepEqual(asCreated(await value("get_transfer_quote", { quote_id })), created.body);
  const overMcp = await value("create_transfer_quote", aQuoteRequest());
  assert.deepEqual(asCreated((await rest(`/quotes/${overMcp.quote_id}`)).body), overMcp);

  const terms = { quote_id, fleet_id: created.body.options[0].fleet_id, traveler_approval: true };
  const handoff = await rest("/checkout-sessions", { body: terms });
  assert.equal((await value("create_checkout_handoff", terms)).checkout_url, handoff.body.checkout_url);
});

type Failure = readonly [code: string, tool: string, args: Arguments, call: string];

const quoting = (code: string, change: Arguments): Failure => {
  return [code, "create_transfer_quote", aQuoteRequest(change), "POST /quotes"];
};
/** One for each way in which a call names its arguments: in the path, in the query, and in the body. */
const FAILURES: readonly Failure[] = [
  ["UNSUPPORTED_ROUTE", "get_transfer_route", { route_key: "bern-to-nowhere" }, "GET /routes/bern-to-nowhere"],
  quoting("INVALID_REQUEST", { distance_km: 1, luggage: -1, waypoints: [{ name: "Bern", price: 1 }] }),
  quoting("LEAD_TIME_NOT_SUPPORTED", { pickup_datetime: "2026-12-01T10:30:00Z" }),
  ["INVALID_REQUEST", "get_transfer_route", { origin: "ZRH" }, "GET /routes?origin=ZRH"],
  ["QUOTE_NOT_FOUND", "get_transfer_quote", { quote_id: "q_unknown" }, "GET /quotes/q_unknown"],
];

for (const [index, [code, tool, args, call]] of FAILURES.entries()) {
  test(`${call} and ${tool} reject ${JSON.stringify(args).slice(0, 90)} with the same ${code}`, async () => {
    const { problem, rest } = await aCaller(`refused-${index}`);
    const [method = "", path = ""] = call.split(" ");
    const answer = await rest(path, method === "POST" ? { body: args } : {});
    assert.equal(answer.body.code, code);
    const overMcp = await problem(tool, args);
    assert.equal(answer.status, overMcp.status);
    assert.deepEqual(withoutPlace(overMcp), withoutPlace(answer.body));
    assert.equal(overMcp.instance, null);
    assert.match(overMcp.request_id, /^req_/);
  });
}

test("REST and MCP share one budget and report it exceeded alike", async () => {
  const { value, problem, rest } = await aCaller("spends");
  await value("create_transfer_quote", aQuoteRequest());
  assert.equal((await rest("/quotes", { body: aQuoteRequest() })).status, 201);
  await value("create_transfer_quote", aQuoteRequest());
  const answer = await rest("/quotes", { body: aQuoteRequest() });
  assert.equal(answer.status, 429);
  const overMcp = await problem("create_transfer_quote", aQuoteRequest());
  assert.equal(overMcp.code, "RATE_LIMITED");
  assert.ok(Number.isInteger(overMcp.retry_after_seconds) && overMcp.retry_after_seconds > 0);
  assert.equal((await (await aCaller("another")).value("create_transfer_quote", aQuoteRequest())).status, "open");
});

test("a key first used on one surface replays on the other, and is rejected there for another request", async () => {
  const { value, problem, rest } = await aCaller("repeats");
  const other = aQuoteRequest({ passengers: 3 });
  const [headers, key] = [{ "Idempotency-Key": "key-1" }, { idempotency_key: "key-1" }];
  const created = await rest("/quotes", { body: aQuoteRequest(), headers });
  assert.deepEqual(await value("create_transfer_quote", { ...aQuoteRequest(), ...key }), created.body);
  const { code, field_errors } = await problem("create_transfer_quote", { ...other, ...key });
  assert.deepEqual([code, field_errors[0].field], ["INVALID_REQUEST", "idempotency_key"]);

  const backwards = await aCaller("repeats-backwards");
  const first = await backwards.value("create_transfer_quote", { ...aQuoteRequest(), ...key });
  const again = await backwards.rest("/quotes", { body: aQuoteRequest(), headers });
  assert.deepEqual([again.headers.get("idempotent-replayed"), again.text], ["true", JSON.stringify(first)]);
  const { status, body } = await backwards.rest("/quotes", { body: other, headers });
  assert.deepEqual([status, body.field_errors[0].field], [422, "Idempotency-Key"]);
});

function withoutPlace({ instance: _instance, request_id: _id, ...rest }: Record<string, unknown>) {
  return rest;
}
