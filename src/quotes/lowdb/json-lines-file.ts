import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { Adapter } from "lowdb";
import { type Disk, syncFolder, systemCode } from "./disk.ts";
import { eachLine, sealLine, unsealLine } from "./json-line.ts";

/** What `read` met that no crash leaves behind. */
export interface Damage {
  readonly lines: number;
  /** Where the disk refused to read on; what stands behind that point is not known. */
  readonly cause?: unknown;
}

/**
 * A lowdb adapter for an array that only grows, one item a line. Whoever uses it takes the items of a rejected `write`
 * out of the array again (lowdb leaves them in), keeps to one call at a time, and reads before the first write.
 *
 * - `read` gives the items of every good line, or `null` where there is no file, once they are durable: what a killed
 *   process had not yet synced must not be shown and then lost. A torn last line is dropped.
 * - `write` appends the items that are new; once it resolves they are durable. Its cost does not depend on the items
 *   already there.
 * - A `write` that rejects, by whatever step, has left nothing: before it rejects, the file is opened anew, cut to its
 *   last good length and synced. A failed sync counts as a failed write and is never repeated on the same data, since
 *   Linux marks pages clean that it could not write. Where undoing fails too (the disk is dead), every later `write`
 *   and `settle` undoes first and rejects until that succeeds; only a process that ends before then may leave lines
 *   that were refused for the next `read`.
 * - A damaged file is never written: `write` rejects until the file has been moved away.
 */
export interface JsonLinesFile<T> extends Adapter<T[]> {
  /** `undefined` where the last `read` met nothing odd. */
  damage(): Damage | undefined;
  /** Undoes a failed write that could not be undone yet; rejects where it still cannot. */
  settle(): Promise<void>;
  /** Settles, then frees the file; another `write` opens it again. */
  close(): Promise<void>;
}

export interface JsonLinesFileParts<T> {
  readonly path: string;
  readonly disk: Disk;
  /** Whether a line's content is an item; a line of anything else is damage. */
  isItem(content: unknown): content is T;
}

export function createJsonLinesFile<T>({ path, disk, isItem }: JsonLinesFileParts<T>): JsonLinesFile<T> {
  let handle: FileHandle | undefined;
  /** Durable items and their bytes; whatever lies behind them in the file is not ours. */
  let count = 0;
  let length = 0;
  let tail: "unread" | "unchecked" | "good" | "failed" = "unread";
  let damage: Damage | undefined;

  return { read, write, settle, close, damage: () => damage };

  async function read(): Promise<T[] | null> {
    const items: T[] = [];
    let lines = 0;
    let source: FileHandle | undefined;
    damage = undefined;
    try {
      // Windows syncs only what is open for writing.
      source = await disk.open(path, process.platform === "win32" ? "r+" : "r");
      await source.datasync();
      length = await eachLine(source, (line) => {
        const content = unsealLine(line);
        if (isItem(content)) items.push(content);
        else lines += 1;
      });
      if (lines > 0) damage = { lines };
    } catch (error) {
      if (systemCode(error) !== "ENOENT") damage = { lines, cause: error };
    } finally {
      await source?.close();
    }
    count = items.length;
    tail = "unchecked";
    return source || damage ? items : null;
  }

  async function write(items: T[]): Promise<void> {
    if (tail === "unread" || damage) throw new Error(`${path} was not read, or is damaged`);
    const file = await ready();
    const fresh = Buffer.from(items.slice(count).map(sealLine).join(""));
    try {
      await append(file, fresh);
      const [{ nlink }] = await Promise.all([file.stat(), file.datasync()]);
      if (nlink === 0) throw new Error(`${path} was removed`);
    } catch (error) {
      tail = "failed";
      await drop();
      // The caller learns why the write failed; that undoing failed shows in the next one.
      await ready().catch(() => undefined);
      throw error;
    }
    count = items.length;
    length += fresh.length;
  }

  async function append(file: FileHandle, bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, length + done);
      done += bytesWritten;
    }
  }

  /** The file, open, named in its folder and ending where its last durable item ends. */
  async function ready(): Promise<FileHandle> {
    if (handle && tail === "good") return handle;
    try {
      handle ??= await disk.open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
      await syncFolder(disk, dirname(path));
      // Cut even where the length is right: a cut whose sync failed has to be made again, not just synced again.
      if ((await handle.stat()).size >= length) await handle.truncate(length);
      // Someone removed or shortened the file: all that it held is still known, and is written anew.
      else length = count = 0;
      await handle.sync();
      tail = "good";
      return handle;
    } catch (error) {
      await drop();
      throw error;
    }
  }

  async function settle(): Promise<void> {
    if (tail === "failed") await ready();
  }

  async function close(): Promise<void> {
    await settle();
    await drop();
  }

  async function drop(): Promise<void> {
    const dropped = handle;
    handle = undefined;
    await dropped?.close().catch(() => undefined);
  }
}
