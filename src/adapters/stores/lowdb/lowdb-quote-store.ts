import { join } from "node:path";
import { Low } from "lowdb";
import { PublicError } from "../../../contract/errors.ts";
import { keptUntil, readStoredQuote } from "../../../domain/quotes/quote.ts";
import type { IdempotencyRecord, QuoteEntry, QuoteStore } from "../../../domain/sales/quote-store.ts";
import type { Clock } from "../../../ops/clock.ts";
import { createFolder, syncFolder } from "../../../ops/create-folder.ts";
import { DAY, HOUR, MINUTE } from "../../../ops/durations.ts";
import { createLatch, type Log } from "../../../ops/log.ts";
import { createLedgerGuard, createMutex, createPurge, createStoreCalls } from "../store-calls.ts";
import {
  createLines,
  type Disk,
  type Entry,
  entryOf,
  fileOf,
  hourAt,
  hoursOf,
  lineOf,
  localDisk,
  replaceFile,
} from "./hour-files.ts";
import { openLowdbOutbox } from "./lowdb-outbox.ts";

/** Larger than most entries. */
const PROBE_BYTES = 16 * 1024;
const MOST_BYTES = 256 * 1024 * 1024;
const FULL =
  "the embedded store is full: what would be stored is rejected; PostgreSQL (TRANSFER_DATABASE_URL) holds more";

export interface LowdbQuoteStoreOptions {
  /** Created if it is missing. The caller must hold its lock (`lockFolder`). */
  readonly folder: string;
  /** How many entries are kept, in memory; beyond that `insert` rejects until expired ones are purged. */
  readonly maxLiveQuotes: number;
  /** The same for their size on disk, which is about that in memory. Default 256 MiB. */
  readonly mostBytes?: number;
  /** How many days events are kept; 0: no longer than their quotes. */
  readonly ledgerDays: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk?: Disk;
  readonly fillsOutbox?: boolean;
}

/** What was stored in one hour. */
interface Hour {
  readonly name: string;
  /** `Low.data` has the lines of the file, an entry each. */
  readonly low: Low<Buffer[]>;
  readonly lines: ReturnType<typeof createLines>;
  /** Lines by kind and name, such as `quote q_1`. */
  readonly named: Map<string, Buffer>;
  /** Lines of its events alone, which replace the file. */
  readonly sales: string[];
  /** When the retention of its last entry ends, in milliseconds since 1970. */
  keptUntil: number;
}

/**
 * The quote store on lowdb: all live entries in memory, and in a file of JSON lines for each hour
 * (docs/maintainers/embedded-store.md). An entry is one line, so that quote, record and event are stored together or not
 * at all. Entries that arrive during a write share the next one. An hour past its retention is replaced by its events.
 */
