import { join } from "node:path";
import { PublicError } from "../../contract/errors.ts";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import { keptUntil, readStoredQuote } from "../../quotes/quote.ts";
import type { Outbox } from "../outbox.ts";
import type { IdempotencyRecord, QuoteEntry, QuoteStore } from "../quote-store.ts";
import { createMutex, createStoreCalls } from "../store-calls.ts";
import { UnusableStorage } from "../unusable-storage.ts";
import { type Disk, localDisk, makeFolder, replaceFile, syncFolder, writeFile } from "./disk.ts";
import { copyDamaged, type HourFile, openHourFile } from "./hour-file.ts";
import { fileOf, hourAt, hoursOf } from "./lines.ts";
import { openLowdbOutbox } from "./lowdb-outbox.ts";
import { saleLines } from "./lowdb-sales.ts";

const PURGE_MILLISECONDS = 60_000;
const DAY = 24 * 60 * 60_000;
/** Most entries of one write, which bounds its memory. */
const MAX_GROUP = 500;
/** Larger than most entries. */
const PROBE_BYTES = 16 * 1024;
/** Names of the files that any version of this program has written, and of those that this version writes. */
const OURS = /^[a-z]+-\d{4}-\d\d-\d\d.*\.jsonl?$/;
const OF_THIS_VERSION = /^(quotes|sales)-\d{4}-\d\d-\d\dT\d\d\.(damaged-.*\.)?jsonl$/;

export interface LowdbQuoteStoreOptions {
  /** Created if it is missing. The caller must hold its lock (`lockFolder`). */
  readonly folder: string;
  /** How many entries are kept; beyond that `insert` rejects until expired ones are purged. */
  readonly maxLiveQuotes: number;
  /** How many days events are kept; 0: no longer than their quotes. */
  readonly ledgerDays: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk?: Disk;
  readonly fillsOutbox?: boolean;
}

/** `outbox` is `undefined` where `fillsOutbox` is false. */
export type LowdbQuoteStore = QuoteStore & { readonly outbox: Outbox | undefined };

interface Waiting {
  readonly entry: QuoteEntry;
  resolve(held: IdempotencyRecord | undefined): void;
  reject(error: unknown): void;
}

/**
 * The quote store on lowdb: a file of JSON lines for each hour. Memory holds the position of each entry, about 0.2 kB;
 * the entry itself is read from its file. An entry is one line, so that quote, record and event are stored together or
 * not at all. Entries that arrive during a write share the next one. A file past its retention is replaced by a file of
 * its events. Throws UnusableStorage where another version has written the folder.
 */
