import { join } from "node:path";
import { PublicError } from "../../../contract/errors.ts";
import { keptUntil, readStoredQuote } from "../../../domain/quotes/quote.ts";
import type { IdempotencyRecord, QuoteEntry, QuoteStore } from "../../../domain/sales/quote-store.ts";
import type { Clock } from "../../../ops/clock.ts";
import { createFolder } from "../../../ops/create-folder.ts";
import { DAY, HOUR, MINUTE } from "../../../ops/durations.ts";
import { createLatch, type Log } from "../../../ops/log.ts";
import { createLedgerGuard, createMutex, createPurge, createStoreCalls } from "../store-calls.ts";
import { type Entry, fileOf, type Hour, hourAt, hoursOf, openHours } from "./hours.ts";
import { type Disk, lineOf, localDisk } from "./json-lines.ts";
import { openLowdbOutbox } from "./lowdb-outbox.ts";

/** Larger than most entries. */
const PROBE_BYTES = 16 * 1024;
const MOST_BYTES = 256 * 1024 * 1024;

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

interface Waiting {
  readonly entry: QuoteEntry;
  resolve(held: IdempotencyRecord | undefined): void;
  reject(error: unknown): void;
}

/**
 * The quote store on lowdb: all live entries in memory, and in a file of JSON lines for each hour
 * (docs/operations/embedded-store.md). An entry is one line, so that quote, record and event are stored together or not
 * at all. Entries that arrive during a write share the next one. An hour past its retention is replaced by its events.
 * Throws UnusableStorage where another version has written the folder.
 */
export async function openLowdbQuoteStore(options: LowdbQuoteStoreOptions) {
  const { folder, maxLiveQuotes, ledgerDays, clock, log, fillsOutbox = false } = options;
  const { mostBytes = MOST_BYTES, disk = localDisk } = options;
  /** Appends, and the undoing of failed ones, run one at a time. */
  const mutex = createMutex();
  await createFolder(folder, disk);
  const parts: StoreParts = { folder, clock, log, disk };
  const outbox = fillsOutbox ? await openLowdbOutbox(parts) : undefined;
  const hours = await openHours(parts, (...sale) => outbox?.add(...sale));
  await outbox?.begin();
  const calls = createStoreCalls(log, release);
  const room = createLatch(
    log,
    "error",
    "the embedded store is full: what would be stored is rejected; PostgreSQL (TRANSFER_DATABASE_URL) holds more",
    "the embedded store has room again",
  );
  const waiting: Waiting[] = [];
  const mayDeleteEvents = createLedgerGuard(log);
  const purge = createPurge(purgeExpired, MINUTE, log, { folder });
  await purge.run();

  return {
    /** `undefined` where `fillsOutbox` is false. */
    outbox,
    insert: (entry) =>
      calls.run("saved", () => {
        return new Promise((resolve, reject) => {
          waiting.push({ entry, resolve, reject });
          // The first of several waiting calls saves the entries of all; the others then find nothing to save.
          mutex(saveGroup).catch(reject);
        });
      }),
    find: (id) =>
      calls.run("read", async () => {
        const entry = keptEntry("quote", id);
        return entry && readStoredQuote(entry.quote);
      }),
    findRecord: (keyHash) => calls.run("read", async () => keptEntry("record", keyHash)?.record),
    ping: () => calls.run("saved", () => mutex(probe)),
    close: calls.close,
  } satisfies QuoteStore & Record<string, unknown>;

  /** Saves the waiting entries: one of those with the same key or id, while the others wait for the next group. */
  async function saveGroup(): Promise<void> {
    const taken = new Set<string>();
    const group: { readonly entry: Entry; readonly line: Buffer; readonly waiting: Waiting }[] = [];
    let stored = 0;
    let bytes = 0;
    for (const hour of hours.all()) {
      stored += hour.low.data.length;
      bytes += hour.bytes;
    }
    for (const each of waiting.splice(0)) {
      const { quote, record, sale } = each.entry;
      const own = [record?.keyHash, quote?.id, sale?.id].filter((name) => name !== undefined);
      if (own.some((name) => taken.has(name))) {
        waiting.push(each);
        continue;
      }
      for (const name of own) taken.add(name);
      try {
        const held = record && keptEntry("record", record.keyHash)?.record;
        const entry = held ? undefined : newPartOf(each.entry);
        const line = entry && lineOf(entry);
        if (!line) each.resolve(held);
        else if (stored >= maxLiveQuotes || bytes + line.length > mostBytes) throw storeFull();
        else {
          stored += 1;
          bytes += line.length;
          group.push({ entry, line, waiting: each });
        }
      } catch (error) {
        each.reject(error);
      }
    }
    if (group.length === 0) return;
    try {
      await hours.append(group);
      for (const { waiting } of group) waiting.resolve(undefined);
    } catch (error) {
      for (const { waiting } of group) waiting.reject(error);
    }
  }

  /** The entry, without its event if that is already stored; `undefined` where nothing remains to be saved. */
  function newPartOf(entry: QuoteEntry): Entry | undefined {
    const { quote, record, sale } = entry;
    if (quote && hours.has("quote", quote.id)) throw new Error("a quote with this id exists");
    const isKnown = !quote && sale && hours.has("sale", sale.id);
    return isKnown ? record && { record } : entry;
  }

  function storeFull(): PublicError {
    room.failed({ folder, entries: maxLiveQuotes, bytes: mostBytes });
    const nextPurge = Math.min(...hours.all().map((hour) => hour.keptUntil)) + MINUTE;
    return new PublicError("UPSTREAM_UNAVAILABLE", "The operator's limit of stored quotes has been reached.", {
      retryAfterSeconds: Math.max(1, Math.ceil((nextPurge - clock.now().getTime()) / 1000)),
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
    const now = clock.now();
    const isOver = (hour: Hour) => now.getTime() >= hour.keptUntil && hour.name !== hourAt(now);
    for (const hour of hours.all().filter(isOver)) {
      const sales = ledgerDays > 0 ? await hours.salesOf(hour) : [];
      // Nothing is added to it meanwhile, unless the clock was set back.
      await mutex(async () => {
        if (!isOver(hour)) return;
        await hours.remove(hour, sales);
        const late = await outbox?.purged(hour.name);
        if (late) log.error({ events: late }, "events were set aside: their retention is over");
        room.worked({ folder });
      });
    }
    const sales = hoursOf("sales", await disk.readdir(folder));
    const [first] = sales;
    const endOf = (hour: string) => Date.parse(`${hour}:00Z`) + HOUR + ledgerDays * DAY;
    if (!first || !mayDeleteEvents(endOf(first), now)) return;
    for (const hour of sales)
      if (now.getTime() >= endOf(hour)) await disk.rm(join(folder, fileOf("sales", hour)), { force: true });
  }

  async function release(): Promise<void> {
    await purge.end();
    await mutex(hours.settle).catch((error) => log.error({ folder, err: error }, "a failed write could not be undone"));
    await hours.close();
  }
}
