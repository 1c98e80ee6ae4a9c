import { constants, fstatSync } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname } from "node:path";
import type { Adapter } from "lowdb";
import { syncFolder } from "../../../ops/create-folder.ts";
import { sha256 } from "../../../ops/ids.ts";

/** The functions of `node:fs/promises` that the embedded store calls; tests pass ones that fail. */
export type Disk = Pick<typeof fs, "copyFile" | "open" | "mkdir" | "readdir" | "rename" | "rm" | "writeFile">;

export const localDisk: Disk = fs;

/**
 * A lowdb adapter for a list that only grows: each item, of at least one field, is a line of JSON with a checksum.
 * Callers must not overlap calls of `write` and `settle`.
 */
export function createJsonLines<T extends object>(path: string, disk: Disk) {
  /** How many items, and bytes of good or damaged lines, the file has. */
  let items = 0;
  let bytes = 0;
  let skipped = { damagedLines: 0, tornBytes: 0 };
  /** Open for writing as long as the file ends with the last durable line. */
  let handle: fs.FileHandle | undefined;

  return {
    /** The list of the file, without damaged lines and a torn end; `null` where there is no file. */
    async read() {
      const file = await disk
        .open(path, "r")
        .catch((error) => (error.code === "ENOENT" ? undefined : Promise.reject(error)));
      if (!file) return null;
      try {
        // What a killed process had not synced must not be served and then lost. Windows syncs only files open for
        // writing, and keeps what a killed process has written.
        if (process.platform !== "win32") await file.datasync();
        const content = await file.readFile();
        bytes = content.lastIndexOf("\n") + 1;
        const lines = content.toString("utf8", 0, bytes).split("\n").slice(0, -1);
        const list = lines.flatMap((line) => unsealLine<T>(line) ?? []);
        skipped = { damagedLines: lines.length - list.length, tornBytes: content.length - bytes };
        items = list.length;
        return list;
      } finally {
        await file.close();
      }
    },

    /**
     * Appends what the list has more than the file; it is durable once this resolves. Where it rejects, it has stored
     * nothing: the file is opened again, cut to its last good length and synced. A failed sync is never repeated on the
     * same data, since Linux marks pages clean that it could not write. If undoing fails as well, every later `write`
     * and `settle` starts by undoing, and rejects until that succeeds.
     */
    async write(list: T[]) {
      const added = Buffer.concat(list.slice(items).map(sealLine));
      const file = await settle();
      try {
        for (let done = 0; done < added.length; )
          done += (await file.write(added, done, added.length - done, bytes + done)).bytesWritten;
        await file.datasync();
        if (fstatSync(file.fd).nlink === 0) throw new Error(`${path} was removed`);
      } catch (error) {
        await close();
        // The caller gets the error of the write; if undoing fails as well, the next write rejects with that error.
        await settle().catch(() => undefined);
        throw error;
      }
      bytes += added.length;
      items = list.length;
    },

    settle,
    /** What `read` has skipped. */
    skipped: () => skipped,
    close,
  } satisfies Adapter<T[]> & Record<string, unknown>;

  /** Opens the file for writing, with a durable name and cut to its last durable line, unless it is open like that. */
  async function settle(): Promise<fs.FileHandle> {
    if (handle) return handle;
    // A removed file is not created again, since the new one would lack its lines.
    const create = bytes > 0 ? 0 : constants.O_CREAT;
    const opened = await disk.open(path, constants.O_RDWR | create, 0o600);
    try {
      await syncFolder(disk, dirname(path));
      // Truncate even where the length is right: after a failed sync, syncing again without truncating is not enough.
      await opened.truncate(bytes);
      await opened.sync();
    } catch (error) {
      await opened.close().catch(() => undefined);
      throw error;
    }
    handle = opened;
    return opened;
  }

  async function close(): Promise<void> {
    await handle?.close().catch(() => undefined);
    handle = undefined;
  }
}

/** Creates or replaces a file atomically and durably: after a crash it has either the old or the new content. */
export async function replaceFile(disk: Disk, path: string, content: Buffer): Promise<void> {
  await disk.writeFile(`${path}.draft`, content, { mode: 0o600, flush: true });
  await disk.rename(`${path}.draft`, path);
  await syncFolder(disk, dirname(path));
}

/** The checksum is the first field, because a line with a changed price is still valid JSON. */
export function sealLine(item: object): Buffer {
  const fields = JSON.stringify(item).slice(1);
  return Buffer.from(`{"sum":"${sumOf(fields)}",${fields}\n`);
}

/** The item of a line without its newline; `undefined` where the checksum is wrong. */
function unsealLine<T>(line: string): T | undefined {
  const [, sum, fields = ""] = /^\{"sum":"(.{12})",(.+)$/s.exec(line) ?? [];
  return sum === sumOf(fields) ? JSON.parse(`{${fields}`) : undefined;
}

function sumOf(fields: string): string {
  return sha256(fields, "base64url").slice(0, 12);
}
