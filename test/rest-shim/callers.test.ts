import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { assertProblem } from "../support/assert-problem.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { aClock } from "../support/fake-clock.ts";
import { startIssuer } from "../support/issuer.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
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

/** A service, and tokens of any claims beside the subject "7f3a". */
async function aServiceFor(t: TestContext, owner: string | undefined, env: Readonly<Record<string, string>> = {}) {
  const clock = aClock();
  const issuer = await startIssuer(t, clock);
  const { api } = await aService(t, {
    clock,
    env: {
      TRANSFER_AUTH_ISSUER: issuer.issuer,
      TRANSFER_AUTH_AUDIENCE: issuer.audience,
      ...(owner && { TRANSFER_OWNER: owner }),
      ...env,
    },
  });
  const token = (claims: object = {}) => issuer.sign({ sub: "7f3a", scope: SCOPE, ...claims });
  return { api, token };
}

suite("owners by client and subject", () => {
  test("two clients with equal subjects have their own quotes and keys", async (t) => {
    const { api, token } = await aServiceFor(t, "client-and-subject");
    const [web, robot] = [await token({ client_id: "web" }), await token({ client_id: "robot" })];
    const quote = (bearer: string) =>
      api("/quotes", { token: bearer, body: aQuoteRequest(), headers: { "Idempotency-Key": "the-same-key" } });
    const [first, other] = [await quote(web), await quote(robot)];
    assert.deepEqual([first.status, other.status], [201, 201]);
    assert.notEqual(first.body.quote_id, other.body.quote_id);
    const path = `/quotes/${first.body.quote_id}`;
    assertProblem(await api(path, { token: robot }), { status: 404, code: "QUOTE_NOT_FOUND" });
    const handoff = { quote_id: first.body.quote_id, fleet_id: 1, traveler_approval: true };
    const checkOut = await api("/checkout-sessions", { token: robot, body: handoff });
    assertProblem(checkOut, { status: 404, code: "QUOTE_NOT_FOUND" });
    assert.equal((await api(path, { token: web })).status, 200);
    const renewed = await token({ azp: "web", jti: "another token of the same client" });
    assert.equal((await api(path, { token: renewed })).status, 200, "azp names the client as well");
    assert.equal((await quote(renewed)).text, first.text);
  });

  test("have budgets of their own", async (t) => {
    const TRANSFER_CATALOG_DIR = aCatalogWithBudgets(t, { quote_authoritative: { points: 1, seconds: 60 } });
    const { api, token } = await aServiceFor(t, "client-and-subject", { TRANSFER_CATALOG_DIR });
    const [web, robot] = [await token({ client_id: "web" }), await token({ client_id: "robot" })];
    const status = async (bearer: string) => (await api("/quotes", { token: bearer, body: aQuoteRequest() })).status;
    assert.deepEqual([await status(web), await status(web), await status(robot)], [201, 429, 201]);
  });

  test("a pair of names never equals another pair", async (t) => {
    const { api, token } = await aServiceFor(t, "client-and-subject");
    const mine = await token({ client_id: "a", sub: 'b","c' });
    const { body } = await api("/quotes", { token: mine, body: aQuoteRequest() });
    const likeMine = await token({ client_id: 'a","b', sub: "c" });
    assert.equal((await api(`/quotes/${body.quote_id}`, { token: likeMine })).status, 404);
  });

  test("tokens that name no client are rejected like any other, and a blocked subject with each client", async (t) => {
    const { api, token } = await aServiceFor(t, "client-and-subject", { TRANSFER_BLOCKED_SUBJECTS: "blocked" });
    for (const claims of [{}, { client_id: "" }, { client_id: 7 }, { client_id: "x".repeat(256) }]) {
      const refused = await api("/quotes", { token: await token(claims), body: aQuoteRequest() });
      assertProblem(refused, { status: 401, code: "AUTHENTICATION_REQUIRED" });
    }
    const blocked = await token({ sub: "blocked", client_id: "web" });
    const refused = await api("/quotes", { token: blocked, body: aQuoteRequest() });
    assertProblem(refused, { status: 403, code: "FORBIDDEN" });
  });

  test("by default the subject alone owns, whatever the client", async (t) => {
    const { api, token } = await aServiceFor(t, undefined);
    const { body } = await api("/quotes", { token: await token({ client_id: "web" }), body: aQuoteRequest() });
    for (const claims of [{}, { client_id: "robot" }]) {
      assert.equal((await api(`/quotes/${body.quote_id}`, { token: await token(claims) })).status, 200);
    }
  });

  test("the development issuer's own tokens name their client", async (t) => {
    const { api, token } = await aService(t, { env: { TRANSFER_OWNER: "client-and-subject" } });
    assert.equal((await api("/quotes", { token: await token(), body: aQuoteRequest() })).status, 201);
  });
});
