import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readOrCreateFile } from "../../ops/read-or-create-file.ts";

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
