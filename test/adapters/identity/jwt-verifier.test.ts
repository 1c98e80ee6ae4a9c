import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload } from "jose";
import {
  createJwtVerifier,
  type JwtVerifierOptions,
  type VerificationKeys,
} from "../../../src/adapters/identity/jwt-verifier.ts";
import { SCOPES } from "../../../src/service/calls/operation.ts";
import type { Refusal } from "../../../src/service/calls/token-verifier.ts";
import { type SigningAlgorithm, startIssuer } from "../../support/issuer.ts";

const START = Date.parse("2026-03-01T12:00:00Z");
const START_SECONDS = START / 1000;

/** A verifier with the present keys of an issuer, its clock, and how often it asked for a key. */
async function aJwtVerifier(t: TestContext, options: Partial<JwtVerifierOptions> = {}) {
  const time = { ms: START };
  const clock = { now: () => new Date(time.ms) };
  const issuer = await startIssuer(t, clock);
  const jwks = await Promise.all((["RS256", "PS256", "ES256", "EdDSA"] as const).map(issuer.publicKey));
  const local = createLocalJWKSet({ keys: jwks });
  const asked = { times: 0 };
  const keys: VerificationKeys = (header, token) => {
    asked.times += 1;
    return local(header, token);
  };
  const { audience } = issuer;
  const verifier = createJwtVerifier({ issuer: issuer.issuer, audience, keys, clock, ...options });
  return { issuer, verifier, clock, time, asked };
}

suite("JWT verifier: good tokens", () => {
  for (const alg of ["RS256", "PS256", "ES256", "EdDSA"] satisfies SigningAlgorithm[]) {
    test(`accepts ${alg}`, async (t) => {
      const { issuer, verifier } = await aJwtVerifier(t);
      const principal = await verifier.verify(await issuer.sign({ scope: "a b" }, { alg }));
      assert.deepEqual(principal, { subject: "client-1", owner: "client-1", scopes: new Set(["a", "b"]) });
    });
  }

  const both = ["quote:create", "discovery"];
  // biome-ignore format: a table reads by its columns
  const scopes: readonly (readonly [string, JWTPayload, readonly string[]])[] = [
    ["scope as a string with spaces too many", { scope: " quote:create  discovery " }, both],
    ["scope as a list", { scope: both }, both],
    ["an empty scope", { scope: "" }, []],
    ["no scope", { scope: undefined }, []],
    ["scp as a string", { scope: undefined, scp: "quote:create discovery" }, both],
    ["scp as a list", { scope: undefined, scp: both }, both],
    ["scp beside a scope", { scope: "a", scp: both }, ["a"]],
  ];
  for (const [name, claims, expected] of scopes) {
    test(`reads ${name}`, async (t) => {
      const { issuer, verifier } = await aJwtVerifier(t);
      const principal = await verifier.verify(await issuer.sign(claims));
      assert.deepEqual(principal?.scopes, new Set(expected));
    });
  }

  test("accepts a subject of 255 characters, and names no client that is no text", async (t) => {
    const { issuer, verifier } = await aJwtVerifier(t);
    const sub = "s".repeat(255);
    const principal = await verifier.verify(await issuer.sign({ sub, client_id: 7, azp: 7 }));
    assert.deepEqual([principal?.subject, principal?.client], [sub, undefined]);
  });
});

suite("JWT verifier: bad tokens", () => {
  for (const alg of ["RS384", "RS512", "PS512", "ES384"]) {
    test(`rejects ${alg}, though the signature is right`, async (t) => {
      const { issuer, clock } = await aJwtVerifier(t);
      const { privateKey, publicKey } = await generateKeyPair(alg);
      const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg, kid: "k" }] });
      const verifier = createJwtVerifier({ issuer: issuer.issuer, audience: issuer.audience, keys, clock });
      const token = await issuer.sign({}, { key: privateKey, header: { alg, kid: "k" } });
      assert.equal(await verifier.verify(token), undefined);
    });
  }

  test("rejects a token over 8 KiB without asking for keys, and accepts a smaller one", async (t) => {
    const { issuer, verifier, asked } = await aJwtVerifier(t);
    const padded = (characters: number) => issuer.sign({ pad: "p".repeat(characters) });
    // Base64url makes 4 characters of 3.
    const most = Math.floor(((8_192 - (await padded(0)).length) * 3) / 4);
    const [fits, tooLong] = [await padded(most), await padded(most + 2)];
    assert.ok(fits.length > 8_190 && tooLong.length > 8_192 && tooLong.length < 8_196);
    assert.equal(await verifier.verify(tooLong), undefined);
    assert.equal(asked.times, 0);
    assert.equal((await verifier.verify(fits))?.subject, "client-1");
  });
});

