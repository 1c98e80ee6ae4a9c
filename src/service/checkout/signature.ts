import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { readOrCreateFile } from "../../ops/read-or-create-file.ts";

/** The terms that the signature of a checkout link covers. */
export interface SignedTerms {
  readonly quoteId: string;
  readonly fleetId: number;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
}

export type LinkSigner = ReturnType<typeof createLinkSigner>;

/** At least one secret: the first signs and all verify, so that links remain valid after a rotation. */
export function createLinkSigner(secrets: readonly string[]) {
  const [current = ""] = secrets;
  if (current === "") throw new Error("at least one checkout secret is required");

  return {
    /** HMAC-SHA-256 with the first secret, as 43 characters of base64url. */
    sign: (terms: SignedTerms) => macOf(terms, current),

    /** Whether the signature was made with any of the secrets. The timing does not reveal where it differs. */
    verify(terms: SignedTerms, signature: string): boolean {
      // Compared as text, because several base64url texts decode to the same bytes and only one of them was issued.
      const given = Buffer.from(signature);
      // All secrets are compared, even after a match, so that the timing does not reveal which one signed.
      const matches = secrets.map((secret) => {
        const mac = Buffer.from(macOf(terms, secret));
        return given.length === mac.length && timingSafeEqual(given, mac);
      });
      return matches.includes(true);
    },
  };
}

function macOf({ quoteId, fleetId, expiresAt }: SignedTerms, secret: string): string {
  return createHmac("sha256", secret).update(`${quoteId}\n${fleetId}\n${expiresAt}`).digest("base64url");
}

const MIN_LENGTH = 32;

/** The secret in `<dataDir>/checkout-secret`. */
export function loadCheckoutSecret(dataDir: string): Promise<string> {
  return loadSecret(join(dataDir, "checkout-secret"), "checkout links issued so far stop working");
}

/**
 * The secret in a file that the first call creates, readable by its owner only; processes that start at the same time
 * use the same one. Throws an Error if the file is damaged, with its path and the consequence of deleting it.
 */
export async function loadSecret(path: string, consequence: string): Promise<string> {
  const content = await readOrCreateFile(path, () => `${createSecret()}\n`);
  const secret = content.trim();
  // A file system that lost a write can leave a file of zero bytes.
  if (secret.length >= MIN_LENGTH && !/\p{Cc}/u.test(secret)) return secret;
  throw new Error(
    `${path} is damaged: it must contain at least ${MIN_LENGTH} characters and no control characters. Delete it: the next start creates a new secret, ` +
      `and ${consequence}.`,
  );
}

export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}
