import assert from "node:assert/strict";
import { test } from "node:test";
import { Counter, Histogram } from "prom-client";
import { PublicError } from "../../../src/contract/errors.ts";
import { assertProblem } from "../../support/assert-problem.ts";
import { aRouter } from "../../support/fake-router.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aRateLimiter } from "../../support/rate-limiter.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aService } from "../../support/service.ts";
import { storedEntries } from "../../support/stored-entries.ts";

const RATE_LIMITED = { status: 429, code: "RATE_LIMITED" } as const;
const REFUSED = { status: 401, code: "AUTHENTICATION_REQUIRED" } as const;
const HIDDEN = { status: 503, code: "UPSTREAM_UNAVAILABLE" } as const;
const PAIR = { points: 2, seconds: 60 };

test("authenticates first; an unauthenticated call charges no operation tier", async (t) => {
  const { api, token } = await aService(t, { limiter: aRateLimiter({ quote_authoritative: PAIR }) });
  for (let call = 0; call < 5; call += 1) assertProblem(await api("/quotes", { body: { passengers: 0 } }), REFUSED);
  const bearer = await token();
  for (let call = 0; call < 2; call += 1)
    assert.equal((await api("/quotes", { token: bearer, body: aQuoteRequest() })).status, 201);
  assertProblem(await api("/quotes", { token: bearer, body: aQuoteRequest() }), RATE_LIMITED);
});

test("charges the rate limit before it validates arguments", async (t) => {
  const { api, token, dataDir } = await aService(t, { limiter: aRateLimiter({ quote_authoritative: PAIR }) });
  const bearer = await token();
  for (let call = 0; call < 2; call += 1) {
    assertProblem(await api("/quotes", { token: bearer, body: {} }), { status: 422, code: "INVALID_REQUEST" });
  }
  const refused = await api("/quotes", { token: bearer, body: {} });
  assertProblem(refused, { ...RATE_LIMITED, fields: [] });
  const seconds = refused.body.retry_after_seconds;
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 61, `${seconds}`);
  assert.equal((await api("/quotes/q_1", { token: bearer })).status, 404, "another tier is not touched");
  assertProblem(await api("/quotes", { token: bearer, body: aQuoteRequest() }), RATE_LIMITED);
  assert.deepEqual(storedEntries(dataDir), []);
});

for (const [tier, path] of [
  ["routing", "/routes/zurich-airport-to-zermatt"],
  ["discovery", "/vehicle-classes"],
] as const)
  test(`charges the tier ${tier} to the subject of a valid token, otherwise to the address`, async (t) => {
    const { api, token } = await aService(t, { limiter: aRateLimiter({ [tier]: PAIR, auth_failure: PAIR }) });
    const ask = async (bearer?: string) => (await api(path, { token: bearer })).status;
    const [first, second] = [await token({ subject: "a", scopes: [] }), await token({ subject: "b" })];
    assert.deepEqual([await ask(first), await ask(first), await ask(first)], [200, 200, 429]);
    assert.equal(await ask(second), 200, "another subject");
    assert.deepEqual([await ask(), await ask("forged"), await ask()], [200, 200, 429]);
    assert.equal(await ask("another-forged"), 429, "a bad token counts for the address");
    assert.equal(await ask(second), 200);
  });

test("rejected tokens exceed auth_failure of their address alone; a valid token still works", async (t) => {
  const { api, token } = await aService(t, { hasBudgets: true, env: { TRANSFER_TRUST_PROXY: "loopback" } });
  const call = (address: string, bearer?: string) =>
    api("/quotes/q_1", { token: bearer, headers: { "X-Forwarded-For": address } });
  const rejected = ["forged", `${(await token()).slice(0, -8)}AAAAAAAA`];
  for (let n = 0; n < 10; n += 1) assertProblem(await call("203.0.113.1", rejected[n % 2]), REFUSED);
  for (const bearer of rejected) {
    const answer = await call("203.0.113.1", bearer);
    assertProblem(answer, RATE_LIMITED);
    assert.ok(answer.body.retry_after_seconds <= 301 && answer.body.retry_after_seconds > 60);
  }
  assertProblem(await call("203.0.113.1"), REFUSED);
  assertProblem(await call("203.0.113.2", "forged"), REFUSED);
  assertProblem(await call("203.0.113.1", await token()), { status: 404, code: "QUOTE_NOT_FOUND" });
});

