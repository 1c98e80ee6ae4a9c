import { join } from "node:path";
import { Low } from "lowdb";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import type { StoredQuote } from "../../quotes/quote.ts";
import { type IdempotencyRecord, KEPT_MILLISECONDS, type QuoteEntry } from "../quote-store.ts";
import { UnusableStorage } from "../unusable-storage.ts";
import { type Disk, makeFolder, removeFile, replaceFile, syncFolder } from "./disk.ts";
import { createLinesFile, hourAt, hourOf, type LinesFile, QUOTES, SALES } from "./lines-file.ts";
import { saleLines } from "./lowdb-sales.ts";

const PROBE = "probe";
/** More than most entries need. */
const PROBE_BYTES = 16 * 1024;
const DAY = 24 * 60 * 60_000;
/** Names that versions of this program have given to files of theirs, and those of this version. */
const OURS = /^[a-z]+-\d{4}-\d\d-\d\d.*\.jsonl?$/;
const OF_THIS_VERSION = /^(quotes|sales)-\d{4}-\d\d-\d\dT\d\d\.(damaged-.*\.)?jsonl$/;

/** The entries of a folder. */
export interface Hours {
  /** In the order in which they were created. */
  files(): readonly HourFile[];
  /** How many entries they hold. */
  size(): number;
  quote(id: string): Promise<StoredQuote | undefined>;
  record(scope: string): Promise<IdempotencyRecord | undefined>;
  /** Saves the entries in the file of this hour. */
  append(entries: readonly QuoteEntry[]): Promise<void>;
  /** Replaces files past their retention by the events in them, and deletes events past theirs. */
  purge(): Promise<void>;
  /** Undoes a failed write and allocates the room of an entry. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export interface HoursParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk: Disk;
  /** How long events are kept after their quotes; 0 = not at all. */
  readonly ledgerDays: number;
  /** Runs `append`, `probe` and `close`. */
  readonly mutex: Mutex;
  /** Called with each file that is deleted. */
  onPurged(file: HourFile): void;
}

/** Reads the folder. Throws UnusableStorage where another version has written it. */
export async function openHours(parts: HoursParts): Promise<Hours> {
  const { folder, clock, log, disk, ledgerDays, mutex, onPurged } = parts;
  const files = new Map<string, HourFile>();
  let current: HourFile | undefined;

  await makeFolder(disk, folder);
  const names = await disk.readdir(folder);
  const foreign = names.find((name) => OURS.test(name) && !OF_THIS_VERSION.test(name));
  if (foreign !== undefined) {
    const file = join(folder, foreign);
    const message = `${file} was written by another version of this program; move ${folder} away, or set TRANSFER_DATA_DIR`;
    throw new UnusableStorage(message);
  }
  for (const name of names.sort()) {
    if (hourOf(QUOTES, name) !== undefined) files.set(name, await openFile(name));
  }
  // A process killed before it synced its names may have left some that are not durable yet.
  await syncFolder(disk, folder);

  return {
    files: () => [...files.values()],
    size: () => [...files.values()].reduce((sum, file) => sum + file.size(), 0),
    quote: (id) =>
      firstKept(
        async (file) => (await entryAt(file, file.quotes.get(id)))?.quote,
        ({ expiresAt }) => expiresAt,
      ),
    // A scope is free again after 24 hours, so that two files may hold it.
    record: (scope) =>
      firstKept(
        async (file) => (await entryAt(file, file.records.get(scope)))?.record,
        ({ createdAt }) => createdAt,
      ),
    append,
    purge,
    probe,
    async close() {
      try {
        await leaveCurrent();
      } finally {
        for (const file of files.values()) await file.close();
      }
    },
  };

  function openFile(name: string): Promise<HourFile> {
    return openHourFile(name, join(folder, name), disk, log);
  }

  async function entryAt(file: HourFile, line: number | undefined): Promise<QuoteEntry | undefined> {
    return line === undefined ? undefined : await file.item(line);
  }

  async function firstKept<T>(
    find: (file: HourFile) => Promise<T | undefined>,
    endOf: (found: T) => string,
  ): Promise<T | undefined> {
    for (const file of files.values()) {
      const found = await find(file);
      if (found !== undefined && clock.now().getTime() < keptUntil(endOf(found))) return found;
    }
    return undefined;
  }

  async function append(entries: readonly QuoteEntry[]): Promise<void> {
    const name = `${QUOTES}${hourAt(clock.now())}.jsonl`;
    if (current?.name !== name) await leaveCurrent();
    current ??= files.get(name) ?? (await openFile(name));
    await current.append(entries);
    files.set(name, current);
  }

  /** Rejects while a failed write is not undone: saved again elsewhere, its entry would be duplicated. */
  async function leaveCurrent(): Promise<void> {
    await current?.settle();
    current = undefined;
  }

  async function purge(): Promise<void> {
    const now = clock.now();
    for (const file of files.values()) {
      const hour = hourOf(QUOTES, file.name) ?? "";
      // An entry may still be appended to the file of this hour.
      if (now.getTime() < file.keptUntil() || hour === hourAt(now)) continue;
      if (file === current) await mutex(leaveCurrent);
      // One rename makes its events durable as a whole.
      if (ledgerDays > 0) await replaceFile(disk, salesPath(hour), saleLines(disk, folder, hour));
      await removeFile(disk, join(folder, file.name));
      files.delete(file.name);
      onPurged(file);
      await file.close();
    }
    const oldest = hourAt(new Date(now.getTime() - ledgerDays * DAY));
    for (const name of await disk.readdir(folder)) {
      const hour = hourOf(SALES, name);
      if (hour !== undefined && hour < oldest) await removeFile(disk, salesPath(hour));
    }
  }

  function salesPath(hour: string): string {
    return join(folder, `${SALES}${hour}.jsonl`);
  }

  async function probe(): Promise<void> {
    await current?.settle();
    const path = join(folder, PROBE);
    const handle = await disk.open(path, "w", 0o600);
    try {
      await handle.writeFile(Buffer.alloc(PROBE_BYTES));
      await handle.datasync();
    } finally {
      await handle.close();
      // A probe that wrote over its own blocks would succeed on a full disk.
      await removeFile(disk, path);
    }
  }
}

