import { randomBytes } from "node:crypto";
import { z } from "zod/v3";
import { newSigningKey, requireWhole, SigningKey } from "../issuer/signing-key.ts";
import type { IssuerStore } from "./issuer-store.ts";

const IssuerSecrets = z.object({
  signingKey: SigningKey,
  /** Signs the cookies of a sign-in. */
  cookieKey: z.string().min(32),
});

/** What the embedded issuer signs with, created at the first start. Throws an Error where it is damaged. */
export async function loadIssuerSecrets(store: IssuerStore): Promise<z.output<typeof IssuerSecrets>> {
  const text = await store.secrets(async () => {
    const secrets = { signingKey: await newSigningKey(), cookieKey: randomBytes(32).toString("base64url") };
    return `${JSON.stringify(secrets)}\n`;
  });
  try {
    const secrets = IssuerSecrets.parse(JSON.parse(text));
    await requireWhole(secrets.signingKey);
    return secrets;
  } catch {
    // Without the cause: a parser's message may quote the secrets.
    throw new Error("The keys of the embedded issuer are damaged: restore a backup, or delete them and sign in again.");
  }
}