test("missing credentials, and genuine tokens that expired or lack the scope, are 401 and never charge auth_failure", async (t) => {
  const { api, token, publicUrl, clock } = await aService(t, { limiter: aRateLimiter({ auth_failure: PAIR }) });
  const genuine = [await token({ scopes: [] }), await token({ lifetimeSeconds: 60 })];
  clock.advance(120_000);
  const tokens = genuine.map((bearer) => `Bearer ${bearer}`);
  for (const Authorization of ["", "Bearer", "Bearer ", "Basic ZGVtbzp4", ...tokens])
    for (let n = 0; n < 3; n += 1) {
      assertProblem(await api("/quotes/q_1", { headers: { Authorization } }), REFUSED);
      const overMcp = await fetch(`${publicUrl}/mcp`, { method: "POST", headers: { Authorization } });
      assert.equal(overMcp.status, 401);
    }
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await api("/quotes/q_1", { token: "forged" })).status);
  assert.deepEqual(statuses, [401, 401, 429]);
});

const FAULT = new TypeError("cannot read 'hunter2' of undefined");
const CAUSE = new Error("ECONNREFUSED 10.0.0.7:5000");
for (const [what, thrown, logged] of [
  ["an unexpected error", FAULT, FAULT],
  ["the cause of a public error", new PublicError("UPSTREAM_UNAVAILABLE", "It is down.", { cause: CAUSE }), CAUSE],
] as const) {
  test(`logs ${what} under the request id, hides it from the response, and logs no ordinary rejection`, async (t) => {
    const { log, records } = aRecordingLog();
    const { api, token, dataDir } = await aService(t, { log, router: aRouter(async () => Promise.reject(thrown)) });
    const answer = await api("/quotes", { token: await token(), body: aQuoteRequest() });
    assertProblem(answer, HIDDEN);
    assert.doesNotMatch(answer.text.replace(/"instance".*/, ""), /hunter2|10\.0\.0\.7|TypeError|\.ts|at /);
    for (const [path, body] of Object.entries({ "/quote-intents": {}, "/quotes": aQuoteRequest(), "/nothing": {} }))
      assert.ok((await api(path, { body })).status < 500);
    const [record, ...others] = records.filter(({ facts }) => facts.err !== undefined);
    assert.deepEqual(others, []);
    const { request_id, operation, err } = record?.facts ?? {};
    assert.deepEqual([record?.level, request_id, operation], ["warn", answer.body.request_id, "create_transfer_quote"]);
    assert.equal(err, logged);
    assert.deepEqual(storedEntries(dataDir), []);
  });
}

test("hides and does not store a price that is not a number", async (t) => {
  const { log, records } = aRecordingLog();
  const { api, token, dataDir } = await aService(t, { log, router: aRouter({ distanceKm: Number.NaN }) });
  const headers = { "Idempotency-Key": "k" };
  const answer = await api("/quotes", { token: await token(), body: aQuoteRequest(), headers });
  assertProblem(answer, { ...HIDDEN, fields: [] });
  assert.equal(answer.text.includes("total_price"), false);
  assertProblem(await api("/quote-intents", { body: aQuoteRequest() }), { ...HIDDEN, fields: [] });
  assert.equal(records.filter(({ facts }) => facts.err !== undefined).length, 2);
  assert.deepEqual(storedEntries(dataDir), []);
});

test("a metric or log line that fails after a quote is stored does not turn it into an error", async (t) => {
  const { log, records } = aRecordingLog();
  let failures = 0;
  let isFailing = false;
  const failing = () => {
    if (!isFailing) return;
    failures += 1;
    throw new Error("it fails");
  };
  t.mock.method(Counter.prototype as Fields, "incWithoutExemplar", failing);
  t.mock.method(Histogram.prototype as Fields, "observeWithoutExemplar", failing);
  const { api, token, dataDir } = await aService(t, { log: { ...log, calls: { info: failing, warn: failing } } });
  const bearer = await token();
  isFailing = true;
  const quoted = await api("/quotes", { token: bearer, body: aQuoteRequest() });
  assert.equal(quoted.status, 201, quoted.text);
  assert.equal(storedEntries(dataDir).length, 1);
  const terms = { quote_id: quoted.body.quote_id, fleet_id: 1, traveler_approval: true };
  assert.equal((await api("/checkout-sessions", { token: bearer, body: terms })).status, 200);
  assertProblem(await api("/quotes", { token: bearer, body: {} }), { status: 422, code: "INVALID_REQUEST" });
  assert.ok(failures > 9, `${failures}`);
  assert.match(records.map(({ message }) => message).join(), /could not be counted or logged/);
});
