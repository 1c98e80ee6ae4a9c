import type { TestContext } from "node:test";
import { createLocalJWKSet } from "jose";
import { createJwtVerifier, type JwtVerifierOptions, type VerificationKeys } from "../../src/identity/jwt-verifier.ts";
import { startIssuer } from "./issuer.ts";

export const START = Date.parse("2026-03-01T12:00:00Z");
export const START_SECONDS = START / 1000;

/** A verifier with the present keys of an issuer, its clock, and how often it asked for a key. */
export async function aJwtVerifier(t: TestContext, options: Partial<JwtVerifierOptions> = {}) {
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
