import * as fs from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** The calls of `node:fs/promises` that the embedded store makes; tests pass a disk that fails. */
export type Disk = Pick<typeof fs, "copyFile" | "open" | "mkdir" | "readdir" | "rename" | "rm">;

export const localDisk: Disk = fs;

/** Makes the names in a folder durable: a synced file is lost if its name is not synced too. */
export async function syncFolder(disk: Disk, folder: string): Promise<void> {
  // Windows opens no handle on a folder and makes its names durable itself.
  if (process.platform === "win32") return;
  const handle = await disk.open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/** Creates a folder and its missing parents, durably. For this user alone: quotes contain who travels where. */
export async function makeFolder(disk: Disk, folder: string): Promise<void> {
  const whole = resolve(folder);
  const first = await disk.mkdir(whole, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = whole; made.length >= first.length; made = dirname(made)) {
    await syncFolder(disk, dirname(made));
  }
}

type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Creates a file, or overwrites it. Its bytes are durable, its name is not. */
export async function writeFile(disk: Disk, path: string, content: Content): Promise<void> {
  const handle = await disk.open(path, "w", 0o600);
  try {
    for await (const chunk of content) await handle.writeFile(chunk);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Creates a file, or replaces it, as a whole and durably: after a crash it is as it was before or as it is now. */
export async function replaceFile(disk: Disk, path: string, content: Content): Promise<void> {
  const draft = `${path}.draft`;
  await writeFile(disk, draft, content);
  await disk.rename(draft, path);
  await syncFolder(disk, dirname(path));
}

/** The file, open to be read; `undefined` where there is none. */
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
