import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assertProblem } from "../support/assert-problem.ts";
import { aClock } from "../support/fake-clock.ts";
import { startIssuer } from "../support/issuer.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { wholeFile } from "../support/lifetime.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { aService } from "../support/service.ts";

for (const TRANSFER_TRUST_PROXY of ["", "10.0.0.0/8"])
  test(`ignores X-Forwarded-For where the trusted proxy is "${TRANSFER_TRUST_PROXY}"`, async (t) => {
    const limiter = aRateLimiter({ routing: { points: 1, seconds: 60 } });
    const { api } = await aService(t, { limiter, env: { TRANSFER_TRUST_PROXY } });
    assert.deepEqual([await statusFrom(api, "203.0.113.1"), await statusFrom(api, "203.0.113.2")], [404, 429]);
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

async function statusFrom(api: Awaited<ReturnType<typeof aService>>["api"], address: string): Promise<number> {
  return (await api("/routes/nowhere-to-nowhere", { headers: { "X-Forwarded-For": address } })).status;
}

const SCOPE = "quote:create quote:read-own checkout:prepare discovery";
const NOT_FOUND = { status: 404, code: "QUOTE_NOT_FOUND" } as const;
const BY_CLIENT = { TRANSFER_OWNER: "client-and-subject" };

suite("owners by client and subject", async () => {
  const clock = aClock();
  const issuer = await startIssuer(wholeFile, clock);
  const external = issuer.settings;
  const { api } = await aService(wholeFile, {
    clock,
    limiter: aRateLimiter({ checkout: { points: 1, seconds: 60 } }),
    env: { ...external, ...BY_CLIENT, TRANSFER_BLOCKED_SUBJECTS: "blocked" },
  });
  const token = (claims: object) => issuer.sign({ sub: "7f3a", scope: SCOPE, ...claims });
  const quoted = async (claims: object, key = "the-same-key") => {
    const headers = { "Idempotency-Key": key };
    return api("/quotes", { token: await token(claims), body: aQuoteRequest(), headers });
  };
  const checkOut = async (claims: object, quote_id: string) => {
    const body = { quote_id, fleet_id: 1, traveler_approval: true };
    return api("/checkout-sessions", { token: await token(claims), body });
  };

  test("two clients with equal subjects have their own quotes and keys", async () => {
    const [web, robot] = [{ client_id: "web" }, { client_id: "robot" }];
    const [first, other] = [await quoted(web), await quoted(robot)];
    assert.deepEqual([first.status, other.status], [201, 201]);
    assert.notEqual(first.body.quote_id, other.body.quote_id);
    const path = `/quotes/${first.body.quote_id}`;
    assertProblem(await api(path, { token: await token(robot) }), NOT_FOUND);
    assertProblem(await checkOut(robot, first.body.quote_id), NOT_FOUND);
    assert.equal((await api(path, { token: await token(web) })).status, 200);
    const renewed = { azp: "web", jti: "another token of the same client" };
    assert.equal((await api(path, { token: await token(renewed) })).status, 200, "azp names the client as well");
    assert.equal((await quoted(renewed)).text, first.text);
  });

  test("have budgets of their own", async () => {
    const status = async (client_id: string) => (await checkOut({ client_id }, "q_1")).status;
    assert.deepEqual([await status("a"), await status("a"), await status("b")], [404, 429, 404]);
  });

  test("a pair of names never equals another pair", async () => {
    for (const separator of [",", '","', " ", "\n"]) {
      const { body } = await quoted({ client_id: "a", sub: `b${separator}c` }, separator.trim() || "blank");
      const likeMine = await token({ client_id: `a${separator}b`, sub: "c" });
      assertProblem(await api(`/quotes/${body.quote_id}`, { token: likeMine }), NOT_FOUND);
    }
  });

  test("tokens that name no client are rejected like any other, and a blocked subject with each client", async () => {
    for (const claims of [{}, { client_id: "" }, { client_id: 7 }, { client_id: "x".repeat(256) }])
      assertProblem(await quoted(claims), { status: 401, code: "AUTHENTICATION_REQUIRED" });
    const blocked = await quoted({ sub: "blocked", client_id: "web" });
    assertProblem(blocked, { status: 403, code: "FORBIDDEN" });
  });

  test("by default the subject alone owns, whatever the client", async (t) => {
    const { api } = await aService(t, { clock, env: external });
    const { body } = await api("/quotes", { token: await token({ client_id: "web" }), body: aQuoteRequest() });
    for (const claims of [{}, { client_id: "robot" }])
      assert.equal((await api(`/quotes/${body.quote_id}`, { token: await token(claims) })).status, 200);
  });

  test("the development issuer's own tokens name their client", async (t) => {
    const { api, token } = await aService(t, { env: BY_CLIENT });
    assert.equal((await api("/quotes", { token: await token(), body: aQuoteRequest() })).status, 201);
  });
});
