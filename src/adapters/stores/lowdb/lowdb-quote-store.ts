import { join } from "node:path";
import { PublicError } from "../../../contract/errors.ts";
import { keptUntil, readStoredQuote } from "../../../domain/quotes/quote.ts";
import type { IdempotencyRecord, QuoteEntry, QuoteStore } from "../../../domain/sales/quote-store.ts";
import type { Clock } from "../../../ops/clock.ts";
import { createFolder } from "../../../ops/create-folder.ts";
import { DAY, HOUR, MINUTE } from "../../../ops/durations.ts";
import type { Log } from "../../../ops/log.ts";
import { createLedgerGuard, createMutex, createPurge, createStoreCalls } from "../store-calls.ts";
import { type Disk, localDisk } from "./json-lines.ts";
import { openLowdbOutbox } from "./lowdb-outbox.ts";
import { fileOf, hourAt, hourOf, openSegments, type Segments, segmentsOf } from "./segments.ts";

/** Larger than most entries. */
const PROBE_BYTES = 16 * 1024;

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

/** What the parts of the store share. */
export type StoreParts = Required<Pick<LowdbQuoteStoreOptions, "folder" | "clock" | "log" | "disk">>;

interface Waiting {
  readonly entry: QuoteEntry;
  resolve(held: IdempotencyRecord | undefined): void;
  reject(error: unknown): void;
}

/**
 * The quote store on lowdb: segments of entries, of which each is a file of JSON lines (docs/operations/embedded-store.md).
 * Memory holds the open segment, a few others, and an index. An entry is one line, so that quote, record and event are
 * stored together or not at all. Entries that arrive during a write share the next one. A segment past its retention is
 * replaced by its events. Throws UnusableStorage where another version has written the folder.
 */
export async function openLowdbQuoteStore(options: LowdbQuoteStoreOptions) {
  const { folder, maxLiveQuotes, ledgerDays, clock, log, disk = localDisk, fillsOutbox = false } = options;
  /** Appends, and the undoing of failed ones, run one at a time. */
  const mutex = createMutex();
  await createFolder(folder, disk);
  const parts: StoreParts = { folder, clock, log, disk };
  const outbox = fillsOutbox ? await openLowdbOutbox(parts, () => segments) : undefined;
  const segments: Segments = await openSegments(parts, (name, sale) => outbox?.add(name, sale));
  await outbox?.begin(segments.all().map(({ name }) => name));
  const calls = createStoreCalls(log, release);
  const waiting: Waiting[] = [];
  const mayDeleteEvents = createLedgerGuard(log);
  // Without the mutex, because reading the events of many segments may take seconds.
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
        const entry = await keptEntry("quote", id);
        return entry && readStoredQuote(entry.quote);
      }),
    findRecord: (keyHash) => calls.run("read", async () => (await keptEntry("record", keyHash))?.record),
    ping: () => calls.run("saved", () => mutex(probe)),
    close: calls.close,
  } satisfies QuoteStore & Record<string, unknown>;

  /** Saves the waiting entries: one of those with the same key or id, while the others wait for the next group. */
  async function saveGroup(): Promise<void> {
    const taken = new Set<string>();
    const stored = segments.all().reduce((sum, { size }) => sum + size, 0);
    const entries: QuoteEntry[] = [];
    const saved: Waiting[] = [];
    for (const each of waiting.splice(0, segments.room())) {
      const { quote, record, sale } = each.entry;
      const own = [record?.keyHash, quote?.id, sale?.id].filter((name) => name !== undefined);
      if (own.some((name) => taken.has(name))) {
        waiting.push(each);
        continue;
      }
      for (const name of own) taken.add(name);
      try {
        const held = record && (await keptEntry("record", record.keyHash))?.record;
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
      if (entries.length > 0) await segments.append(entries);
      for (const { resolve } of saved) resolve(undefined);
    } catch (error) {
      for (const { reject } of saved) reject(error);
    }
  }

  /** The entry, without its event if that is already stored; `undefined` where nothing remains to be saved. */
  function newPartOf(entry: QuoteEntry): QuoteEntry | undefined {
    const { quote, record, sale } = entry;
    if (quote && segments.has("quote", quote.id)) throw new Error("a quote with this id exists");
    const isKnown = !quote && sale && segments.has("sale", sale.id);
    return isKnown ? record && { quote, record } : entry;
  }

  function storeFull(): PublicError {
    const nextPurge = Math.min(...segments.all().map((segment) => segment.keptUntil)) + MINUTE;
    return new PublicError("UPSTREAM_UNAVAILABLE", "The operator's limit of stored quotes has been reached.", {
      retryAfterSeconds: Math.max(1, Math.ceil((nextPurge - clock.now().getTime()) / 1000)),
      nextAction: "Retry when older quotes have been purged, or contact the operator.",
    });
  }

  /** The live entry with this id or key hash. */
  async function keptEntry(kind: "quote" | "record", name: string) {
    const entry = await segments.find(kind, name);
    const end = kind === "quote" ? entry?.quote?.expiresAt : entry?.record?.createdAt;
    return end && clock.now().getTime() < keptUntil(end) ? entry : undefined;
  }

  /** Undoes a failed write, then writes and deletes a file of the size of an entry. */
  async function probe(): Promise<void> {
    await segments.settle();
    const path = join(folder, "probe");
    // Deletes the file each time: overwriting its own blocks would succeed on a full disk.
    await disk
      .writeFile(path, Buffer.alloc(PROBE_BYTES), { flush: true })
      .finally(() => disk.rm(path, { force: true }));
  }

  async function purgeExpired(): Promise<void> {
    const now = clock.now();
    for (const { name, keptUntil: end } of segments.all()) {
      if (now.getTime() < end || !segments.isClosed(name)) continue;
      await mutex(segments.settle);
      await segments.replace(name, ledgerDays > 0);
      outbox?.purged(name);
    }
    const sales = segmentsOf("sales", await disk.readdir(folder));
    const oldest = hourAt(new Date(now.getTime() - ledgerDays * DAY));
    const [first] = sales;
    const end = first && Date.parse(`${hourOf(first)}:00Z`) + HOUR + ledgerDays * DAY;
    if (!end || !mayDeleteEvents(end, now)) return;
    for (const name of sales)
      if (hourOf(name) < oldest) await disk.rm(join(folder, fileOf("sales", name)), { force: true });
  }

  async function release(): Promise<void> {
    await purge.end();
    try {
      await outbox?.close();
      await mutex(segments.settle);
    } catch (error) {
      log.error({ folder, err: error }, "a failed write could not be undone");
    }
    await segments.close();
  }
}
