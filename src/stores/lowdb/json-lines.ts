import { constants, fstatSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { Adapter } from "lowdb";
import { syncFolder } from "../../ops/create-folder.ts";
import { sha256 } from "../../ops/ids.ts";
import { type Disk, openExisting } from "./disk.ts";

const NEWLINE = 0x0a;
const SUM_START = '{"sum":"'.length;
const SUM_LENGTH = 12;
/** Position of the item's fields, after `{"sum":"………………",`. */
const FIELDS_START = SUM_START + SUM_LENGTH + '",'.length;
const CHUNK_BYTES = 1 << 20;
/** Far more than any item has: a longer line is damaged and is skipped without being held in memory. */
const MAX_LINE_BYTES = 1 << 22;

/**
 * A lowdb adapter for a list that only grows: each item, of at least one field, is a line of JSON with a checksum.
 * Callers must not overlap calls of `write` and `settle`.
 */
export function createJsonLines<T extends object>(path: string, disk: Disk) {
  /** How many items, and bytes of good or damaged lines, the file has. */
  let items = 0;
  let bytes = 0;
  let skipped = { damagedLines: 0, tornBytes: 0 };
  let handle: FileHandle | undefined;
  /** Whether the file ends with the last durable line. */
  let tail: "unknown" | "good" | "bad" = "unknown";

  return {
    /** The list of the file, without damaged lines and a torn end; `null` where there is no file. */
    async read() {
      const file = await openExisting(disk, path);
      if (!file) return null;
      try {
        // What a killed process had not synced must not be served and then lost. Windows syncs only files open for
        // writing, and keeps what a killed process has written.
        if (process.platform !== "win32") await file.datasync();
        const list: T[] = [];
        let damagedLines = 0;
        for await (const { line, end } of linesOf(file)) {
          const item = unsealLine<T>(line);
          if (item) list.push(item);
          else damagedLines += 1;
          bytes = end;
        }
        skipped = { damagedLines, tornBytes: (await file.stat()).size - bytes };
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
      const file = await ready();
      try {
        for (let done = 0; done < added.length; ) {
          done += (await file.write(added, done, added.length - done, bytes + done)).bytesWritten;
        }
        await file.datasync();
        if (fstatSync(file.fd).nlink === 0) throw new Error(`${path} was removed`);
      } catch (error) {
        tail = "bad";
        // The caller gets the error of the write; if undoing fails as well, the next write rejects with that error.
        await ready().catch(() => undefined);
        throw error;
      }
      bytes += added.length;
      items = list.length;
    },

    /** Undoes a failed `write` that could not be undone yet; rejects if undoing fails again. */
    async settle() {
      if (tail === "bad") await ready();
    },
    /** What `read` has skipped. */
    skipped: () => skipped,
    close: () => drop(handle),
  } satisfies Adapter<T[]> & Record<string, unknown>;

  /** The file, open for writing, with a durable name, cut to its last durable line. */
  async function ready(): Promise<FileHandle> {
    if (handle && tail === "good") return handle;
    // A removed file is not created again, since the new one would lack its lines.
    const opened = await disk.open(path, constants.O_RDWR | (bytes > 0 ? 0 : constants.O_CREAT), 0o600);
    try {
      await syncFolder(disk, dirname(path));
      // Truncate even where the length is right: after a failed sync, syncing again without truncating is not enough.
      await opened.truncate(bytes);
      await opened.sync();
    } catch (error) {
      await drop(opened);
      throw error;
    }
    const replaced = handle;
    handle = opened;
    tail = "good";
    await drop(replaced);
    return opened;
  }
}

async function drop(handle: FileHandle | undefined): Promise<void> {
  await handle?.close().catch(() => undefined);
}

/** The checksum is the first field, because a line with a changed price is still valid JSON. */
export function sealLine(item: object): Buffer {
  const fields = JSON.stringify(item).slice(1);
  return Buffer.from(`{"sum":"${sumOf(fields)}",${fields}\n`);
}

/** The item of a line without its newline; `undefined` where the checksum is wrong. */
function unsealLine<T>(line: Buffer): T | undefined {
  const sum = line.toString("latin1", SUM_START, SUM_START + SUM_LENGTH);
  if (line.length <= FIELDS_START || sum !== sumOf(line.subarray(FIELDS_START))) return undefined;
  return JSON.parse(`{${line.toString("utf8", FIELDS_START)}`);
}

function sumOf(fields: string | Uint8Array): string {
  return sha256(fields, "base64url").slice(0, SUM_LENGTH);
}

/** The complete lines, and where each ends. In chunks, so that other calls go on meanwhile. */
async function* linesOf(file: FileHandle): AsyncGenerator<{ readonly line: Buffer; readonly end: number }> {
  let rest = Buffer.alloc(0);
  let position = 0;
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES })) {
    const bytes = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE, rest.length); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      yield { line: bytes.subarray(from, end), end: position + end + 1 };
      from = end + 1;
    }
    const isTooLong = bytes.length - from > MAX_LINE_BYTES;
    position += isTooLong ? bytes.length : from;
    rest = isTooLong ? Buffer.alloc(0) : bytes.subarray(from);
  }
}
