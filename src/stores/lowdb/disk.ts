import * as fs from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../../ops/create-folder.ts";

/** The functions of `node:fs/promises` that the embedded store calls; tests pass ones that fail. */
export type Disk = Pick<typeof fs, "copyFile" | "open" | "mkdir" | "readdir" | "rename" | "rm">;

export const localDisk: Disk = fs;

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
