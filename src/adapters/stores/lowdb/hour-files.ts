import { constants, fstatSync } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import type { Adapter } from "lowdb";
import type { QuoteEntry } from "../../../domain/sales/quote-store.ts";
import { syncFolder } from "../../../ops/create-folder.ts";

/** The functions of `node:fs/promises` that the embedded store calls; tests pass ones that fail. */
export type Disk = Pick<typeof fs, "open" | "mkdir" | "readdir" | "rename" | "rm" | "writeFile">;

export const localDisk: Disk = fs;

/** What a line holds. */
export interface Entry extends Partial<QuoteEntry> {
  /** Whether its event is to be delivered. */
  readonly delivers?: boolean;
}

/** The hour of an instant in UTC, such as `2026-11-20T10`, which sorts as text. */
export function hourAt(instant: Date): string {
  return instant.toISOString().slice(0, 13);
}

/** `quotes-<hour>.jsonl` has the entries of an hour, `sales-<hour>.jsonl` the events of one that was deleted. */
export function fileOf(kind: "quotes" | "sales", hour: string): string {
  return `${kind}-${hour}.jsonl`;
}

/** The hours of which `files` contains a file of this kind, the oldest first. */
export function hoursOf(kind: "quotes" | "sales", files: readonly string[]): readonly string[] {
  const ours = new RegExp(`^${kind}-(\\d{4}-\\d\\d-\\d\\dT\\d\\d)\\.jsonl$`);
  return files.flatMap((file) => ours.exec(file)?.[1] ?? []).sort();
}

/** A lowdb adapter for lines, each with its newline, that are only added. Callers must not overlap `write` and `settle`. */
export function createLines(path: string, disk: Disk) {
  /** How many lines, and bytes of whole lines, the file has. */
  let count = 0;
  let bytes = 0;
  /** Open for writing as long as the file ends with the last durable line. */
  let handle: fs.FileHandle | undefined;

  return {
    /** The lines of the file without a torn end; none where there is no file. */
    async read() {
      const lines: Buffer[] = [];
      const file = await disk.open(path, "r").catch((error) => {
        if (error.code !== "ENOENT") throw error;
      });
      if (!file) return lines;
      try {
        // What a killed process had not synced must not be served and then lost. Windows syncs only files open for
        // writing, and keeps what a killed process has written.
        if (process.platform !== "win32") await file.datasync();
        const content = await file.readFile();
        for (let end = content.indexOf("\n"); end >= 0; end = content.indexOf("\n", bytes)) {
          lines.push(content.subarray(bytes, end + 1));
          bytes = end + 1;
        }
        count = lines.length;
        return lines;
      } finally {
        await file.close();
      }
    },

    /**
     * Appends the lines that the file lacks; they are durable once this resolves. Where it rejects, it has stored nothing:
     * the lines are taken off again, and the file is opened again, cut to its last good length and synced. A failed sync
     * is never repeated on the same data, since Linux marks pages clean that it could not write. If undoing fails as well,
     * every later `write` and `settle` starts by undoing, and rejects until that succeeds.
     */
    async write(lines: Buffer[]) {
      const added = Buffer.concat(lines.slice(count));
      try {
        const file = await settle();
        await file.appendFile(added);
        await file.datasync();
        if (fstatSync(file.fd).nlink === 0) throw new Error(`${path} was removed`);
      } catch (error) {
        lines.length = count;
        await close();
        // The caller gets the error of the write; if undoing fails as well, the next write rejects with that error.
        await settle().catch(() => undefined);
        throw error;
      }
      count = lines.length;
      bytes += added.length;
    },

    settle,
    close,
  } satisfies Adapter<Buffer[]> & Record<string, unknown>;

  /** Opens the file for writing, with a durable name and cut to its last durable line, unless it is open like that. */
  async function settle(): Promise<fs.FileHandle> {
    if (handle) return handle;
    // A removed file is not created again, since the new one would lack its lines.
    const create = bytes > 0 ? 0 : constants.O_CREAT;
    handle = await disk.open(path, constants.O_WRONLY | constants.O_APPEND | create, 0o600);
    try {
      await syncFolder(disk, dirname(path));
      // Truncate even where the length is right: after a failed sync, syncing again without truncating is not enough.
      await handle.truncate(bytes);
      await handle.sync();
    } catch (error) {
      await close();
      throw error;
    }
    return handle;
  }

  async function close(): Promise<void> {
    await handle?.close().catch(() => undefined);
    handle = undefined;
  }
}

/** Creates or replaces a file atomically and durably: after a crash it has either the old or the new content. */
export async function replaceFile(disk: Disk, path: string, content: string): Promise<void> {
  await disk.writeFile(`${path}.draft`, content, { mode: 0o600, flush: true });
  await disk.rename(`${path}.draft`, path);
  await syncFolder(disk, dirname(path));
}

/** A line of an entry. The checksum comes first, because a changed price is still valid JSON. */
export function lineOf(entry: Entry): Buffer {
  const fields = JSON.stringify(entry).slice(1);
  return Buffer.from(`{"crc":"${checksumOf(fields)}",${fields}\n`);
}

/** The entry of a line; `undefined` where it is damaged. */
export function entryOf(line: Buffer): Entry | undefined {
  const [, crc, fields = ""] = /^\{"crc":"(\w+)",(.+)\n$/s.exec(line.toString()) ?? [];
  return crc === checksumOf(fields) ? JSON.parse(`{${fields}`) : undefined;
}

function checksumOf(text: string): string {
  return crc32(text).toString(16);
}
