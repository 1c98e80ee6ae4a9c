import { constants, existsSync, fstatSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { type Adapter, Low } from "lowdb";
import type { Log } from "../../ops/log.ts";
import { keptUntil } from "../../quotes/quote.ts";
import type { QuoteEntry } from "../quote-store.ts";
import { type Disk, openExisting, syncFolder } from "./disk.ts";
import { fileOf, readLines, sealLine, unsealLine } from "./lines.ts";

/**
 * The entries of an hour in one append-only file, one entry a line. Memory holds the position of each line and an index
 * by ids. Callers must not overlap calls of `append` and `settle`.
 */
export interface HourFile {
  readonly hour: string;
  /** Numbers of lines by the ids of quotes and the scopes of records. */
  readonly quotes: ReadonlyMap<string, number>;
  readonly records: ReadonlyMap<string, number>;
  /** Ids of the events stored without a quote. An event stored with a quote is as unique as the quote. */
  readonly sales: ReadonlySet<string>;
  /** By line: the expiry of a created quote in milliseconds since 1970, `STEP` for another event, or `NO_EVENT`. */
  readonly ends: readonly number[];
  /** When the retention of its last entry ends, in milliseconds since 1970. */
  keptUntil(): number;
  /** Reads the entry of a line from the disk; rejects if its checksum is wrong. */
  entry(line: number): Promise<Partial<QuoteEntry>>;
  /**
   * Appends entries, which are durable once it resolves. Where it rejects, it has stored nothing: the file is opened
   * again, cut to its last good length and synced. A failed sync is never repeated on the same data, since Linux marks
   * pages clean that it could not write. If undoing fails as well, every later `append` and `settle` starts by undoing,
   * and rejects until that succeeds.
   */
  append(entries: readonly QuoteEntry[]): Promise<void>;
  /** Undoes a failed `append` that could not be undone yet; rejects if undoing fails again. */
  settle(): Promise<void>;
  /** Waits for reads in flight. */
  close(): Promise<void>;
}

/** A handoff or an opening. */
export const STEP = 0;
export const NO_EVENT = -1;

/**
 * Opens the file of an hour as a lowdb adapter that appends the data written, and reads it if it exists. It is synced
 * before it is read: what a killed process had not synced must not be served and then lost. A torn last line is
 * dropped. A file with damaged lines is copied to `<name>.damaged-<lines>.jsonl` for the operator.
 */
export async function openHourFile(folder: string, hour: string, disk: Disk, log: Log): Promise<HourFile> {
  const path = join(folder, fileOf("quotes", hour));
  const quotes = new Map<string, number>();
  const records = new Map<string, number>();
  const sales = new Set<string>();
  const ends: number[] = [];
  let end = 0;
  let handle: FileHandle | undefined;
  /** Where each durable line begins; the last element is where the next line will begin. */
  const starts = [0];
  /** Whether the file ends with the last durable line. */
  let tail: "unknown" | "good" | "bad" = "unknown";
  const adapter: Adapter<readonly QuoteEntry[]> = { read, write };
  await new Low(adapter, []).read();
  return {
    ...{ hour, quotes, records, sales, ends, entry, settle },
    keptUntil: () => end,
    append: (entries) => new Low(adapter, entries).write(),
    close: () => drop(handle),
  };

  async function read(): Promise<null> {
    handle = await openExisting(disk, path);
    if (!handle) return null;
    // Windows syncs only files open for writing, and keeps what a killed process has written.
    if (process.platform !== "win32") await handle.datasync();
    let damagedLines = 0;
    for await (const lines of readLines(handle)) {
      for (const { bytes, end } of lines) {
        const found = unsealLine(bytes);
        if (!found) damagedLines += 1;
        add(found ?? {}, end);
      }
    }
    const tornBytes = (await handle.stat()).size - length();
    if (tornBytes > 0) log.warn({ file: path, torn_bytes: tornBytes }, "a quote file ends in a torn line");
    if (damagedLines > 0)
      await copyDamaged({ disk, log }, path, { damagedLines, readable: ends.length - damagedLines });
    return null;
  }

  function add({ quote, record, sale }: Partial<QuoteEntry>, lineEnd: number): void {
    const line = starts.push(lineEnd) - 2;
    if (quote) quotes.set(quote.id, line);
    if (record) records.set(record.scope, line);
    if (sale && !quote) sales.add(sale.id);
    ends[line] = sale?.type === "quote.created" ? Date.parse(sale.expiresAt) : sale ? STEP : NO_EVENT;
    for (const instant of [quote?.expiresAt, record?.createdAt ?? sale?.at]) {
      if (instant) end = Math.max(end, keptUntil(instant));
    }
  }

  async function write(entries: readonly QuoteEntry[]): Promise<void> {
    const lines = entries.map((entry) => ({ entry, bytes: sealLine(entry) }));
    const bytes = Buffer.concat(lines.map((line) => line.bytes));
    const file = await ready();
    try {
      for (let done = 0; done < bytes.length; ) {
        done += (await file.write(bytes, done, bytes.length - done, length() + done)).bytesWritten;
      }
      await file.datasync();
      if (fstatSync(file.fd).nlink === 0) throw new Error(`${path} was removed`);
    } catch (error) {
      tail = "bad";
      // The caller gets the error of the write; if undoing fails as well, the next write rejects with that error.
      await ready().catch(() => undefined);
      throw error;
    }
    for (const line of lines) add(line.entry, length() + line.bytes.length);
  }

  async function entry(line: number): Promise<Partial<QuoteEntry>> {
    const [start = 0, end = 0] = starts.slice(line, line + 2);
    const content = Buffer.alloc(end - start - 1);
    await handle?.read(content, 0, content.length, start);
    const found = unsealLine(content);
    if (!found) throw new Error(`line ${line + 1} of ${path} is damaged`);
    return found;
  }

  /** The file, open for writing, with a durable name, cut to its last durable line. */
  async function ready(): Promise<FileHandle> {
    if (handle && tail === "good") return handle;
    // A removed file is not created again, since the new one would lack its lines.
    const opened = await disk.open(path, constants.O_RDWR | (handle ? 0 : constants.O_CREAT), 0o600);
    try {
      await syncFolder(disk, folder);
      // Truncate even where the length is right: after a failed sync, syncing again without truncating is not enough.
      await opened.truncate(length());
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

  async function settle(): Promise<void> {
    if (tail === "bad") await ready();
  }

  function length(): number {
    return starts.at(-1) ?? 0;
  }
}

/** Copies a damaged file for the operator, once for each number of damaged lines. */
export async function copyDamaged(
  { disk, log }: { readonly disk: Disk; readonly log: Log },
  path: string,
  { damagedLines, readable }: { readonly damagedLines: number; readonly readable: number },
): Promise<void> {
  const file = path.replace(/\.jsonl$/, `.damaged-${damagedLines}.jsonl`);
  if (existsSync(file)) return;
  await disk.copyFile(path, `${file}.draft`);
  await disk.rename(`${file}.draft`, file);
  log.error(
    { file, damaged_lines: damagedLines, readable },
    "a quote file is damaged and was copied; the other lines are kept",
  );
}

async function drop(handle: FileHandle | undefined): Promise<void> {
  await handle?.close().catch(() => undefined);
}
