import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const SHORTEST = 32;

/**
 * The secret in `<dataDir>/checkout-secret`, made at the first call and readable by its owner only; processes that
 * start together agree on one. Throws an Error that names the file where it is damaged.
 */
export async function loadCheckoutSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, "checkout-secret");
  const kept = await readIfThere(path);
  const secret = (kept ?? (await createOnce(path, dataDir))).trim();
  if (secret.length >= SHORTEST) return secret;
  throw new Error(
    `${path} is damaged. Delete it: the next start makes a new one, and links issued so far end.`,
  );
}

async function createOnce(path: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, {
    mode: 0o600,
    flag: "wx",
    flush: true,
  });
  // A hard link appears whole or not at all, and fails where another process was first.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft, { force: true });
  return readFile(path, "utf8");
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
