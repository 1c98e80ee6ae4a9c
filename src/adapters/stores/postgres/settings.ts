import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { UnusableStorage } from "../unusable-storage.ts";
import type { Query } from "./database.ts";

const NAME = "checkout_secret_fingerprints";
const READ = "SELECT value FROM transfer_settings WHERE name = $1";
/** Writes only if the value is still $3; returns no row if another process has changed it meanwhile. */
const WRITE = `INSERT INTO transfer_settings AS kept (name, value) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE kept.value = $3::text
  RETURNING name`;

/**
 * Throws UnusableStorage if none of the secrets matches those of the processes on this database, because every process
 * must accept the links that another signs. If one matches, all are stored from then on, so that secrets can be
 * rotated: restart every process with "old,new", then with "new,old", later with "new". The database stores salted
 * fingerprints, never a secret.
 */
export async function checkCheckoutSecrets(query: Query, secrets: readonly string[]): Promise<void> {
  for (;;) {
    const { value, before, isNew } = await comparedSecrets(query, secrets);
    if (!isNew || (await query(WRITE, [NAME, value, before])).length > 0) return;
  }
}

/** The secrets as they would be recorded, and what is recorded now. Reads only; throws as `checkCheckoutSecrets` does. */
export async function comparedSecrets(query: Query, secrets: readonly string[]) {
  const [row] = await query<{ value: string }>(READ, [NAME]);
  const kept: { salt: string; fingerprints: string[] } | undefined = row && JSON.parse(row.value);
  const salt = kept?.salt ?? randomBytes(16).toString("base64url");
  const fingerprints = await Promise.all(secrets.map((secret) => fingerprintOf(secret, salt)));
  if (kept && !fingerprints.some((each) => kept.fingerprints.includes(each))) {
    throw new UnusableStorage(
      "TRANSFER_CHECKOUT_SECRET is set, but the other processes on this database sign with a secret that is not in it; " +
        'allowed: their secrets, or "old,new" to change them (to forget the old ones, delete ' +
        `${NAME} from transfer_settings)`,
    );
  }
  const value = JSON.stringify({ salt, fingerprints });
  return { value, before: row?.value ?? null, isNew: value !== row?.value };
}

/** A slow hash, because a secret of 32 characters may consist of words that can be guessed. */
async function fingerprintOf(secret: string, salt: string): Promise<string> {
  const digest = (await promisify(scrypt)(secret, salt, 32)) as Buffer;
  return digest.toString("base64url");
}

/** A value that all processes on this database share: `first` of the process that asked for the name first. */
export async function keptSetting(query: Query, name: string, first: string): Promise<string> {
  const read = async () => (await query<{ value: string }>(READ, [name]))[0]?.value;
  const kept = await read();
  if (kept !== undefined) return kept;
  const [written] = await query(WRITE, [name, first, null]);
  return written ? first : ((await read()) ?? first);
}
