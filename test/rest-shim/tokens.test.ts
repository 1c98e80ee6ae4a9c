import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { generateKeyPair } from "jose";
import { assertProblem } from "../support/assert-problem.ts";
import { aClock } from "../support/fake-clock.ts";
import { startIssuer } from "../support/issuer.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { type ApiAnswer, aService, type TestService } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

const REFUSED = { status: 401, code: "AUTHENTICATION_REQUIRED" } as const;

/** `test/adapters/identity/jwt-verifier.test.ts` has the claims and algorithms that are rejected besides. */
test("answers every rejected token with the same 401", async (t) => {
  const clock = aClock();
  const issuer = await startIssuer(t, clock);
  const otherCaller = await startIssuer(t, clock);
  const env = issuer.settings;
  const service = await aService(t, { env, clock });
  const good = await issuer.sign();
  const [header = "", payload = "", signature = ""] = good.split(".");
  const now = clock.now().getTime() / 1000;
  const publicKey = await issuer.publicKey();
  const { privateKey } = await generateKeyPair("ES256");
  const oddly = (claims: object) => issuer.sign({ ...claims });
  const tokens: Readonly<Record<string, string | undefined>> = {
    missing: undefined,
    text: "token",
    expired: await issuer.sign({ exp: now - 6 }),
    "of another issuer that uses our name": await otherCaller.sign({ iss: issuer.issuer, aud: issuer.audience }),
    "without audience": await issuer.sign({ aud: undefined }),
    "without subject": await issuer.sign({ sub: undefined }),
    "without end": await issuer.sign({ exp: undefined }),
    "of a scope that contains ours": await issuer.sign({ scope: "quote:create:all" }),
    "of a wildcard scope": await issuer.sign({ scope: "quote:* * admin" }),
    "alg none": `${encoded({ alg: "none" })}.${payload}.`,
    "signed with the public key as a secret": hmacSigned(payload, JSON.stringify(publicKey)),
    "signed by another key under our kid": await issuer.sign({}, { key: privateKey }),
    "without issuer": await oddly({ iss: undefined }),
    "with an expiry that is no number": await oddly({ exp: "9999999999" }),
    "with an empty subject": await oddly({ sub: "" }),
    "with a subject of 256 characters": await oddly({ sub: "s".repeat(256) }),
    "with a scope list of other things": await oddly({ scope: ["quote:create", 1] }),
    "with a changed payload": `${header}.${encoded({ ...decoded(payload), sub: "someone-else" })}.${signature}`,
    "with a cut signature": good.slice(0, -2),
    "two in one": `${good},${good}`,
  };
  const expected = canonical(await quote(service, undefined));
  for (const [what, token] of Object.entries(tokens)) {
    await t.test(what, async () => {
      const refused = await quote(service, token === undefined ? undefined : `Bearer ${token}`);
      assertProblem(refused, REFUSED);
      assert.equal(canonical(refused), expected, "byte-equal but for request_id and instance");
      const error = token ? ', error="invalid_token"' : "";
      assert.equal(refused.headers.get("www-authenticate"), `Bearer realm="transfer-quote"${error}`);
    });
  }
  await t.test("another scheme, or no scheme", async () => {
    for (const authorization of [
      `Basic ${good}`,
      `Token ${good}`,
      good,
      "Bearer",
      `Bearer${good}`,
      `Bearer ${good} ${good}`,
    ]) {
      assert.equal(canonical(await quote(service, authorization)), expected, authorization.slice(0, 12));
    }
  });
  assert.deepEqual(storedEntries(service.dataDir), []);
  await t.test("the good one, whatever the case of its scheme", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
      assert.equal((await quote(service, `${scheme} ${good}`)).status, 201, scheme);
    }
  });
});

test("accepts every configured audience and the MCP endpoint's address, and no other", async (t) => {
  const clock = aClock();
  const issuer = await startIssuer(t, clock);
  const service = await aService(t, {
    clock,
    env: { ...issuer.settings, TRANSFER_AUTH_AUDIENCE: "urn:first, https://second.test/" },
  });
  const resource = `${service.publicUrl}/mcp`;
  const status = async (aud: string | string[]) =>
    (await quote(service, `Bearer ${await issuer.sign({ aud, scope: "quote:create" })}`)).status;
  for (const aud of ["urn:first", "https://second.test/", resource, ["https://else.test/", resource]])
    assert.equal(await status(aud), 201, String(aud));
  for (const aud of [issuer.audience, "urn:first, https://second.test/", service.publicUrl, `${resource}/`])
    assert.equal(await status(aud), 401, aud);
});

