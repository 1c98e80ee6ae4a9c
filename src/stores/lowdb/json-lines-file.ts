import { constants, fstatSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { Adapter } from "lowdb";
import type { JsonBytes } from "../../contract/json-bytes.ts";
import { type Disk, syncFolder, systemCode } from "./disk.ts";
import { eachLine, sealLines, unsealLine } from "./json-line.ts";

const CHUNK_BYTES = 1 << 20;
/**
 * On Linux a write ends when it is durable, which spares a turn of the thread pool: with the look at the file in this
 * thread a write took 240 µs and takes 150. Elsewhere the flag is missing or promises less than `datasync`.
 */
const DURABLE_WRITES = process.platform === "linux" ? constants.O_DSYNC : 0;

/** What `read` found that no crash leaves behind. */
export interface Damage {
  readonly lines: number;
  /** Set if reading failed; what follows that point is unknown. */
  readonly cause?: unknown;
}

/**
 * A lowdb adapter for a file that only grows, one item a line. lowdb's data are the items to save; in memory stays only
 * where each line begins. Its caller makes one call of `read`, `write` and `settle` at a time, and reads first.
 *
 * - `read` passes on every valid line once it is durable: what a killed process had not yet synced must not be shown
 *   and then lost. A torn last line is dropped.
 * - `write` appends the items; once it resolves they are durable. Its cost does not depend on what is already there.
 * - A `write` that rejects, by whatever step, has left nothing: before it rejects, the file is opened anew, cut to its
 *   last good length and synced. A failed sync counts as a failed write and is never repeated on the same data, since
 *   Linux marks pages clean that it could not write. If undoing fails too, every later `write` and `settle`
 *   undoes first and rejects until that succeeds; only a process that ends before then may leave rejected lines for
 *   the next `read`.
 * - A damaged file is never written: `write` rejects until the file has been moved away.
 */
export interface JsonLinesFile<T extends Head, Head> extends Adapter<readonly T[]> {
  /** `undefined` if `read` found no damage. */
  damage(): Damage | undefined;
  /** Bytes of the torn line that `read` dropped. */
  tornBytes(): number;
  /** Bytes of the last write if it failed, otherwise 0. */
  failedBytes(): number;
  /** The item of a line, read from the disk; rejects if it is no longer as it was sealed. */
  item(line: number): Promise<T>;
  /** Undoes a failed write that could not be undone yet; rejects if it still cannot. */
  settle(): Promise<void>;
  /** Waits for reads in flight and frees the file. */
  close(): Promise<void>;
}

export interface JsonLinesFileParts<T extends Head, Head> {
  readonly path: string;
  readonly disk: Disk;
  jsonOf(item: T): JsonBytes;
  /** What `read` needs of a line's content, which has the checksum of what was written; a line without it is damage. */
  headOf(content: unknown): Head | undefined;
  /** The whole item; `item` rejects without it. */
  itemOf(content: unknown): T | undefined;
  /** Called with each item once it is durable, and the number of its line. */
  onItem(head: Head, line: number): void;
}

export function createJsonLinesFile<T extends Head, Head>(parts: JsonLinesFileParts<T, Head>): JsonLinesFile<T, Head> {
  const { path, disk, jsonOf, headOf, itemOf, onItem } = parts;
  let handle: FileHandle | undefined;
  /** Where each durable line begins, and at last where the next one will: what lies behind that is not ours. */
  const starts = [0];
  let isTailGood = false;
  let damage: Damage | undefined;
  let tornBytes = 0;
  let failedBytes = 0;

  return {
    read,
    write,
    item,
    settle,
    close,
    damage: () => damage,
    tornBytes: () => tornBytes,
    failedBytes: () => failedBytes,
  };

  async function read(): Promise<null> {
    let lines = 0;
    try {
      // Windows syncs only what is open for writing.
      handle = await disk.open(path, process.platform === "win32" ? "r+" : "r");
      await handle.datasync();
      await eachLine(handle, (line, end) => {
        const head = headOf(unsealLine(line));
        if (head === undefined) lines += 1;
        else onItem(head, starts.length - 1);
        starts.push(end);
      });
      tornBytes = (await handle.stat()).size - length();
      if (lines > 0) damage = { lines };
    } catch (error) {
      if (systemCode(error) !== "ENOENT") damage = { lines, cause: error };
    }
    return null;
  }

  async function write(items: readonly T[]): Promise<void> {
    if (damage) throw new Error(`${path} is damaged`);
    const { bytes, lengths } = sealLines(items.map(jsonOf));
    failedBytes = bytes.length;
    const file = await ready();
    try {
      await append(file, bytes, length());
      if (!DURABLE_WRITES) await file.datasync();
      // Of an open file this is in memory: faster here than in the thread pool.
      if (fstatSync(file.fd).nlink === 0) throw new Error(`${path} was removed`);
    } catch (error) {
      isTailGood = false;
      // The caller gets the cause of the write; that undoing failed shows in the next one.
      await ready().catch(() => undefined);
      throw error;
    }
    failedBytes = 0;
    items.forEach((item, n) => {
      onItem(item, starts.length - 1);
      starts.push(length() + (lengths[n] ?? 0));
    });
  }

  async function item(line: number): Promise<T> {
    const start = starts[line] ?? 0;
    const content = Buffer.alloc((starts[line + 1] ?? 0) - start - 1);
    await handle?.read(content, 0, content.length, start);
    const found = itemOf(unsealLine(content));
    if (found === undefined) throw new Error(`line ${line + 1} of ${path} is damaged`);
    return found;
  }

  /** The file, open, with a durable name, ending where its last durable item ends. */
  async function ready(): Promise<FileHandle> {
    if (handle && isTailGood) return handle;
    const opened = await disk.open(path, constants.O_RDWR | constants.O_CREAT | DURABLE_WRITES, 0o600);
    try {
      await syncFolder(disk, dirname(path));
      if (handle && !(await isSameFile(handle, opened))) await copyLines(handle, opened);
      // Cut even where the length is right: a cut whose sync failed has to be made again, not just synced again.
      await opened.truncate(length());
      await opened.sync();
    } catch (error) {
      await drop(opened);
      throw error;
    }
    const replaced = handle;
    handle = opened;
    isTailGood = true;
    await drop(replaced);
    return opened;
  }

  /** Someone removed the file, but its lines can be read as long as it is open. */
  async function copyLines(from: FileHandle, to: FileHandle): Promise<void> {
    for (let position = 0; position < length(); ) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, length() - position));
      const { bytesRead } = await from.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) throw new Error(`${path} was removed and shortened`);
      await append(to, chunk.subarray(0, bytesRead), position);
      position += bytesRead;
    }
  }

  async function settle(): Promise<void> {
    if (handle && !isTailGood && failedBytes > 0) await ready();
  }

  async function close(): Promise<void> {
    await drop(handle);
    handle = undefined;
  }

  function length(): number {
    return starts.at(-1) ?? 0;
  }
}

async function append(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function isSameFile(one: FileHandle, other: FileHandle): Promise<boolean> {
  const [a, b] = await Promise.all([one.stat(), other.stat()]);
  return a.ino === b.ino && a.dev === b.dev;
}

async function drop(handle: FileHandle | undefined): Promise<void> {
  await handle?.close().catch(() => undefined);
}
