import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { SignJWT } from "jose";
import { z } from "zod/v3";
import type { Clock } from "../../../ops/clock.ts";
import { readOrCreateFile } from "../../../ops/read-or-create-file.ts";
import { DEVELOPMENT_CLIENT_ID } from "../../../service/calls/token-verifier.ts";
import { keptSecrets, newSigningKey, SIGNING_ALGORITHM, SigningKey } from "../issuer/signing-key.ts";

const DevelopmentKeysFile = z.object({
  signingKey: SigningKey,
  /** Secret of the demo client. */
  clientSecret: z.string().min(32),
});

/** What the development issuer signs with and its demo client authenticates with. They never leave this machine. */
export type DevelopmentKeys = Readonly<z.output<typeof DevelopmentKeysFile>>;

/**
 * The keys in `<dataDir>/development-keys.json`, created at the first call; processes that start together agree on one
 * set. Throws an Error that names the file where it is damaged, and the system's own where the folder cannot be used.
 */
export async function loadDevelopmentKeys(dataDir: string): Promise<DevelopmentKeys> {
  const path = join(dataDir, "development-keys.json");
  const damaged = `${path} is damaged. Delete it: the next start creates new keys, and tokens issued so far stop working.`;
  return keptSecrets(DevelopmentKeysFile, await readOrCreateFile(path, newKeys), damaged);
}

async function newKeys(): Promise<string> {
  const keys = { signingKey: await newSigningKey(), clientSecret: randomBytes(32).toString("base64url") };
  return `${JSON.stringify(keys, null, 2)}\n`;
}

/** Makes an access token of `subject` for a client, by default the demo client. */
export type MintToken = (
  subject: string,
  scopes: readonly string[],
  lifetimeSeconds: number,
  clientId?: string,
) => Promise<string>;

/** Makes tokens like those of the development issuer, without its OAuth server. */
export function createMint({ signingKey }: DevelopmentKeys, iss: string, aud: string, clock: Clock): MintToken {
  return (sub, scopes, lifetimeSeconds, clientId = DEVELOPMENT_CLIENT_ID) => {
    const iat = Math.floor(clock.now().getTime() / 1000);
    const times = { iat, exp: iat + lifetimeSeconds };
    const claims = { iss, aud, sub, scope: scopes.join(" "), client_id: clientId, ...times };
    return new SignJWT({ ...claims, jti: randomUUID() })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: signingKey.kid, typ: "at+jwt" })
      .sign(signingKey);
  };
}
