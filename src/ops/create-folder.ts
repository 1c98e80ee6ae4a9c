import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder and its missing parents durably, for this user only. One by one, because Node's own recursive `mkdir`
 * never returns on a file system that refuses folders, such as /proc. Tests pass a `disk` that fails.
 */
export async function createFolder(path: string, disk: Pick<typeof fs, "mkdir" | "open"> = fs): Promise<void> {
  const whole = resolve(path);
  if (existsSync(whole)) return;
  const parent = dirname(whole);
  if (!existsSync(parent)) await createFolder(parent, disk);
  await disk.mkdir(whole, { mode: 0o700 }).catch((error) => {
    // Another process has created it meanwhile.
    if (error.code !== "EEXIST") throw error;
  });
  await syncFolder(disk, parent);
}

/** Makes the names in a folder durable: a synced file is lost if its name is not synced too. */
export async function syncFolder(disk: Pick<typeof fs, "open">, folder: string): Promise<void> {
  // Windows opens no handle on a folder and makes its names durable itself.
  if (process.platform === "win32") return;
  const handle = await disk.open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