export async function openLowdbQuoteStore(options: LowdbQuoteStoreOptions): Promise<LowdbQuoteStore> {
  const { folder, maxLiveQuotes, ledgerDays, clock, log, disk = localDisk, fillsOutbox = false } = options;
  /** Appends, and the undoing of failed ones, run one at a time. */
  const mutex = createMutex();
  /** By hour, the oldest first. */
  const files = new Map<string, HourFile>();
  await makeFolder(disk, folder);
  const names = await disk.readdir(folder);
  const foreign = names.find((name) => OURS.test(name) && !OF_THIS_VERSION.test(name));
  if (foreign !== undefined) {
    const why = "was written by another version of this program";
    throw new UnusableStorage(`${join(folder, foreign)} ${why}; move ${folder} away, or set TRANSFER_DATA_DIR`);
  }
  for (const hour of hoursOf("quotes", names)) files.set(hour, await openHourFile(folder, hour, disk, log));
  // A process that was killed may have left names of files that are not synced yet.
  await syncFolder(disk, folder);
  const outbox = fillsOutbox ? await openLowdbOutbox({ folder, files, clock, log, disk }) : undefined;
  const calls = createStoreCalls(log, release);
  const waiting: Waiting[] = [];
  let purging: Promise<void> = Promise.resolve();
  const timer = setInterval(purge, PURGE_MILLISECONDS).unref();
  await purge();

  return {
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
        const entry = await keptEntry("quotes", id);
        return entry && readStoredQuote(entry.quote);
      }),
    findRecord: (scope) => calls.run("read", async () => (await keptEntry("records", scope))?.record),
    ping: () => calls.run("saved", () => mutex(probe)),
    close: calls.close,
  };

  /** Saves the waiting entries: one of those with the same scope or id, while the others wait for the next group. */
  async function saveGroup(): Promise<void> {
    const taken = new Set<string>();
    const stored = [...files.values()].reduce((sum, { ends }) => sum + ends.length, 0);
    const entries: QuoteEntry[] = [];
    const saved: Waiting[] = [];
    for (const each of waiting.splice(0, MAX_GROUP)) {
      const { quote, record, sale } = each.entry;
      const own = [record?.scope, quote?.id, sale?.id].filter((name) => name !== undefined);
      if (own.some((name) => taken.has(name))) {
        waiting.push(each);
        continue;
      }
      for (const name of own) taken.add(name);
      try {
        const held = record && (await keptEntry("records", record.scope))?.record;
        const entry = held ? undefined : newPartOf(each.entry);
        if (!entry) each.resolve(held);
        else if (stored + entries.length >= maxLiveQuotes) throw storeFull();
        else {
          entries.push(entry);
          saved.push(each);
        }
      } catch (error) {
        each.reject(error);
      }
    }
    try {
      if (entries.length > 0) await append(entries);
      for (const { resolve } of saved) resolve(undefined);
    } catch (error) {
      for (const { reject } of saved) reject(error);
    }
  }

  /** The entry, without its event if that is already stored; `undefined` where nothing remains to be saved. */
  function newPartOf(entry: QuoteEntry): QuoteEntry | undefined {
    const { quote, record, sale } = entry;
    const kept = [...files.values()];
    if (quote && kept.some(({ quotes }) => quotes.has(quote.id))) throw new Error("a quote with this id exists");
    const isKnown = !quote && sale && kept.some(({ sales }) => sales.has(sale.id));
    return isKnown ? record && { quote, record } : entry;
  }

  function storeFull(): PublicError {
    const nextPurge = Math.min(...[...files.values()].map((file) => file.keptUntil())) + PURGE_MILLISECONDS;
    return new PublicError("UPSTREAM_UNAVAILABLE", "The operator's limit of stored quotes has been reached.", {
      retryAfterSeconds: Math.max(1, Math.ceil((nextPurge - clock.now().getTime()) / 1000)),
      nextAction: "Retry when older quotes have been purged, or contact the operator.",
    });
  }

  async function append(entries: readonly QuoteEntry[]): Promise<void> {
    // Until a failed write is undone, a retry that saves its entries in another file would duplicate them.
    await settle();
    const hour = hourAt(clock.now());
    const file = files.get(hour) ?? (await openHourFile(folder, hour, disk, log));
    files.set(hour, file);
    await file.append(entries);
  }

  async function settle(): Promise<void> {
    for (const file of files.values()) await file.settle();
  }

  /** The live entry with this id or scope. Two files may contain a scope, since it is free again after 24 hours. */
  async function keptEntry(index: "quotes" | "records", name: string): Promise<Partial<QuoteEntry> | undefined> {
    for (const file of files.values()) {
      const line = file[index].get(name);
      if (line === undefined) continue;
      const entry = await file.entry(line);
      const end = index === "quotes" ? entry.quote?.expiresAt : entry.record?.createdAt;
      if (end && clock.now().getTime() < keptUntil(end)) return entry;
    }
    return undefined;
  }

  /** Undoes a failed write, then writes and deletes a file of the size of an entry. */
  async function probe(): Promise<void> {
    await settle();
    const path = join(folder, "probe");
    // Deletes the file each time: overwriting its own blocks would succeed on a full disk.
    await writeFile(disk, path, [Buffer.alloc(PROBE_BYTES)]).finally(() => disk.rm(path, { force: true }));
  }

  /** Runs without the mutex, because reading the events of an hour may take seconds. */
  function purge(): Promise<void> {
    purging = purging.then(purgeExpired).catch((error) => {
      log.warn({ folder, err: error }, "expired quotes could not be deleted");
    });
    return purging;
  }

  async function purgeExpired(): Promise<void> {
    const now = clock.now();
    for (const [hour, file] of files) {
      // An entry may still be appended to the file of this hour.
      if (now.getTime() < file.keptUntil() || hour === hourAt(now)) continue;
      await mutex(file.settle);
      // One rename stores all events of the file at once.
      const path = join(folder, fileOf("quotes", hour));
      if (ledgerDays > 0) {
        let damagedLines = 0;
        const lines = saleLines({ disk, folder }, hour, () => {
          damagedLines += 1;
        });
        await replaceFile(disk, join(folder, fileOf("sales", hour)), lines);
        // Damaged after the start, which has copied the file otherwise.
        if (damagedLines > 0)
          await copyDamaged({ disk, log }, path, { damagedLines, readable: file.ends.length - damagedLines });
      }
      await disk.rm(path, { force: true });
      files.delete(hour);
      outbox?.purged(file);
      await file.close();
    }
    const oldest = hourAt(new Date(now.getTime() - ledgerDays * DAY));
    for (const hour of hoursOf("sales", await disk.readdir(folder))) {
      if (hour < oldest) await disk.rm(join(folder, fileOf("sales", hour)), { force: true });
    }
  }

  async function release(): Promise<void> {
    clearInterval(timer);
    await purging;
    try {
      await outbox?.close();
      await mutex(settle);
    } catch (error) {
      log.error({ folder, err: error }, "a failed write could not be undone");
    }
    for (const file of files.values()) await file.close();
  }
}