suite("JWT verifier: reasons", () => {
  // biome-ignore format: a table reads by its columns
  const reasons: readonly (readonly [string, JWTPayload, object, object])[] = [
    ["another audience", { aud: "https://else.test/" }, {}, { reason: "ERR_JWT_CLAIM_VALIDATION_FAILED", claim: "aud", found: '"https://else.test/"' }],
    ["another issuer", { iss: "https://else.test" }, {}, { reason: "ERR_JWT_CLAIM_VALIDATION_FAILED", claim: "iss", found: '"https://else.test"' }],
    ["an end in the past", { exp: START_SECONDS - 60 }, {}, { reason: "ERR_JWT_EXPIRED", claim: "exp" }],
    ["a subject that is no text", { sub: 7 as unknown as string }, {}, { reason: "CLAIM_INVALID", claim: "sub" }],
    ["scopes of another type", { scope: 7 }, {}, { reason: "CLAIM_INVALID", claim: "scope" }],
    ["an unknown key", {}, { kid: "unknown" }, { reason: "ERR_JWKS_NO_MATCHING_KEY" }],
  ];
  for (const [name, claims, options, expected] of reasons) {
    test(`reports ${name}, without the token's other claims`, async (t) => {
      const refusals: object[] = [];
      const { issuer, verifier } = await aJwtVerifier(t);
      const token = await issuer.sign(claims, options);
      assert.equal(await verifier.verify(token, (refusal) => refusals.push(refusal)), undefined);
      assert.deepEqual(refusals, [expected]);
    });
  }

  test("reports a signature of another key before any claim", async (t) => {
    const refusals: object[] = [];
    const { issuer, verifier } = await aJwtVerifier(t);
    const { privateKey } = await generateKeyPair("ES256");
    const token = await issuer.sign({ aud: "https://else.test/" }, { key: privateKey });
    await verifier.verify(token, (refusal) => refusals.push(refusal));
    assert.deepEqual(refusals, [{ reason: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED" }]);
  });
});

suite("JWT verifier: time", () => {
  const boundaries: readonly (readonly [string, JWTPayload, boolean])[] = [
    ["exp 4 s ago", { exp: START_SECONDS - 4 }, true],
    ["exp 5 s ago", { exp: START_SECONDS - 5 }, false],
    ["nbf in 5 s", { nbf: START_SECONDS + 5 }, true],
    ["nbf in 6 s", { nbf: START_SECONDS + 6 }, false],
  ];
  for (const [name, claims, valid] of boundaries) {
    test(`${valid ? "accepts" : "refuses"} ${name}`, async (t) => {
      const { issuer, verifier } = await aJwtVerifier(t);
      assert.equal((await verifier.verify(await issuer.sign(claims))) !== undefined, valid);
    });
  }

  test("a token is genuine before and after it is valid, unless it is another's or for another service", async (t) => {
    const { issuer, verifier } = await aJwtVerifier(t);
    for (const claims of [{}, { exp: START_SECONDS - 3600 }, { nbf: START_SECONDS + 3600 }])
      assert.equal(await verifier.isGenuine(await issuer.sign(claims)), true, JSON.stringify(claims));
    for (const claims of [{ iss: "https://else.test/" }, { aud: "https://else.test/" }, { exp: undefined }])
      assert.equal(await verifier.isGenuine(await issuer.sign(claims)), false, JSON.stringify(claims));
    const [header, payload] = (await issuer.sign()).split(".");
    assert.equal(await verifier.isGenuine(`${header}.${payload}.${"A".repeat(86)}`), false);
  });

  test("remembers a token for 5 minutes", async (t) => {
    const { issuer, verifier, time, asked } = await aJwtVerifier(t);
    const token = await issuer.sign();
    await verifier.verify(token);
    time.ms = START + 5 * 60_000 - 1;
    await verifier.verify(token);
    assert.equal(asked.times, 1);
    time.ms += 1;
    assert.equal((await verifier.verify(token))?.subject, "client-1");
    assert.equal(asked.times, 2);
  });

  test("remembers a bounded number of tokens, the latest", async (t) => {
    const { issuer, verifier, asked } = await aJwtVerifier(t, { keepTokens: 20 });
    const tokens = await Promise.all(Array.from({ length: 21 }, (_, n) => issuer.sign({ sub: `client-${n}` })));
    for (const token of tokens) await verifier.verify(token);
    for (const token of tokens.slice(1)) await verifier.verify(token);
    assert.equal(asked.times, 21);
    await verifier.verify(tokens[0] ?? "");
    assert.equal(asked.times, 22);
  });

  test("never remembers a token past its exp", async (t) => {
    const { issuer, verifier, time, asked } = await aJwtVerifier(t);
    const token = await issuer.sign({ exp: START_SECONDS + 60 });
    await verifier.verify(token);
    time.ms = START + 59_999;
    await verifier.verify(token);
    assert.equal(asked.times, 1);
    time.ms = START + 60_000;
    assert.ok(await verifier.verify(token), "the tolerance still holds, by a full check");
    assert.equal(asked.times, 2);
    time.ms = START + 65_000;
    assert.equal(await verifier.verify(token), undefined);
  });
});

const ALL = SCOPES.join(" ");
const API = "https://quotes.example.com/mcp";
const PREFIX = `${API}/`;
/** The client id of the API at Entra. */
const ENTRA_API = "6e74172b-be56-4843-9ff4-e66a39bb12e3";
const UNBOUND = { reason: "ERR_JWT_CLAIM_VALIDATION_FAILED", claim: "aud" };

interface IssuedToken {
  readonly provider: string;
  readonly typ?: string;
  readonly claims: JWTPayload;
  /** Whose token it is, or why it is refused. */
  readonly found: { readonly client: string; readonly scopes: readonly string[] } | Refusal;
}

/**
 * Access tokens as each provider documents them (the pages are named in docs/operations/sign-in.md), with the settings that it
 * recommends for that provider.
 */
// biome-ignore format: a table reads by its columns
const TOKENS: readonly IssuedToken[] = [
  { provider: "Keycloak", typ: "JWT", claims: { aud: [API, "account"], sub: "f1c4f64e-2c0c", typ: "Bearer", azp: "claude-code", scope: `openid profile ${ALL}`, realm_access: { roles: ["offline_access"] } }, found: { client: "claude-code", scopes: SCOPES } },
  { provider: "Keycloak (without an audience mapper)", typ: "JWT", claims: { aud: "account", sub: "f1c4f64e-2c0c", azp: "claude-code", scope: ALL }, found: { ...UNBOUND, found: '"account"' } },
  { provider: "Auth0 (default profile)", typ: "JWT", claims: { aud: [API, "https://tenant.eu.auth0.com/userinfo"], sub: "auth0|123456", azp: "K1AUPhZq8mRi", scope: `openid profile ${ALL}`, permissions: [...SCOPES] }, found: { client: "K1AUPhZq8mRi", scopes: SCOPES } },
  { provider: "Auth0 (client credentials)", typ: "JWT", claims: { aud: API, sub: "awZfdIir8YFd@clients", azp: "awZfdIir8YFd", gty: "client-credentials", scope: ALL }, found: { client: "awZfdIir8YFd", scopes: SCOPES } },
  { provider: "Auth0 (RFC 9068 profile)", typ: "at+jwt", claims: { aud: [API, "https://tenant.eu.auth0.com/userinfo"], sub: "auth0|123456", client_id: "K1AUPhZq8mRi", jti: "73WakrfVbNJBaAmhQtEeDv", scope: `openid ${ALL}` }, found: { client: "K1AUPhZq8mRi", scopes: SCOPES } },
  { provider: "Okta (custom authorization server)", claims: { ver: 1, jti: "AT.0mP4JKAZX1iA", aud: API, sub: "someone@example.com", cid: "0oabucvyc38H", uid: "00uid4", scp: ["openid", ...SCOPES] }, found: { client: "0oabucvyc38H", scopes: SCOPES } },
  { provider: "Okta (org authorization server)", claims: { ver: 1, aud: "https://org.okta.com", sub: "someone@example.com", cid: "0oabucvyc38H", scp: ["openid"] }, found: { ...UNBOUND, found: '"https://org.okta.com"' } },
  { provider: "Entra (version 2)", typ: "JWT", claims: { ver: "2.0", aud: ENTRA_API, sub: "AAAAAAAAIkzqFVrSaSaFHy782bbtaQ", azp: "6731de76-14a6", azpacr: "0", tid: "9122040d-6c67", scp: ALL }, found: { client: "6731de76-14a6", scopes: SCOPES } },
  { provider: "Entra (version 1)", typ: "JWT", claims: { ver: "1.0", aud: API, sub: "AAAAAAAAIkzqFVrSaSa", appid: "6731de76-14a6", appidacr: "0", scp: ALL }, found: { client: "6731de76-14a6", scopes: SCOPES } },
  { provider: "Entra (client credentials)", typ: "JWT", claims: { ver: "2.0", aud: ENTRA_API, sub: "b13a9a6c-1b7e", azp: "6731de76-14a6", azpacr: "1", roles: [...SCOPES] }, found: { client: "6731de76-14a6", scopes: [] } },
  { provider: "Clerk (with an MCP server)", typ: "at+jwt", claims: { aud: API, sub: "user_2gD", client_id: "FPWkQQnS5Z5rZ3bT", jti: "oat_0ef5a7a3", scope: `openid ${ALL}` }, found: { client: "FPWkQQnS5Z5rZ3bT", scopes: SCOPES } },
  { provider: "Clerk (without an MCP server)", typ: "at+jwt", claims: { sub: "user_2gD", client_id: "FPWkQQnS5Z5rZ3bT", scope: ALL }, found: UNBOUND },
  { provider: "Cognito (resource binding)", claims: { token_use: "access", version: 2, aud: API, sub: "aaaaaaaa-bbbb", client_id: "1example2345", scope: `openid ${SCOPES.map((scope) => PREFIX + scope).join(" ")}`, username: "someone" }, found: { client: "1example2345", scopes: SCOPES } },
  { provider: "Cognito (without resource binding)", claims: { token_use: "access", version: 2, sub: "1example2345", client_id: "1example2345", scope: `${PREFIX}discovery` }, found: UNBOUND },
];

for (const { provider, typ, claims, found } of TOKENS) {
  test(`${"reason" in found ? "refuses" : "accepts"} a token as ${provider} issues it`, async (t) => {
    const refusals: Refusal[] = [];
    const { issuer, verifier } = await aJwtVerifier(t, {
      ...{ audience: [API, ENTRA_API], scopes: SCOPES, scopePrefix: PREFIX, owner: "client-and-subject" },
    });
    const header = typ === undefined ? {} : { typ };
    const unset = { aud: undefined, scope: undefined };
    const token = await issuer.sign({ ...unset, ...claims }, { alg: "RS256", header });
    const principal = await verifier.verify(token, (refusal) => refusals.push(refusal));
    if ("reason" in found) return assert.deepEqual([principal, refusals], [undefined, [found]]);
    const { client, scopes } = found;
    const owner = JSON.stringify([client, claims.sub]);
    assert.deepEqual(principal, { subject: claims.sub, client, scopes: new Set(scopes), owner });
  });
}

test("takes no scope of another prefix, and none with a prefix where none is set", async (t) => {
  const { issuer, verifier } = await aJwtVerifier(t, { scopes: SCOPES, scopePrefix: PREFIX });
  const other = { scope: `https://else.test/discovery ${PREFIX}${PREFIX}quote:create ${PREFIX}` };
  assert.deepEqual((await verifier.verify(await issuer.sign(other)))?.scopes, new Set());
  const plain = await aJwtVerifier(t, { scopes: SCOPES });
  const token = await plain.issuer.sign({ scope: `${PREFIX}quote:create discovery` });
  assert.deepEqual((await plain.verifier.verify(token))?.scopes, new Set(["discovery"]));
});