export async function openLowdbQuoteStore(options: LowdbQuoteStoreOptions) {
  const { folder, maxLiveQuotes, mostBytes = MOST_BYTES, ledgerDays, clock, log, disk = localDisk } = options;
  await createFolder(folder, disk);
  const outbox = options.fillsOutbox ? await openLowdbOutbox(folder, clock, disk) : undefined;
  const hours = new Map<string, Hour>();
  /** What is stored or being saved. */
  const size = { entries: 0, bytes: 0 };
  const calls = createStoreCalls(log, release);
  const room = createLatch(log, "error", FULL, "the embedded store has room again");
  /** Writes to files of hours, and the undoing of failed ones, run one at a time. */
  const mutex = createMutex();
  /** Names of entries that are being saved. */
  const saving = new Set<string>();
  /** The hour whose file is open for writing. */
  let open: Hour | undefined;
  /** What the next write saves, while the one before it is in progress. */
  let next: { readonly lines: Map<Buffer, Entry>; readonly written: Promise<void> } | undefined;
  for (const name of hoursOf("quotes", await disk.readdir(folder))) await load(hourNamed(name));
  // A process that was killed may have left names of files that are not synced yet.
  await syncFolder(disk, folder);
  const mayDeleteEvents = createLedgerGuard(log);
  const purge = createPurge(purgeExpired, MINUTE, log, { folder });
  await purge.run();

  return {
    /** `undefined` where `fillsOutbox` is false. */
    outbox,
    insert: (entry) => calls.run("saved", () => save(entry)),
    replace: (quote) => calls.run("saved", async () => append({ quote })),
    find: (id) =>
      calls.run("read", async () => {
        const { quote } = find("quote", id) ?? {};
        return quote && isKept(quote.expiresAt) ? readStoredQuote(quote) : undefined;
      }),
    findRecord: (keyHash) => calls.run("read", async () => keptRecord(keyHash)),
    ping: () => calls.run("saved", probe),
    close: calls.close,
  } satisfies QuoteStore & Record<string, unknown>;

  async function save({ quote, record, sale }: QuoteEntry) {
    const names = namesOf({ quote, record, sale });
    // Until the writes before this have ended.
    while (names.some((name) => saving.has(name))) await mutex(async () => {});
    const held = record && keptRecord(record.keyHash);
    if (held) return held;
    if (quote && find("quote", quote.id)) throw new Error("a quote with this id exists");
    const isKnown = !quote && sale && find("sale", sale.id);
    if (isKnown && !record) return undefined;
    const saved = append(isKnown ? { record } : { quote, record, sale, delivers: outbox && true });
    for (const name of names) saving.add(name);
    await saved.finally(() => {
      for (const name of names) saving.delete(name);
    });
    return undefined;
  }

  /** The entry is durable, and found, once this resolves; where it rejects, it is not stored. Throws where there is no room. */
  function append(entry: Entry): Promise<void> {
    if (size.entries >= maxLiveQuotes || size.bytes >= mostBytes) throw storeFull();
    const line = lineOf(entry);
    count([line], 1);
    next ??= { lines: new Map(), written: mutex(writeNext) };
    next.lines.set(line, entry);
    return next.written;
  }

  function storeFull(): PublicError {
    room.failed({ folder, entries: maxLiveQuotes, bytes: mostBytes });
    const nextPurge = Math.min(...[...hours.values()].map(({ keptUntil }) => keptUntil)) + MINUTE;
    return new PublicError("UPSTREAM_UNAVAILABLE", "The operator's limit of stored quotes has been reached.", {
      retryAfterSeconds: Math.max(1, Math.ceil((nextPurge - clock.now().getTime()) / 1000)),
      nextAction: "Retry when older quotes have been purged, or contact the operator.",
    });
  }

  async function writeNext(): Promise<void> {
    const { lines = new Map<Buffer, Entry>() } = next ?? {};
    next = undefined;
    try {
      const hour = await current();
      hour.low.data.push(...lines.keys());
      await hour.low.write();
      hours.set(hour.name, hour);
      for (const [line, entry] of lines) add(hour, entry, line);
    } catch (error) {
      count([...lines.keys()], -1);
      throw error;
    }
  }

  /** The hour that is written to, with its file open. */
  async function current(): Promise<Hour> {
    const name = hourAt(clock.now());
    if (open?.name === name) return open;
    // Until a failed write is undone, a retry that saves its entries in another file would duplicate them.
    await open?.lines.settle();
    await open?.lines.close();
    open = hours.get(name) ?? hourNamed(name);
    return open;
  }

  function hourNamed(name: string): Hour {
    const lines = createLines(join(folder, fileOf("quotes", name)), disk);
    return { name, lines, low: new Low<Buffer[]>(lines, []), named: new Map(), sales: [], keptUntil: 0 };
  }

  async function load(hour: Hour): Promise<void> {
    await hour.low.read();
    hours.set(hour.name, hour);
    count(hour.low.data, 1);
    let damaged = 0;
    for (const line of hour.low.data) {
      const entry = entryOf(line);
      if (entry) add(hour, entry, line);
      else damaged += 1;
    }
    const file = join(folder, fileOf("quotes", hour.name));
    const facts = { file, damaged_lines: damaged, readable: hour.low.data.length - damaged };
    if (damaged > 0) log.error(facts, "lines of a quote file are damaged; the others are kept");
  }

  function add(hour: Hour, entry: Entry, line: Buffer): void {
    const { quote, record, sale, delivers } = entry;
    for (const name of namesOf(entry)) hour.named.set(name, line);
    if (sale) hour.sales.push(lineOf({ sale }).toString());
    if (sale && delivers) outbox?.add(hour.name, sale, line);
    for (const instant of [quote?.expiresAt, record?.createdAt ?? sale?.at])
      if (instant) hour.keptUntil = Math.max(hour.keptUntil, keptUntil(instant));
  }

  function count(lines: readonly Buffer[], sign: 1 | -1): void {
    size.entries += sign * lines.length;
    for (const { length } of lines) size.bytes += sign * length;
  }

  function keptRecord(keyHash: string): IdempotencyRecord | undefined {
    const { record } = find("record", keyHash) ?? {};
    return record && isKept(record.createdAt) ? record : undefined;
  }

  function isKept(instant: string): boolean {
    return clock.now().getTime() < keptUntil(instant);
  }

  /** The newest entry with this. */
  function find(kind: keyof QuoteEntry, name: string): Entry | undefined {
    const { named } = [...hours.values()].findLast((hour) => hour.named.has(`${kind} ${name}`)) ?? {};
    const line = named?.get(`${kind} ${name}`);
    return line && entryOf(line);
  }

  /** Undoes a failed write, then writes and deletes a file of the size of an entry. */
  async function probe(): Promise<void> {
    await settle();
    const path = join(folder, "probe");
    // Deletes the file each time: overwriting its own blocks would succeed on a full disk.
    await disk
      .writeFile(path, Buffer.alloc(PROBE_BYTES), { flush: true })
      .finally(() => disk.rm(path, { force: true }));
  }

  function settle(): Promise<void> {
    return mutex(async () => void (await open?.lines.settle()));
  }

  /** Hours without kept entries are replaced by their events, and those are deleted when the ledger's days are over. */
  async function purgeExpired(): Promise<void> {
    for (const hour of hours.values()) await mutex(() => removeOver(hour));
    const sales = hoursOf("sales", await disk.readdir(folder));
    const [first] = sales;
    const now = clock.now();
    const endOf = (hour: string) => Date.parse(`${hour}:00Z`) + HOUR + ledgerDays * DAY;
    if (!first || !mayDeleteEvents(endOf(first), now)) return;
    for (const hour of sales)
      if (now.getTime() >= endOf(hour)) await disk.rm(join(folder, fileOf("sales", hour)), { force: true });
  }

  async function removeOver({ name, low, lines, sales, keptUntil }: Hour): Promise<void> {
    if (clock.now().getTime() < keptUntil) return;
    await lines.close();
    if (open?.name === name) open = undefined;
    if (ledgerDays > 0 && sales.length > 0) {
      const path = join(folder, fileOf("sales", name));
      // There are some where the clock was set back meanwhile, or the process was killed before the next step.
      const earlier = await createLines(path, disk).read();
      await replaceFile(disk, path, [...new Set([...earlier.map(String), ...sales])].join(""));
    }
    await disk.rm(join(folder, fileOf("quotes", name)), { force: true });
    hours.delete(name);
    count(low.data, -1);
    const late = await outbox?.purged(name);
    if (late) log.error({ events: late }, "events were set aside: their retention is over");
    room.worked({ folder });
  }

  async function release(): Promise<void> {
    await purge.end();
    await settle().catch((error) => log.error({ folder, err: error }, "a failed write could not be undone"));
    await open?.lines.close();
  }
}

/** Of each part of an entry its kind and name. */
function namesOf({ quote, record, sale }: Entry): readonly string[] {
  return [quote && `quote ${quote.id}`, record && `record ${record.keyHash}`, sale && `sale ${sale.id}`].filter(
    (name) => name !== undefined,
  );
}
