import { join } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { Low } from "lowdb";
import { keptUntil } from "../../../domain/quotes/quote.ts";
import type { QuoteEntry } from "../../../domain/sales/quote-store.ts";
import type { SaleEvent } from "../../../domain/sales/sale-event.ts";
import { syncFolder } from "../../../ops/create-folder.ts";
import { UnusableStorage } from "../unusable-storage.ts";
import { createJsonLines, itemOf, lineOf, replaceFile } from "./json-lines.ts";
import type { StoreParts } from "./lowdb-quote-store.ts";

export type Entry = Partial<QuoteEntry>;
export type Kind = keyof QuoteEntry;

/** What was stored in one hour (UTC), such as `2026-11-20T10`. */
export interface Hour {
  readonly name: string;
  /** `Low.data` has the lines of the file, an entry each. */
  readonly low: Low<Buffer[]>;
  readonly lines: ReturnType<typeof createJsonLines>;
  /** Lines by kind and name, such as `quote q_1`. */
  readonly named: Map<string, Buffer>;
  /** When the retention of its last entry ends, in milliseconds since 1970. */
  keptUntil: number;
  bytes: number;
}

/** Names of the files that any version of this program has written, and of those that this version writes. */
const OURS = /^[a-z]+-\d{4}-\d\d-\d\d.*\.jsonl?$/;
const OF_THIS_VERSION = /^(quotes|sales)-\d{4}-\d\d-\d\dT\d\d\.jsonl$/;
/** Lines that are read without a pause, so that a purge keeps no call waiting. */
const LINES_AT_ONCE = 50;

/**
 * The entries of a folder in memory, and in one file for each hour, which is deleted as a whole. `onSale` is called for
 * each event that is found at the start, and that is appended. Throws UnusableStorage where another version has written
 * the folder. Callers must not overlap calls of `append`, `settle` and `close`.
 */
