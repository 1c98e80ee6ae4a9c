import { randomBytes, randomUUID } from "node:crypto";
import { copyFile, constants as fsConstants, link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as jose from "jose";
import { z } from "zod/v3";
import type { Clock } from "../ops/clock.ts";
import type { VerificationKeys } from "./jwt-verifier.ts";

/** The one client of the development issuer. */
export const DEVELOPMENT_CLIENT_ID = "demo";

const FILE_NAME = "development-keys.json";

const DevelopmentKeysFile = z.object({
  /** Private JWK. */
  signingKey: z.object({
    kty: z.literal("EC"),
    crv: z.literal("P-256"),
    alg: z.literal("ES256"),
    use: z.literal("sig"),
    kid: z.string().min(1),
    x: z.string(),
    y: z.string(),
    d: z.string(),
  }),
  /** Of the demo client. */
  clientSecret: z.string().min(32),
});

/** What the development issuer signs with and its demo client authenticates with. They never leave this machine. */
export type DevelopmentKeys = Readonly<z.output<typeof DevelopmentKeysFile>>;

/**
 * The keys in `<dataDir>/development-keys.json`, made at the first call; processes that start together agree on one
 * set. Throws an Error that names the file where it is damaged, and the system's own where the folder cannot be used.
 */
export async function loadDevelopmentKeys(dataDir: string): Promise<DevelopmentKeys> {
  const path = join(dataDir, FILE_NAME);
  const text = (await readIfThere(path)) ?? (await createOnce(path, dataDir));
  try {
    const keys = DevelopmentKeysFile.parse(JSON.parse(text));
    await assertPair(keys);
    return keys;
  } catch {
    // Without the cause: a parser's message may quote the secrets.
    throw new Error(
      `${path} is damaged. Delete it: the next start makes a new one, and tokens issued so far end.`,
    );
  }
}

/** The public half, for the verifier. */
export function developmentKeySet({
  signingKey: { d: _private, ...publicKey },
}: DevelopmentKeys): VerificationKeys {
  return jose.createLocalJWKSet({ keys: [publicKey] });
}

export interface DevelopmentTokenOptions {
  readonly keys: DevelopmentKeys;
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly clock: Clock;
  readonly lifetimeSeconds: number;
}

/** An access token as the development issuer would give it, without asking it. */
export function mintDevelopmentToken(options: DevelopmentTokenOptions): Promise<string> {
  const { keys, issuer, audience, subject, scopes, clock, lifetimeSeconds } = options;
  const issuedAt = Math.floor(clock.now().getTime() / 1000);
  return new jose.SignJWT({ scope: scopes.join(" "), client_id: DEVELOPMENT_CLIENT_ID })
    .setProtectedHeader({ alg: keys.signingKey.alg, kid: keys.signingKey.kid, typ: "at+jwt" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(keys.signingKey);
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/**
 * Writes new keys beside `path` and then links them there, which fails where another process was first: so the file is
 * never seen half written and never replaced. Gives what stands there in the end.
 */
async function createOnce(path: string, dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}`;
  try {
    const file = await open(temporary, "wx", 0o600);
    await file.writeFile(`${JSON.stringify(await newKeys(), undefined, 2)}\n`);
    await file.sync();
    await file.close();
    await link(temporary, path).catch(async (error: NodeJS.ErrnoException) => {
      // Some file systems (exFAT) know no links; there the copy is exclusive too, only not atomic.
      if (error.code !== "EEXIST") await copyFile(temporary, path, fsConstants.COPYFILE_EXCL);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(path, "utf8");
}

async function newKeys(): Promise<unknown> {
  const { privateKey } = await jose.generateKeyPair("ES256", { extractable: true });
  const jwk = await jose.exportJWK(privateKey);
  const kid = await jose.calculateJwkThumbprint(jwk);
  const clientSecret = randomBytes(32).toString("base64url");
  return { signingKey: { ...jwk, alg: "ES256", use: "sig", kid }, clientSecret };
}

/** Rejects where the private and the public half do not belong together: every token would be refused later. */
async function assertPair(keys: DevelopmentKeys): Promise<void> {
  const { alg } = keys.signingKey;
  const signed = await new jose.CompactSign(randomBytes(8)).setProtectedHeader({ alg }).sign(keys.signingKey);
  await jose.compactVerify(signed, developmentKeySet(keys));
}
