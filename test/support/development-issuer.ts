import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { loadDevelopmentKeys } from "../../src/adapters/identity/development/keys.ts";
import { publicKeyOf } from "../../src/adapters/identity/issuer/signing-key.ts";
import { createJwtVerifier } from "../../src/adapters/identity/jwt-verifier.ts";
import { systemClock } from "../../src/ops/clock.ts";
import { SCOPES } from "../../src/service/calls/operation.ts";
import { browse } from "./browser.ts";
import { aClock } from "./fake-clock.ts";
import { aService } from "./service.ts";

export const AUDIENCE = "https://transfer-quote.example/api";
export const REDIRECT = "http://127.0.0.1:43117/callback";
const VERIFIER = randomBytes(32).toString("base64url");
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

export type Fields = Readonly<Record<string, string>>;

/** The development issuer as the service serves it, with requests to it. Its clock stands still. */
export async function aDevelopmentIssuer(t: Pick<TestContext, "after">, env: Fields = {}) {
  const service = await aService(t, { env, clock: aClock(new Date()) });
  const { publicUrl, dataDir } = service;
  const issuer = `${publicUrl}/dev-auth`;
  const keys = await loadDevelopmentKeys(dataDir);
  const verifier = createJwtVerifier({
    issuer,
    audience: AUDIENCE,
    keys: publicKeyOf(keys.signingKey),
    clock: systemClock,
  });
  const { clientSecret } = keys;
  return { ...service, issuer, clientSecret, verifier, mcp: `${publicUrl}/mcp`, token, ask, authorizeUrl, code };

  /** POSTs to the token endpoint as JSON, or as a form. */
  async function token(fields: Fields, form = false, headers: Fields = {}) {
    const body = form ? new URLSearchParams(fields) : JSON.stringify(fields);
    const type: Fields = form ? {} : { "content-type": "application/json" };
    const init = { method: "POST", body, headers: { ...type, ...headers } };
    const response = await fetch(`${issuer}/oauth/token`, init);
    const answer = (await response.json()) as Record<string, string>;
    return { status: response.status, body: answer, headers: response.headers };
  }

  /** A token request with client credentials and these changes; a field given as "" is omitted. */
  function ask(changes: Fields = {}, form = false, headers: Fields = {}) {
    const fields = {
      grant_type: "client_credentials",
      client_id: "demo",
      client_secret: keys.clientSecret,
      audience: AUDIENCE,
      ...changes,
    };
    return token(withoutEmpty(fields), form, headers);
  }

  /** The authorize request of the public document with these changes; a field given as "" is omitted. */
  function authorizeUrl(changes: Fields = {}): URL {
    const fields = {
      response_type: "code",
      client_id: "demo",
      redirect_uri: REDIRECT,
      audience: AUDIENCE,
      scope: "quote:create discovery",
      state: "as it was",
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
      ...changes,
    };
    return new URL(`${issuer}/authorize?${new URLSearchParams(withoutEmpty(fields))}`);
  }

  async function code(changes: Fields = {}): Promise<string> {
    const { location, text } = await browse(authorizeUrl(changes));
    return location?.searchParams.get("code") ?? assert.fail(location?.href ?? text);
  }
}

/** The request that redeems a code, with these changes; a field given as "" is omitted. */
export function redeem(code: string, changes: Fields = {}): Fields {
  const grant = { grant_type: "authorization_code", client_id: "demo", code };
  return withoutEmpty({ ...grant, redirect_uri: REDIRECT, code_verifier: VERIFIER, ...changes });
}

export const ALL_SCOPES = SCOPES.join(" ");

export function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}