export async function openHours(
  { folder, disk, log, clock }: StoreParts,
  onSale: (hour: string, sale: SaleEvent, line: Buffer) => void,
) {
  const hours = new Map<string, Hour>();
  /** The hour whose file is open for writing. */
  let open: Hour | undefined;

  const names = await disk.readdir(folder);
  const foreign = names.find((name) => OURS.test(name) && !OF_THIS_VERSION.test(name));
  if (foreign !== undefined) {
    const why = "was written by another version of this program";
    throw new UnusableStorage(`${join(folder, foreign)} ${why}; move ${folder} away, or set TRANSFER_DATA_DIR`);
  }
  for (const name of hoursOf("quotes", names)) await load(name);
  // A process that was killed may have left names of files that are not synced yet.
  await syncFolder(disk, folder);

  return {
    /** The oldest first. */
    all: (): readonly Hour[] => [...hours.values()],
    /** Whether an entry contains this. */
    has: (kind: Kind, name: string) => entriesWith(kind, name).length > 0,
    /** The entries with this, the newest first. */
    find: (kind: Kind, name: string) => entriesWith(kind, name).map((line): Entry => itemOf(line) ?? {}),

    /** Entries are durable once it resolves; where it rejects, none is stored. */
    async append(added: readonly { readonly entry: Entry; readonly line: Buffer }[]): Promise<void> {
      const hour = await current();
      const { low } = hour;
      low.data.push(...added.map(({ line }) => line));
      await low.write().catch((error) => {
        low.data.length -= added.length;
        throw error;
      });
      hours.set(hour.name, hour);
      for (const { entry, line } of added) add(hour, entry, line);
    },

    /** Opens the open file for the next `append`, and undoes a failed one; rejects if that fails again. */
    settle: async () => void (await open?.lines.settle()),
    close,

    /** The lines of its events. */
    async salesOf({ low }: Hour): Promise<readonly Buffer[]> {
      const sales: Buffer[] = [];
      for (const [n, line] of low.data.entries()) {
        if (n % LINES_AT_ONCE === 0) await pause();
        const { sale } = itemOf<Entry>(line) ?? {};
        if (sale) sales.push(lineOf({ sale }));
      }
      return sales;
    },

    /** Deletes an hour; these of its events go to a file of their own. */
    async remove({ name }: Hour, sales: readonly Buffer[]): Promise<void> {
      if (open?.name === name) await close();
      if (sales.length > 0) {
        const path = join(folder, fileOf("sales", name));
        // There are some where the clock was set back meanwhile, or the process was killed before the next step.
        const earlier = (await createJsonLines(path, disk).read()) ?? [];
        await replaceFile(disk, path, [...new Set([...earlier, ...sales].map(String))].join(""));
      }
      await disk.rm(join(folder, fileOf("quotes", name)), { force: true });
      hours.delete(name);
    },
  };

  async function load(name: string): Promise<void> {
    const hour = documentOf(name);
    await hour.low.read();
    let damaged = 0;
    for (const line of hour.low.data) {
      const entry = itemOf<Entry>(line);
      if (entry) add(hour, entry, line);
      else damaged += 1;
    }
    hours.set(name, hour);
    const file = join(folder, fileOf("quotes", name));
    const tornBytes = hour.lines.tornBytes();
    if (tornBytes > 0) log.warn({ file, torn_bytes: tornBytes }, "a quote file ends in a torn line");
    const facts = { file, damaged_lines: damaged, readable: hour.low.data.length - damaged };
    if (damaged > 0) log.error(facts, "lines of a quote file are damaged; the others are kept");
  }

  function documentOf(name: string): Hour {
    const lines = createJsonLines(join(folder, fileOf("quotes", name)), disk);
    return { name, lines, low: new Low<Buffer[]>(lines, []), named: new Map(), keptUntil: 0, bytes: 0 };
  }

  function add(hour: Hour, { quote, record, sale }: Entry, line: Buffer): void {
    hour.bytes += line.length;
    if (quote) hour.named.set(`quote ${quote.id}`, line);
    if (record) hour.named.set(`record ${record.keyHash}`, line);
    if (sale) hour.named.set(`sale ${sale.id}`, line);
    for (const instant of [quote?.expiresAt, record?.createdAt ?? sale?.at])
      if (instant) hour.keptUntil = Math.max(hour.keptUntil, keptUntil(instant));
    if (sale) onSale(hour.name, sale, line);
  }

  function entriesWith(kind: Kind, name: string): readonly Buffer[] {
    return [...hours.values()].reverse().flatMap(({ named }) => named.get(`${kind} ${name}`) ?? []);
  }

  /** The hour that is appended to, with its file open. */
  async function current(): Promise<Hour> {
    const name = hourAt(clock.now());
    if (open?.name === name) return open;
    // Until a failed write is undone, a retry that saves its entries in another file would duplicate them.
    await open?.lines.settle();
    await close();
    open = hours.get(name) ?? documentOf(name);
    return open;
  }

  async function close(): Promise<void> {
    await open?.lines.close();
    open = undefined;
  }
}

/** `quotes-<hour>.jsonl` has the entries of an hour, `sales-<hour>.jsonl` the events of one that was deleted. */
export function fileOf(kind: "quotes" | "sales", hour: string): string {
  return `${kind}-${hour}.jsonl`;
}

/** The hours of which `files` contains a file of this kind, the oldest first. */
export function hoursOf(kind: "quotes" | "sales", files: readonly string[]): readonly string[] {
  const names = files.map((file) => /-(\d{4}-\d\d-\d\dT\d\d)\.jsonl$/.exec(file)?.[1] ?? "");
  return names.filter((name, n) => files[n] === fileOf(kind, name)).sort();
}

/** The hour of an instant in UTC, which sorts as text. */
export function hourAt(instant: Date): string {
  return instant.toISOString().slice(0, 13);
}
