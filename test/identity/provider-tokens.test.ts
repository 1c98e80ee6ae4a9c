import assert from "node:assert/strict";
import { test } from "node:test";
import type { JWTPayload } from "jose";
import { SCOPES } from "../../src/calls/operation.ts";
import { aJwtVerifier } from "../support/jwt-verifier.ts";

interface ProviderToken {
  readonly claims: JWTPayload;
  readonly client: string;
}

const ALL = SCOPES.join(" ");
const API = "https://quotes.example.com/mcp";

/** Access tokens as each provider documents them, with the settings that docs/connect.md recommends. */
const tokens: Readonly<Record<string, ProviderToken>> = {
  Keycloak: {
    claims: {
      aud: [API, "account"],
      sub: "f1c4f64e-2c0c-4cda-8c9f-9f3f8f3a2b0e",
      typ: "Bearer",
      azp: "claude-code",
      scope: `openid profile ${ALL}`,
      realm_access: { roles: ["offline_access"] },
    },
    client: "claude-code",
  },
  "Auth0 (default profile)": {
    claims: {
      aud: [API, "https://tenant.eu.auth0.com/userinfo"],
      sub: "auth0|123456",
      azp: "K1AUPhZq8mRi0Q0pjhkfu1D7y6KjDQja",
      scope: `openid profile ${ALL}`,
      permissions: [],
    },
    client: "K1AUPhZq8mRi0Q0pjhkfu1D7y6KjDQja",
  },
  "Auth0 (RFC 9068 profile)": {
    claims: {
      aud: API,
      sub: "auth0|123456",
      client_id: "K1AUPhZq8mRi0Q0pjhk",
      jti: "73WakrfVbNJBaAmhQtEeDv",
      scope: ALL,
    },
    client: "K1AUPhZq8mRi0Q0pjhk",
  },
  "Okta (custom authorization server)": {
    claims: {
      ver: 1,
      aud: API,
      sub: "someone@example.com",
      cid: "0oabucvyc38HLL1ef0h7",
      uid: "00uid4",
      scp: [...SCOPES],
    },
    client: "0oabucvyc38HLL1ef0h7",
  },
  "Entra (version 2)": {
    claims: {
      ver: "2.0",
      aud: API,
      sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
      azp: "6731de76-14a6-49ae-97bc-6eba6914391e",
      azpacr: "0",
      tid: "9122040d-6c67-4c5b-b112-36a304b66dad",
      scp: ALL,
    },
    client: "6731de76-14a6-49ae-97bc-6eba6914391e",
  },
  "Entra (version 1)": {
    claims: { ver: "1.0", aud: API, sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSa", appid: "6731de76-14a6-49ae", scp: ALL },
    client: "6731de76-14a6-49ae",
  },
  "Cognito (resource binding)": {
    claims: {
      token_use: "access",
      version: 2,
      aud: API,
      sub: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
      client_id: "1example23456789",
      scope: `openid ${ALL}`,
      username: "someone",
    },
    client: "1example23456789",
  },
};

for (const [provider, { claims, client }] of Object.entries(tokens)) {
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
