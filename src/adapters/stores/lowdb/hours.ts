import { join } from "node:path";
import { Low } from "lowdb";
import { keptUntil } from "../../../domain/quotes/quote.ts";
import type { QuoteEntry } from "../../../domain/sales/quote-store.ts";
import type { SaleEvent } from "../../../domain/sales/sale-event.ts";
import { syncFolder } from "../../../ops/create-folder.ts";
import { MINUTE } from "../../../ops/durations.ts";
import { createMutex } from "../store-calls.ts";
import { UnusableStorage } from "../unusable-storage.ts";
import { createJsonLines, itemOf, lineOf, replaceFile } from "./json-lines.ts";
import type { StoreParts } from "./lowdb-quote-store.ts";

export interface Entry extends Partial<QuoteEntry> {
  /** Whether its event is to be delivered. */
  readonly delivers?: boolean;
}

/** What was stored in one hour (UTC), such as `2026-11-20T10`. */
interface Hour {
  readonly name: string;
  /** `Low.data` has the lines of the file, an entry each. */
  readonly low: Low<Buffer[]>;
  readonly lines: ReturnType<typeof createJsonLines>;
  /** Lines by kind and name, such as `quote q_1`. */
  readonly named: Map<string, Buffer>;
  /** Lines of its events alone, which replace the file. */
  readonly sales: string[];
  /** When the retention of its last entry ends, in milliseconds since 1970. */
  keptUntil: number;
}

/** Files of hours that this version does not write. */
const FOREIGN = /^quotes-(?!\d{4}-\d\d-\d\dT\d\d\.jsonl$)\d{4}-.*\.jsonl$/;

/**
 * The entries of a folder in memory, and in one file for each hour, which is deleted as a whole. `onSale` is called for
 * each event to be delivered that is found at the start or appended. Throws UnusableStorage where another version has
 * written the folder.
 */