test("metadata list the scopes with the issuer's prefix, and tokens have them with or without", async (t) => {
  const clock = aClock();
  const issuer = await startIssuer(t, clock);
  const prefix = "https://quotes.example.com/mcp/";
  const external = issuer.settings;
  const service = await aService(t, { clock, env: { ...external, TRANSFER_AUTH_SCOPE_PREFIX: prefix } });
  const metadata = await fetch(`${service.publicUrl}/.well-known/oauth-protected-resource/mcp`);
  const { scopes_supported } = (await metadata.json()) as { scopes_supported: string[] };
  assert.ok(scopes_supported.includes(`${prefix}discovery`) && scopes_supported.length === 4, String(scopes_supported));
  for (const scope of [`${prefix}quote:create`, "quote:create"])
    assert.equal((await quote(service, `Bearer ${await issuer.sign({ scope })}`)).status, 201, scope);
  assert.equal((await quote(service, `Bearer ${await issuer.sign({ scope: "else/quote:create" })}`)).status, 401);
});

test("requires exactly the scope of the operation", async (t) => {
  const { api, token, dataDir } = await aService(t);
  const operations = [
    ["/quotes", aQuoteRequest(), "quote:create"],
    ["/quotes/q_1", undefined, "quote:read-own"],
    ["/checkout-sessions", { quote_id: "q_1", fleet_id: 1, traveler_approval: true }, "checkout:prepare"],
  ] as const;
  const scopes = ["quote:create", "quote:read-own", "checkout:prepare", "discovery"] as const;
  for (const [path, body, scope] of operations) {
    const others = await token({ scopes: scopes.filter((each) => each !== scope) });
    assertProblem(await api(path, { token: others, body }), REFUSED);
    const own = await token({ scopes: [scope] });
    assert.notEqual((await api(path, { token: own, body })).status, 401, path);
  }
  assert.equal(storedEntries(dataDir).length, 1);
});

test("accepts a token until it expires; a rejected one reveals nothing about the body", async (t) => {
  const { api, token, clock } = await aService(t);
  const bearer = await token({ lifetimeSeconds: 60 });
  clock.advance(59_000);
  assert.equal((await api("/quotes", { token: bearer, body: aQuoteRequest() })).status, 201);
  clock.advance(7_000);
  const refused = await api("/quotes", { token: bearer, body: { passengers: "many" } });
  assertProblem(refused, { ...REFUSED, fields: [] });
});

test("answers FORBIDDEN to blocked subjects with the right scope, before rate limit and validation", async (t) => {
  const ONE = { points: 1, seconds: 60 };
  const limiter = aRateLimiter({ quote_authoritative: ONE, auth_failure: ONE });
  const env = { TRANSFER_BLOCKED_SUBJECTS: "agent-9, agent-8" };
  const { api, token, dataDir } = await aService(t, { limiter, env });
  const forbidden = { status: 403, code: "FORBIDDEN" } as const;
  for (const subject of ["agent-8", "agent-9"]) {
    const blocked = await token({ subject });
    for (const body of [{}, aQuoteRequest()]) assertProblem(await api("/quotes", { token: blocked, body }), forbidden);
    assertProblem(await api("/vehicle-classes", { token: blocked }), forbidden);
    const scopeless = await token({ subject, scopes: ["discovery"] });
    assertProblem(await api("/quotes", { token: scopeless, body: aQuoteRequest() }), REFUSED);
  }
  assert.deepEqual(storedEntries(dataDir), []);
  const other = await token({ subject: "agent-99" });
  assert.equal((await api("/quotes", { token: other, body: aQuoteRequest() })).status, 201);
});

function quote({ api }: TestService, authorization: string | undefined): Promise<ApiAnswer> {
  const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
  return api("/quotes", { body: aQuoteRequest(), headers });
}

/** The body without what may differ, byte for byte otherwise. */
function canonical({ text }: ApiAnswer): string {
  return text.replace(/"request_id":"[^"]*"/, "").replace(/"instance":"[^"]*"/, "");
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decoded(part: string): object {
  return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
}

function hmacSigned(payload: string, secret: string): string {
  const signed = `${encoded({ alg: "HS256" })}.${payload}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
