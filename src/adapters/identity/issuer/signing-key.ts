import { randomBytes } from "node:crypto";
import * as jose from "jose";
import { z } from "zod/v3";
import type { VerificationKeys } from "../jwt-verifier.ts";

/** Of the issuers in this process. */
export const SIGNING_ALGORITHM = "ES256";

/** A private JWK. */
export const SigningKey = z.object({ kid: z.string().min(1), kty: z.string(), d: z.string() }).passthrough();
export type SigningKey = z.output<typeof SigningKey>;

export async function newSigningKey(): Promise<object> {
  const { privateKey } = await jose.generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await jose.exportJWK(privateKey);
  return { ...jwk, alg: SIGNING_ALGORITHM, use: "sig", kid: await jose.calculateJwkThumbprint(jwk) };
}

/** The public half, for the verifier. */
export function publicKeyOf({ d: _private, ...publicKey }: SigningKey): VerificationKeys {
  return jose.createLocalJWKSet({ keys: [publicKey] });
}

/**
 * Secrets as a store has kept them. Throws an Error with `damaged` where they do not match their schema, or the two halves of
 * their signing key do not belong together.
 */
export async function keptSecrets<S extends z.ZodType<{ signingKey: SigningKey }, z.ZodTypeDef, unknown>>(
  schema: S,
  text: string,
  damaged: string,
): Promise<z.output<S>> {
  try {
    const secrets = schema.parse(JSON.parse(text));
    await requireWhole(secrets.signingKey);
    return secrets;
  } catch {
    // Without the cause: a parser's message may quote the secrets.
    throw new Error(damaged);
  }
}

/** Rejects where the private and the public half do not belong together. */
async function requireWhole(key: SigningKey): Promise<void> {
  const signer = new jose.CompactSign(randomBytes(8)).setProtectedHeader({ alg: SIGNING_ALGORITHM });
  await jose.compactVerify(await signer.sign(key), publicKeyOf(key));
}