export async function openHours(
  { folder, disk, log, clock }: StoreParts,
  onSale: (hour: string, sale: SaleEvent, line: Buffer) => void,
) {
  const hours = new Map<string, Hour>();
  /** What is stored or being saved. */
  const size = { entries: 0, bytes: 0 };
  /** Writes to files of hours, and the undoing of failed ones, run one at a time. */
  const mutex = createMutex();
  /** The hour whose file is open for writing. */
  let open: Hour | undefined;
  /** What the next write saves, while the one before it is in progress. */
  let next: { readonly lines: Map<Buffer, Entry>; readonly written: Promise<void> } | undefined;

  const names = await disk.readdir(folder);
  const foreign = names.find((name) => FOREIGN.test(name));
  if (foreign !== undefined) {
    const why = "was written by another version of this program";
    throw new UnusableStorage(`${join(folder, foreign)} ${why}; move ${folder} away, or set TRANSFER_DATA_DIR`);
  }
  for (const name of hoursOf("quotes", names)) await load(name);
  // A process that was killed may have left names of files that are not synced yet.
  await syncFolder(disk, folder);

  return {
    size,
    /** When the first hour can be deleted, in milliseconds since 1970. */
    nextPurge: () => Math.min(...[...hours.values()].map((hour) => hour.keptUntil)) + MINUTE,

    /** The entries with this, the newest first. */
    find(kind: keyof QuoteEntry, name: string): readonly Entry[] {
      const lines = [...hours.values()].reverse().flatMap(({ named }) => named.get(`${kind} ${name}`) ?? []);
      return lines.flatMap((line) => itemOf<Entry>(line) ?? []);
    },

    /** The entry is durable, and found, once this resolves; where it rejects, it is not stored. */
    append(entry: Entry): Promise<void> {
      const line = lineOf(entry);
      count(line, 1);
      next ??= { lines: new Map(), written: mutex(writeNext) };
      next.lines.set(line, entry);
      return next.written;
    },

    /** Undoes a failed write; rejects if that fails again. */
    settle: () => mutex(async () => void (await open?.lines.settle())),
    close: () => mutex(close),

    /** Deletes the hours of which nothing is kept any more, with their events in files of their own if they are kept. */
    async *purge(keepsSales: boolean) {
      for (const hour of hours.values()) if (await mutex(() => removeOver(hour, keepsSales))) yield hour.name;
    },
  };

  async function load(name: string): Promise<void> {
    const hour = hourNamed(name);
    await hour.low.read();
    let damaged = 0;
    for (const line of hour.low.data) {
      const entry = itemOf<Entry>(line);
      if (!entry) damaged += 1;
      count(line, 1);
      add(hour, entry ?? {}, line);
    }
    hours.set(name, hour);
    const facts = { file: quotesFile(name), damaged_lines: damaged, readable: hour.low.data.length - damaged };
    if (damaged > 0) log.error(facts, "lines of a quote file are damaged; the others are kept");
  }

  function hourNamed(name: string): Hour {
    const lines = createJsonLines(quotesFile(name), disk);
    return { name, lines, low: new Low<Buffer[]>(lines, []), named: new Map(), sales: [], keptUntil: 0 };
  }

  function add(hour: Hour, { quote, record, sale, delivers }: Entry, line: Buffer): void {
    if (quote) hour.named.set(`quote ${quote.id}`, line);
    if (record) hour.named.set(`record ${record.keyHash}`, line);
    if (sale) hour.named.set(`sale ${sale.id}`, line);
    if (sale) hour.sales.push(lineOf({ sale }).toString());
    for (const instant of [quote?.expiresAt, record?.createdAt ?? sale?.at])
      if (instant) hour.keptUntil = Math.max(hour.keptUntil, keptUntil(instant));
    if (sale && delivers) onSale(hour.name, sale, line);
  }

  function count(line: Buffer, sign: 1 | -1): void {
    size.entries += sign;
    size.bytes += sign * line.length;
  }

  async function writeNext(): Promise<void> {
    const { lines = new Map<Buffer, Entry>() } = next ?? {};
    next = undefined;
    try {
      const hour = await current();
      hour.low.data.push(...lines.keys());
      await hour.low.write().catch((error) => {
        hour.low.data.length -= lines.size;
        throw error;
      });
      hours.set(hour.name, hour);
      for (const [line, entry] of lines) add(hour, entry, line);
    } catch (error) {
      for (const line of lines.keys()) count(line, -1);
      throw error;
    }
  }

  /** The hour that is written to, with its file open. */
  async function current(): Promise<Hour> {
    const name = hourAt(clock.now());
    if (open?.name === name) return open;
    // Until a failed write is undone, a retry that saves its entries in another file would duplicate them.
    await open?.lines.settle();
    await close();
    open = hours.get(name) ?? hourNamed(name);
    return open;
  }

  async function close(): Promise<void> {
    await open?.lines.close();
    open = undefined;
  }

  /** False where something of the hour is still kept. */
  async function removeOver({ name, low, sales, keptUntil }: Hour, keepsSales: boolean): Promise<boolean> {
    if (clock.now().getTime() < keptUntil) return false;
    if (open?.name === name) await close();
    if (keepsSales && sales.length > 0) {
      const path = join(folder, fileOf("sales", name));
      // There are some where the clock was set back meanwhile, or the process was killed before the next step.
      const earlier = (await createJsonLines(path, disk).read()) ?? [];
      await replaceFile(disk, path, [...new Set([...earlier.map(String), ...sales])].join(""));
    }
    await disk.rm(quotesFile(name), { force: true });
    hours.delete(name);
    for (const line of low.data) count(line, -1);
    return true;
  }

  function quotesFile(hour: string): string {
    return join(folder, fileOf("quotes", hour));
  }
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

/** The hour of an instant in UTC, which sorts as text. */
export function hourAt(instant: Date): string {
  return instant.toISOString().slice(0, 13);
}