/** The entries of an hour in one file, which is deleted as a whole. Memory holds the number of each entry's line. */
export interface HourFile extends Pick<LinesFile<QuoteEntry>, "item" | "settle" | "close"> {
  readonly name: string;
  /** Lines by the ids of quotes and the scopes of records. */
  readonly quotes: ReadonlyMap<string, number>;
  readonly records: ReadonlyMap<string, number>;
  /** Ids of events that are stored without a quote: what comes with a quote is as unique as that. */
  readonly sales: ReadonlySet<string>;
  /** By line: when the quote ends that its event created, in milliseconds since 1970; otherwise `STEP` or `NO_EVENT`. */
  readonly ends: readonly number[];
  /** How many entries it holds. */
  size(): number;
  /** The instant from which on nothing in it is found, in milliseconds since 1970. */
  keptUntil(): number;
  /** All or, if it rejects, none; see `LinesFile` for a disk that also fails to undo. */
  append(entries: readonly QuoteEntry[]): Promise<void>;
}

/** A handoff or an opening. */
const STEP = 0;
export const NO_EVENT = -1;

/** Reads the file, if there is one. */
async function openHourFile(name: string, path: string, disk: Disk, log: Log): Promise<HourFile> {
  const quotes = new Map<string, number>();
  const records = new Map<string, number>();
  const sales = new Set<string>();
  const ends: number[] = [];
  let size = 0;
  let end = 0;
  const file = createLinesFile<QuoteEntry>({ path, disk, log, onItem });
  const low = new Low<readonly QuoteEntry[]>(file, []);
  await low.read();
  const { item, settle, close } = file;
  return { name, quotes, records, sales, ends, size: () => size, keptUntil: () => end, append, item, settle, close };

  async function append(entries: readonly QuoteEntry[]): Promise<void> {
    low.data = entries;
    try {
      await low.write();
    } finally {
      low.data = [];
    }
  }

  function onItem({ quote, record, sale }: Partial<QuoteEntry>, line: number): void {
    if (quote) quotes.set(quote.id, line);
    if (record) records.set(record.scope, line);
    if (sale && !quote) sales.add(sale.id);
    ends[line] = sale?.type === "quote.created" ? Date.parse(sale.expiresAt) : sale ? STEP : NO_EVENT;
    if (quote || record || sale) size += 1;
    const other = record?.createdAt ?? sale?.at;
    end = Math.max(end, quote ? keptUntil(quote.expiresAt) : 0, other ? keptUntil(other) : 0);
  }
}

/** The instant from which on what ends or begins at `instant` is no longer found, in milliseconds since 1970. */
function keptUntil(instant: string): number {
  return Date.parse(instant) + KEPT_MILLISECONDS;
}

/** Runs one task at a time, in order; a task that fails does not stop the next. */
type Mutex = <R>(task: () => Promise<R>) => Promise<R>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();

  return function mutex<R>(task: () => Promise<R>): Promise<R> {
    const run = last.then(task);
    last = run.catch(() => undefined);
    return run;
  };
}
