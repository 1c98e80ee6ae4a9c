import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** The functions of `node:fs/promises` that the embedded store calls; tests pass ones that fail. */
export type Disk = Pick<typeof fs, "copyFile" | "open" | "mkdir" | "readdir" | "rename" | "rm">;

export const localDisk: Disk = fs;

/** Makes the names in a folder durable: a synced file is lost if its name is not synced too. */
export async function syncFolder(disk: Disk, folder: string): Promise<void> {
  // Windows opens no handle on a folder and makes its names durable itself.
  if (process.platform === "win32") return;
  const handle = await disk.open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/** Creates a folder and its missing parents durably, for this user only, since quotes contain personal data. */
export async function makeFolder(disk: Disk, folder: string): Promise<void> {
  const whole = resolve(folder);
  if (existsSync(whole)) return;
  if (!existsSync(dirname(whole))) await makeFolder(disk, dirname(whole));
  // One by one: Node's recursive mkdir never returns on a file system that refuses folders, such as /proc.
  await disk.mkdir(whole, { mode: 0o700 }).catch((error) => {
    if (systemCode(error) !== "EEXIST") throw error;
  });
  await syncFolder(disk, dirname(whole));
}

type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Creates or overwrites a file. Syncs its content, but not its name. */
export async function writeFile(disk: Disk, path: string, content: Content): Promise<void> {
  const handle = await disk.open(path, "w", 0o600);
  try {
    for await (const chunk of content) await handle.writeFile(chunk);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Creates or replaces a file atomically and durably: after a crash it has either the old or the new content. */
export async function replaceFile(disk: Disk, path: string, content: Content): Promise<void> {
  const draft = `${path}.draft`;
  await writeFile(disk, draft, content);
  await disk.rename(draft, path);
  await syncFolder(disk, dirname(path));
}

/** Opens a file for reading; `undefined` where there is none. */
export async function openExisting(disk: Pick<Disk, "open">, path: string): Promise<fs.FileHandle | undefined> {
  try {
    return await disk.open(path, "r");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The code of a system error, e.g. `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
