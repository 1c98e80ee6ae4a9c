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
 * The entries of an hour in one file, which only grows and is deleted as a whole, one entry a line. Memory holds where
 * each line begins and what it is found by. One call of `append` and `settle` is made at a time.
 */
export interface HourFile {
  readonly hour: string;
  /** Lines by the ids of quotes and the scopes of records. */
  readonly quotes: ReadonlyMap<string, number>;
  readonly records: ReadonlyMap<string, number>;
  /** Ids of events that are stored without a quote: what comes with a quote is as unique as that. */
  readonly sales: ReadonlySet<string>;
  /** By line: when the quote ends that its event created, in milliseconds since 1970; otherwise `STEP` or `NO_EVENT`. */
  readonly ends: readonly number[];
  /** The instant from which on nothing in it is found, in milliseconds since 1970. */
  keptUntil(): number;
  /** The entry of a line, read from the disk; rejects if it is no longer as it was sealed. */
  entry(line: number): Promise<Partial<QuoteEntry>>;
  /**
   * Appends entries, which are durable once it resolves. Where it rejects, it has left nothing: the file is opened anew,
   * cut to its last good length and synced. A failed sync is never repeated on the same data, since Linux marks pages
   * clean that it could not write. If undoing fails too, every later `append` and `settle` undoes first and rejects until
   * that succeeds.
   */
  append(entries: readonly QuoteEntry[]): Promise<void>;
  /** Undoes a failed `append` that could not be undone yet; rejects if it still cannot. */
  settle(): Promise<void>;
  /** Waits for reads in flight. */
  close(): Promise<void>;
}

/** A handoff or an opening. */
export const STEP = 0;
export const NO_EVENT = -1;

/**
 * Reads the file, if there is one; a lowdb adapter whose data are the entries to append. Shows only what it has made
 * durable: what a killed process had not yet synced must not be shown and then lost. A torn last line is dropped. A file
 * with damaged lines is copied to `<name>.damaged-<lines>.jsonl` for the operator.
 */
export async function openHourFile(folder: string, hour: string, disk: Disk, log: Log): Promise<HourFile> {
  const path = join(folder, fileOf("quotes", hour));
  const quotes = new Map<string, number>();
  const records = new Map<string, number>();
  const sales = new Set<string>();
  const ends: number[] = [];
  let end = 0;
  let handle: FileHandle | undefined;
  /** Where each durable line begins, and at last where the next one will: what lies behind that is not ours. */
  const starts = [0];
  /** Whether the file ends there. */
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
    // Windows syncs only what is open for writing, and loses nothing of a process that was killed.
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
    if (damagedLines > 0) await copyDamaged(damagedLines);
    return null;
  }

  /** Once: the name has the number of lines. */
  async function copyDamaged(lines: number): Promise<void> {
    const file = path.replace(/\.jsonl$/, `.damaged-${lines}.jsonl`);
    if (existsSync(file)) return;
    await disk.copyFile(path, `${file}.draft`);
    await disk.rename(`${file}.draft`, file);
    const facts = { file, damaged_lines: lines, served: ends.length - lines };
    log.error(facts, "a quote file is damaged and was copied; what is readable in it is served");
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
      // The caller gets the cause of the write; that undoing failed shows in the next one.
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

  /** The file, open, with a durable name, ending where its last durable entry ends. */
  async function ready(): Promise<FileHandle> {
    if (handle && tail === "good") return handle;
    // A file that was removed is not created again: its lines would be missing in the new one.
    const opened = await disk.open(path, constants.O_RDWR | (handle ? 0 : constants.O_CREAT), 0o600);
    try {
      await syncFolder(disk, folder);
      // Cut even where the length is right: a cut whose sync failed has to be made again, not just synced again.
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

async function drop(handle: FileHandle | undefined): Promise<void> {
  await handle?.close().catch(() => undefined);
}
