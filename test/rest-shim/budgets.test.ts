import assert from "node:assert/strict";
import { test } from "node:test";
import { assertPlainHeaders, assertProblem } from "../support/assert-problem.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { aService } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

const RATE_LIMITED = { status: 429, code: "RATE_LIMITED" } as const;

test("answers 429 over the rate limit with the same wait in header and body, and stores nothing", async (t) => {
  const { api, token, dataDir } = await aService(t);
  const bearer = await token();
  for (let call = 0; call < 10; call += 1) {
    const answer = await api("/quotes", { token: bearer, body: aQuoteRequest() });
    assert.equal(answer.status, 201);
    assertPlainHeaders(answer);
  }
  const refused = await api("/quotes", { token: bearer, body: aQuoteRequest() });
  assertProblem(refused, RATE_LIMITED);
  const seconds = refused.body.retry_after_seconds;
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `${seconds}`);
  assert.equal(refused.body.retryable, true);
  assert.equal(storedEntries(dataDir).length, 10);

  const other = await token({ subject: "agent-2" });
  assert.equal((await api("/quotes", { token: other, body: aQuoteRequest() })).status, 201);
  assert.notEqual((await api("/quotes/q_1", { token: bearer })).status, 429, "another tier is not touched");
});

test("ignores X-Forwarded-For unless a proxy is configured", async (t) => {
  const { api } = await aService(t, { limiter: aRateLimiter({ routing: { points: 2, seconds: 60 } }) });
  const statuses = [];
  for (const address of ["203.0.113.1", "203.0.113.2", "203.0.113.3"]) statuses.push(await statusFrom(api, address));
  assert.deepEqual(statuses, [404, 404, 429]);
});

test("counts callers behind a trusted proxy by address, over IPv6 by /64", async (t) => {
  const limiter = aRateLimiter({ routing: { points: 1, seconds: 60 } });
  const { api } = await aService(t, { limiter, env: { TRANSFER_TRUST_PROXY: "loopback" } });
  assert.deepEqual([await statusFrom(api, "203.0.113.1"), await statusFrom(api, "203.0.113.1")], [404, 429]);
  assert.equal(await statusFrom(api, "203.0.113.2"), 404);
  assert.equal(await statusFrom(api, "::ffff:203.0.113.2"), 429);
  assert.deepEqual(
    [await statusFrom(api, "2001:db8:1:2::1"), await statusFrom(api, "2001:db8:1:2:aaaa::9")],
    [404, 429],
  );
  assert.equal(await statusFrom(api, "2001:db8:1:3::1"), 404);
  assert.equal(await statusFrom(api, "198.51.100.9, 203.0.113.1"), 429, "only the hop that the proxy saw counts");
});

test("ignores X-Forwarded-For of a proxy that is not trusted", async (t) => {
  const limiter = aRateLimiter({ routing: { points: 1, seconds: 60 } });
  const { api } = await aService(t, { limiter, env: { TRANSFER_TRUST_PROXY: "10.0.0.0/8" } });
  assert.deepEqual([await statusFrom(api, "203.0.113.1"), await statusFrom(api, "203.0.113.2")], [404, 429]);
});

async function statusFrom(api: Awaited<ReturnType<typeof aService>>["api"], address: string): Promise<number> {
  return (await api("/routes/nowhere-to-nowhere", { headers: { "X-Forwarded-For": address } })).status;
}
