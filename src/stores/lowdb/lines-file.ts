import { constants, fstatSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { Adapter } from "lowdb";
import { sha256 } from "../../ops/ids.ts";
import type { Log } from "../../ops/log.ts";
import { type Disk, openExisting, replaceFile, syncFolder } from "./disk.ts";

/** What replaces a damaged line, so that the lines after it keep their numbers. */
const DAMAGED = { damaged: true };

export function isDamaged(item: object): boolean {
  return "damaged" in item;
}

/**
 * A lowdb adapter for a file that only grows, one item a line. lowdb's data are the items to append; memory holds only
 * where each line begins. Its caller makes one call of `read`, `write` and `settle` at a time, and reads first.
 *
 * - `read` passes on every valid line once it is durable: what a killed process had not yet synced must not be shown
 *   and then lost. A torn last line is dropped. A file with damaged lines is copied to `<name>.damaged-<instant>.jsonl`
 *   for the operator, and its damaged lines are replaced.
 * - `write` appends the items; once it resolves they are durable. Its cost does not depend on what is already there.
 * - A `write` that rejects, by whatever step, has left nothing: before it rejects, the file is opened anew, cut to its
 *   last good length and synced. A failed sync is never repeated on the same data, since Linux marks pages clean that it
 *   could not write. If undoing fails too, every later `write` and `settle` undoes first and rejects until that succeeds.
 */
export interface LinesFile<T extends object> extends Adapter<readonly T[]> {
  /** The item of a line, read from the disk; rejects if it is no longer as it was sealed. */
  item(line: number): Promise<T>;
  /** Undoes a failed write that could not be undone yet; rejects if it still cannot. */
  settle(): Promise<void>;
  /** Waits for reads in flight and frees the file. */
  close(): Promise<void>;
}

export interface LinesFileParts<T extends object> {
  readonly path: string;
  readonly disk: Disk;
  readonly log: Log;
  /** Called with each item once it is durable, and the number of its line. */
  onItem(item: T, line: number): void;
}

export function createLinesFile<T extends object>(parts: LinesFileParts<T>): LinesFile<T> {
  const { path, disk, log, onItem } = parts;
  let handle: FileHandle | undefined;
  /** Where each durable line begins, and at last where the next one will: what lies behind that is not ours. */
  let starts = [0];
  let isTailGood = false;
  let isUndone = true;

  return { read, write, item, settle, close };

  async function read(): Promise<null> {
    handle = await openExisting(disk, path);
    if (!handle) return null;
    // Windows syncs only what is open for writing, and loses nothing of a process that was killed.
    if (process.platform !== "win32") await handle.datasync();
    let damagedLines = 0;
    for await (const lines of readLines(handle)) {
      for (const { bytes, end } of lines) {
        const found = unsealLine(bytes);
        if (!found) damagedLines += 1;
        else if (!isDamaged(found)) onItem(found as T, starts.length - 1);
        starts.push(end);
      }
    }
    const tornBytes = (await handle.stat()).size - length();
    if (tornBytes > 0) log.warn({ file: path, torn_bytes: tornBytes }, "a quote file ends in a torn line");
    if (damagedLines > 0) await repair(handle, damagedLines);
    return null;
  }

  async function repair(damaged: FileHandle, damagedLines: number): Promise<void> {
    const aside = path.replace(/\.jsonl$/, `.damaged-${new Date().toISOString().replaceAll(":", "-")}.jsonl`);
    await disk.copyFile(path, aside);
    const repaired = [0];
    await replaceFile(disk, path, repairedLines(damaged, repaired));
    handle = await disk.open(path, "r");
    starts = repaired;
    await drop(damaged);
    const facts = { file: aside, damaged_lines: damagedLines, served: starts.length - 1 - damagedLines };
    log.error(facts, "a quote file is damaged and was set aside; what is readable in it is served");
  }

  async function write(items: readonly T[]): Promise<void> {
    const lines = items.map(sealLine);
    const bytes = Buffer.concat(lines);
    const file = await ready();
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, length() + done);
        done += bytesWritten;
      }
      await file.datasync();
      if (fstatSync(file.fd).nlink === 0) throw new Error(`${path} was removed`);
    } catch (error) {
      isTailGood = false;
      isUndone = false;
      // The caller gets the cause of the write; that undoing failed shows in the next one.
      await ready().catch(() => undefined);
      throw error;
    }
    for (const [n, line] of lines.entries()) {
      starts.push(length() + line.length);
      onItem(items[n] as T, starts.length - 2);
    }
  }

  async function item(line: number): Promise<T> {
    const [start = 0, end = 0] = starts.slice(line, line + 2);
    const content = Buffer.alloc(end - start - 1);
    await handle?.read(content, 0, content.length, start);
    const found = unsealLine(content);
    if (!found) throw new Error(`line ${line + 1} of ${path} is damaged`);
    return found as T;
  }

  /** The file, open, with a durable name, ending where its last durable item ends. */
  async function ready(): Promise<FileHandle> {
    if (handle && isTailGood) return handle;
    // A file that was removed is not created again: its lines would be missing in the new one.
    const opened = await disk.open(path, constants.O_RDWR | (handle ? 0 : constants.O_CREAT), 0o600);
    try {
      await syncFolder(disk, dirname(path));
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
    isUndone = true;
    await drop(replaced);
    return opened;
  }

  async function settle(): Promise<void> {
    if (!isUndone) await ready();
  }

  async function close(): Promise<void> {
    await drop(handle);
    handle = undefined;
  }

  function length(): number {
    return starts.at(-1) ?? 0;
  }
}

