import { PublicError, upstreamUnavailable } from "../../contract/errors.ts";
import type { Clock } from "../../ops/clock.ts";
import { createLatch, type Log } from "../../ops/log.ts";
import type { Outbox } from "../outbox.ts";
import type { IdempotencyRecord, QuoteEntry, QuoteStore } from "../quote-store.ts";
import { type Disk, localDisk } from "./disk.ts";
import { createMutex, openHours } from "./hours.ts";
import { type LowdbOutbox, openLowdbOutbox } from "./lowdb-outbox.ts";

const PURGE_MILLISECONDS = 60_000;
/** Bounds what one write holds in memory. */
const MAX_GROUP = 500;

export interface LowdbQuoteStoreOptions {
  /** Created if it is missing. The caller holds its lock (`lockFolder`). */
  readonly folder: string;
  /** How many entries are kept; beyond that `insert` rejects until expired ones are purged. */
  readonly maxLiveQuotes: number;
  /** How long events are kept after their quotes; 0 = not at all. */
  readonly ledgerDays: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk?: Disk;
  /** Whether events are put into the outbox. */
  readonly fillsOutbox?: boolean;
}

export interface LowdbQuoteStore extends QuoteStore {
  /** Where it is filled. */
  readonly outbox: Outbox | undefined;
}

interface Waiting {
  readonly entry: QuoteEntry;
  resolve(held: IdempotencyRecord | undefined): void;
  reject(error: unknown): void;
}

/**
 * The quote store on lowdb: a file of JSON lines for each hour. Memory holds where each entry is, about 0.2 kB; the entry
 * itself is read from its file. It is one line, so that quote, record and event are stored together or not at all.
 * Entries that arrive while a write is in flight share the next one.
 */
export async function openLowdbQuoteStore(options: LowdbQuoteStoreOptions): Promise<LowdbQuoteStore> {
  const { folder, maxLiveQuotes, ledgerDays, clock, log, disk = localDisk, fillsOutbox = false } = options;
  const mutex = createMutex();
  let outbox: LowdbOutbox | undefined;
  const hours = await openHours({
    folder,
    clock,
    log,
    disk,
    ledgerDays,
    mutex,
    onPurged: (file) => outbox?.purged(file),
  });
  if (fillsOutbox) {
    outbox = await openLowdbOutbox({ folder, clock, log, disk, files: hours.files });
  }
  const inFlight = new Set<Promise<unknown>>();
  let waiting: Waiting[] = [];
  let closing: Promise<void> | undefined;
  const latch = createLatch(log, "error", "quotes cannot be stored", "quotes are stored again");
  let purging: Promise<void> = Promise.resolve();
  const timer = setInterval(purge, PURGE_MILLISECONDS).unref();
  await purge();

  return {
    outbox,
    insert: (entry) => open(() => insert(entry)),
    find: (id) => open(() => readable(() => hours.quote(id))),
    findRecord: (scope) => open(() => readable(() => hours.record(scope))),
    ping: () => open(() => writable(() => mutex(hours.probe))),
    close() {
      closing ??= end();
      return closing;
    },
  };

  /** Runs a call, which `close` waits for. */
  async function open<R>(call: () => Promise<R>): Promise<R> {
    if (closing) throw upstreamUnavailable("The service is stopping.");
    const running = call();
    inFlight.add(running);
    try {
      return await running;
    } finally {
      inFlight.delete(running);
    }
  }

  function insert(entry: QuoteEntry): Promise<IdempotencyRecord | undefined> {
    return new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject });
      // Of calls that wait together the first saves all, and the others find nothing left to save.
      mutex(() => saveGroup(takeGroup())).catch(reject);
    });
  }

  /** The longest waiting; of entries that share a name one, so that the next group sees what became of it. */
  function takeGroup(): readonly Waiting[] {
    const names = new Set<string>();
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    for (const each of waiting) {
      const { quote, record, sale } = each.entry;
      const own = [record?.scope, quote?.id, sale?.id].filter((name) => name !== undefined);
      const isFree = group.length < MAX_GROUP && !own.some((name) => names.has(name));
      for (const name of own) names.add(name);
      (isFree ? group : left).push(each);
    }
    waiting = left;
    return group;
  }

  async function saveGroup(group: readonly Waiting[]): Promise<void> {
    const entries: QuoteEntry[] = [];
    const saved: Waiting[] = [];
    for (const each of group) {
      try {
        const { record } = each.entry;
        const held = record && (await readable(() => hours.record(record.scope)));
        const entry = held ? undefined : newPartOf(each.entry);
        if (!entry) {
          each.resolve(held);
          continue;
        }
        if (hours.size() + entries.length >= maxLiveQuotes) throw storeFull();
        entries.push(entry);
        saved.push(each);
      } catch (error) {
        each.reject(error);
      }
    }
    try {
      if (entries.length > 0) await writable(() => write(entries));
      for (const { resolve } of saved) resolve(undefined);
    } catch (error) {
      for (const { reject } of saved) reject(error);
    }
  }

  /** The entry without its event where that is stored already; `undefined` where nothing is left of it. */
  function newPartOf(entry: QuoteEntry): QuoteEntry | undefined {
    const { quote, record, sale } = entry;
    if (quote && hours.files().some(({ quotes }) => quotes.has(quote.id)))
      throw new Error(`a quote with the id ${quote.id} exists`);
    if (quote || !sale || !hours.files().some(({ sales }) => sales.has(sale.id))) return entry;
    return record && { quote, record };
  }

  function storeFull(): PublicError {
    const nextPurge = Math.min(...hours.files().map((file) => file.keptUntil())) + PURGE_MILLISECONDS;
    return new PublicError("UPSTREAM_UNAVAILABLE", "As many quotes are stored as the operator allows.", {
      retryAfterSeconds: Math.max(1, Math.ceil((nextPurge - clock.now().getTime()) / 1000)),
      nextAction: "Retry when older quotes have been purged, or contact the operator.",
    });
  }

  /** The call pipeline logs each failed call; this logs once that the store fails, and once that it works again. */
  async function write(entries: readonly QuoteEntry[]): Promise<void> {
    try {
      await hours.append(entries);
    } catch (error) {
      latch.failed({ folder, err: error });
      throw error;
    }
    latch.worked({ folder });
  }

  /** Beside the calls, because reading the events of an hour may take seconds. */
  function purge(): Promise<void> {
    purging = purging.then(hours.purge).catch((error) => {
      log.warn({ folder, err: error }, "expired quotes could not be deleted");
    });
    return purging;
  }

  async function end(): Promise<void> {
    clearInterval(timer);
    await Promise.allSettled([purging, ...inFlight]);
    try {
      await outbox?.close();
      await mutex(hours.close);
    } catch (error) {
      log.error({ folder, err: error }, "a failed write could not be undone");
    }
  }
}

async function writable(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    throw upstreamUnavailable("Quotes cannot be stored at the moment.", error);
  }
}

async function readable<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw upstreamUnavailable("Quotes cannot be read at the moment.", error);
  }
}
