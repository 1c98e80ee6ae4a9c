import * as fs from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** The calls of `node:fs/promises` that the embedded store makes; tests pass a disk that fails. */
export type Disk = Pick<typeof fs, "copyFile" | "open" | "mkdir" | "readdir" | "rename" | "unlink">;

export const localDisk: Disk = fs;

/** Makes the names in a folder durable: a synced file is lost if its name is not synced too. */
export async function syncFolder(disk: Disk, folder: string): Promise<void> {
  // Windows opens no handle on a folder and makes its names durable itself.
  if (process.platform === "win32") return;
  const handle = await disk.open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
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

/** Creates a file, or replaces it, as a whole and durably: after a crash it is as it was before or as it is now. */
export async function replaceFile(
  disk: Disk,
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const draft = `${path}.draft`;
  const handle = await disk.open(draft, "w", 0o600);
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
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

/** Deletes a file that may be missing. */
export async function removeFile(disk: Disk, path: string): Promise<void> {
  try {
    await disk.unlink(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}

/** The code of a system error, e.g. `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