/** Every line, damaged ones replaced; adds to `starts` where the next one begins. */
async function* repairedLines(file: FileHandle, starts: number[]): AsyncGenerator<Uint8Array> {
  for await (const lines of readLines(file)) {
    for (const { bytes } of lines) {
      const item = unsealLine(bytes);
      const line = sealLine(item ?? DAMAGED);
      starts.push((starts.at(-1) ?? 0) + line.length);
      yield line;
    }
  }
}

async function drop(handle: FileHandle | undefined): Promise<void> {
  await handle?.close().catch(() => undefined);
}

const NEWLINE = 0x0a;
const SUM_START = '{"sum":"'.length;
const SUM_LENGTH = 12;
/** Where the fields of the item begin, after `{"sum":"………………",`. */
const ITEM_START = SUM_START + SUM_LENGTH + '",'.length;
const CHUNK_BYTES = 1 << 20;
/** Far more than any entry has: a longer line is garbage and is skipped without being held in memory. */
const MAX_LINE_BYTES = 1 << 22;

/**
 * An item as a line of JSON with its newline, and a checksum as its first field. Only that shows that a price was
 * changed: garbage in a string is still JSON. The item has at least one field.
 */
export function sealLine(item: object): Buffer {
  const fields = JSON.stringify(item).slice(1);
  return Buffer.from(`{"sum":"${sumOf(fields)}",${fields}\n`);
}

/** The item of a line without its newline, or `undefined` where the line is not as it was sealed. */
export function unsealLine(line: Buffer): object | undefined {
  const sum = line.toString("latin1", SUM_START, SUM_START + SUM_LENGTH);
  if (line.length <= ITEM_START || sum !== sumOf(line.subarray(ITEM_START))) return undefined;
  return JSON.parse(`{${line.toString("utf8", ITEM_START)}`);
}

function sumOf(fields: string | Uint8Array): string {
  return sha256(fields, "base64url").slice(0, SUM_LENGTH);
}

interface Line {
  /** Without the newline. */
  readonly bytes: Buffer;
  /** The position in the file after the newline. */
  readonly end: number;
}

/** The lines that end with a newline, in chunks, since a file may be larger than the memory. */
export async function* readLines(file: FileHandle): AsyncGenerator<readonly Line[]> {
  let rest = Buffer.alloc(0);
  let position = 0;
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES })) {
    const bytes = Buffer.concat([rest, chunk]);
    const lines: Line[] = [];
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE, rest.length); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      lines.push({ bytes: bytes.subarray(from, end), end: position + end + 1 });
      from = end + 1;
    }
    rest = bytes.subarray(from);
    position += from;
    if (rest.length > MAX_LINE_BYTES) {
      position += rest.length;
      rest = Buffer.alloc(0);
    }
    yield lines;
  }
}

/** Files of an hour: `quotes-2026-11-20T10.jsonl` holds entries, `sales-2026-11-20T10.jsonl` the events of deleted ones. */
export const QUOTES = "quotes-";
export const SALES = "sales-";

/** `2026-11-20T10` in UTC; names sort as their hours do. */
export function hourAt(instant: Date): string {
  return instant.toISOString().slice(0, 13);
}

/** The hour of a file of this kind; `undefined` where the name is another's. */
export function hourOf(kind: string, name: string): string | undefined {
  const [, prefix, hour] = /^([a-z]+-)(\d{4}-\d\d-\d\dT\d\d)\.jsonl$/.exec(name) ?? [];
  return prefix === kind ? hour : undefined;
}
