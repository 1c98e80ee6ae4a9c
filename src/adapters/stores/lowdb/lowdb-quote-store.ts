import { join } from "node:path";
import { PublicError } from "../../../contract/errors.ts";
import { keptUntil, readStoredQuote } from "../../../domain/quotes/quote.ts";
import type { QuoteEntry, QuoteStore } from "../../../domain/sales/quote-store.ts";
import type { Clock } from "../../../ops/clock.ts";
import { createFolder } from "../../../ops/create-folder.ts";
import { DAY, HOUR, MINUTE } from "../../../ops/durations.ts";
import { createLatch, type Log } from "../../../ops/log.ts";
import { createLedgerGuard, createPurge, createStoreCalls } from "../store-calls.ts";
import { type Entry, fileOf, hoursOf, openHours } from "./hours.ts";
import { type Disk, localDisk } from "./json-lines.ts";
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

/** What the parts of the store share. */
export type StoreParts = Required<Pick<LowdbQuoteStoreOptions, "folder" | "clock" | "log" | "disk">>;

/**
 * The quote store on lowdb: all live entries in memory, and in a file of JSON lines for each hour
 * (docs/maintainers/embedded-store.md). An entry is one line, so that quote, record and event are stored together or not
 * at all. Entries that arrive during a write share the next one. An hour past its retention is replaced by its events.
 * Throws UnusableStorage where another version has written the folder.
 */
export async function openLowdbQuoteStore(options: LowdbQuoteStoreOptions) {
  const { folder, maxLiveQuotes, mostBytes = MOST_BYTES, ledgerDays, clock, log, disk = localDisk } = options;
  await createFolder(folder, disk);
  const parts: StoreParts = { folder, clock, log, disk };
  const outbox = options.fillsOutbox ? await openLowdbOutbox(parts) : undefined;
  const hours = await openHours(parts, (...sale) => outbox?.add(...sale));
  const calls = createStoreCalls(log, release);
  const room = createLatch(log, "error", FULL, "the embedded store has room again");
  /** Keys and ids that are being saved, and when that has ended. */
  const saving = new Map<string, Promise<void>>();
  const mayDeleteEvents = createLedgerGuard(log);
  const purge = createPurge(purgeExpired, MINUTE, log, { folder });
  await purge.run();

  return {
    /** `undefined` where `fillsOutbox` is false. */
    outbox,
    insert: (entry) => calls.run("saved", () => save(entry)),
    replace: (quote) =>
      calls.run("saved", async () => {
        if (isFull()) throw storeFull();
        await hours.append({ quote });
      }),
    find: (id) =>
      calls.run("read", async () => {
        const entry = keptEntry("quote", id);
        return entry && readStoredQuote(entry.quote);
      }),
    findRecord: (keyHash) => calls.run("read", async () => keptEntry("record", keyHash)?.record),
    ping: () => calls.run("saved", probe),
    close: calls.close,
  } satisfies QuoteStore & Record<string, unknown>;

  async function save({ quote, record, sale }: QuoteEntry) {
    const names = [record?.keyHash, quote?.id, sale?.id].filter((name) => name !== undefined);
    for (let other = inProgress(names); other; other = inProgress(names)) await other.catch(() => undefined);
    const held = record && keptEntry("record", record.keyHash)?.record;
    if (held) return held;
    if (quote && hours.find("quote", quote.id).length > 0) throw new Error("a quote with this id exists");
    const isKnown = !quote && sale && hours.find("sale", sale.id).length > 0;
    if (isKnown && !record) return undefined;
    if (isFull()) throw storeFull();
    const saved = hours.append(isKnown ? { record } : { quote, record, sale, delivers: outbox && true });
    for (const name of names) saving.set(name, saved);
    try {
      await saved;
    } finally {
      for (const name of names) saving.delete(name);
    }
    return undefined;
  }

  function inProgress(names: readonly string[]): Promise<void> | undefined {
    return names.map((name) => saving.get(name)).find((other) => other !== undefined);
  }

  function isFull(): boolean {
    return hours.size.entries >= maxLiveQuotes || hours.size.bytes >= mostBytes;
  }

  function storeFull(): PublicError {
    room.failed({ folder, entries: maxLiveQuotes, bytes: mostBytes });
    return new PublicError("UPSTREAM_UNAVAILABLE", "The operator's limit of stored quotes has been reached.", {
      retryAfterSeconds: Math.max(1, Math.ceil((hours.nextPurge() - clock.now().getTime()) / 1000)),
      nextAction: "Retry when older quotes have been purged, or contact the operator.",
    });
  }

  /** The live entry with this id or key hash. */
  function keptEntry(kind: "quote" | "record", name: string): Entry | undefined {
    return hours.find(kind, name).find((entry) => {
      const end = kind === "quote" ? entry.quote?.expiresAt : entry.record?.createdAt;
      return end && clock.now().getTime() < keptUntil(end);
    });
  }

  /** Undoes a failed write, then writes and deletes a file of the size of an entry. */
  async function probe(): Promise<void> {
    await hours.settle();
    const path = join(folder, "probe");
    // Deletes the file each time: overwriting its own blocks would succeed on a full disk.
    await disk
      .writeFile(path, Buffer.alloc(PROBE_BYTES), { flush: true })
      .finally(() => disk.rm(path, { force: true }));
  }

  async function purgeExpired(): Promise<void> {
    for await (const hour of hours.purge(ledgerDays > 0)) {
      const late = await outbox?.purged(hour);
      if (late) log.error({ events: late }, "events were set aside: their retention is over");
      room.worked({ folder });
    }
    const sales = hoursOf("sales", await disk.readdir(folder));
    const [first] = sales;
    const now = clock.now();
    const endOf = (hour: string) => Date.parse(`${hour}:00Z`) + HOUR + ledgerDays * DAY;
    if (!first || !mayDeleteEvents(endOf(first), now)) return;
    for (const hour of sales)
      if (now.getTime() >= endOf(hour)) await disk.rm(join(folder, fileOf("sales", hour)), { force: true });
  }

  async function release(): Promise<void> {
    await purge.end();
    await hours.settle().catch((error) => log.error({ folder, err: error }, "a failed write could not be undone"));
    await hours.close();
  }
}
