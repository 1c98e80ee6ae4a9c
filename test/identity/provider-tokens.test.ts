import assert from "node:assert/strict";
import { test } from "node:test";
import type { JWTPayload } from "jose";
import { SCOPES } from "../../src/calls/operation.ts";
import { aJwtVerifier } from "../support/jwt-verifier.ts";

const ALL = SCOPES.join(" ");
const API = "https://quotes.example.com/mcp";

/** Access tokens as each provider documents them, with the settings that docs/connect.md recommends. */
// biome-ignore format: a table reads by its columns
const TOKENS: readonly (readonly [provider: string, client: string, claims: JWTPayload])[] = [
  ["Keycloak", "claude-code", { aud: [API, "account"], sub: "f1c4f64e-2c0c", typ: "Bearer", azp: "claude-code", scope: `openid profile ${ALL}`, realm_access: { roles: ["offline_access"] } }],
  ["Auth0 (default profile)", "K1AUPhZq8mRi", { aud: [API, "https://tenant.eu.auth0.com/userinfo"], sub: "auth0|123456", azp: "K1AUPhZq8mRi", scope: `openid profile ${ALL}`, permissions: [] }],
  ["Auth0 (RFC 9068 profile)", "K1AUPhZq8mRi", { aud: API, sub: "auth0|123456", client_id: "K1AUPhZq8mRi", jti: "73WakrfVbNJBaAmhQtEeDv", scope: ALL }],
  ["Okta (custom authorization server)", "0oabucvyc38H", { ver: 1, aud: API, sub: "someone@example.com", cid: "0oabucvyc38H", uid: "00uid4", scp: [...SCOPES] }],
  ["Entra (version 2)", "6731de76-14a6", { ver: "2.0", aud: API, sub: "AAAAAAAAIkzqFVrSaSaFHy782bbtaQ", azp: "6731de76-14a6", azpacr: "0", tid: "9122040d-6c67", scp: ALL }],
  ["Entra (version 1)", "6731de76-14a6", { ver: "1.0", aud: API, sub: "AAAAAAAAIkzqFVrSaSa", appid: "6731de76-14a6", scp: ALL }],
  ["Cognito (resource binding)", "1example2345", { token_use: "access", version: 2, aud: API, sub: "aaaaaaaa-bbbb", client_id: "1example2345", scope: `openid ${ALL}`, username: "someone" }],
];

for (const [provider, client, claims] of TOKENS) {
  test(`accepts a token as ${provider} issues it`, async (t) => {
    const { issuer, verifier } = await aJwtVerifier(t, { audience: API, scopes: SCOPES, owner: "client-and-subject" });
    const principal = await verifier.verify(await issuer.sign({ scope: undefined, ...claims }, { alg: "RS256" }));
    const owner = JSON.stringify([client, claims.sub]);
    assert.deepEqual(principal, { subject: claims.sub, client, scopes: new Set(SCOPES), owner });
  });
}

test("refuses a Cognito token without resource binding: it names no audience", async (t) => {
  const { issuer, verifier } = await aJwtVerifier(t, { audience: API });
  const token = await issuer.sign({ aud: undefined, token_use: "access", client_id: "1example23456789" });
  assert.equal(await verifier.verify(token), undefined);
});
