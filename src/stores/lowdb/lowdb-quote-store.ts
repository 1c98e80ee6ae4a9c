import { PublicError, upstreamUnavailable } from "../../contract/errors.ts";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import type { Outbox } from "../outbox.ts";
import type { IdempotencyRecord, QuoteEntry, QuoteStore } from "../quote-store.ts";
import { type Disk, localDisk } from "./disk.ts";
import { createLedgerFiles } from "./ledger-files.ts";
import type { LowdbOutbox, LowdbOutboxParts } from "./lowdb-outbox.ts";
import { createMutex } from "./mutex.ts";
import { openQuotePartitions } from "./quote-partitions.ts";

const PURGE_MILLISECONDS = 60_000;
const DAY = 24 * 60 * 60_000;
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

/**
 * The quote store on lowdb: partitions of an hour as files of JSON Lines. In memory is where each entry stands, about
 * 0.2 kB; the entry itself is read from its file. It is one line, so that quote, owner and record are stored together
 * or not at all.
 */
export async function openLowdbQuoteStore(options: LowdbQuoteStoreOptions): Promise<LowdbQuoteStore> {
  const { folder, maxLiveQuotes, ledgerDays, clock, log, disk = localDisk, fillsOutbox = false } = options;
  const ledger = createLedgerFiles(disk, folder);
  const mayDelete = async (name: string) => ledgerDays === 0 || (await ledger.covers(name));
  const outbox = fillsOutbox ? await loadOutbox({ folder, clock, log, disk }) : undefined;
  const partitions = await openQuotePartitions({ folder, clock, log, disk, mayDelete, outbox });
  const mutex = createMutex();
  const inFlight = new Set<Promise<unknown>>();
  const inserting = new Map<string, Promise<unknown>>();
  const savingIds = new Set<string>();
  let saving = 0;
  let group: { readonly entries: QuoteEntry[]; readonly saved: Promise<void> } | undefined;
  let closing: Promise<void> | undefined;
  let failing = false;
  const timer = setInterval(tidy, PURGE_MILLISECONDS).unref();
  let tidying: Promise<unknown> = Promise.resolve();
  tidy();

  return {
    outbox,
    insert: (entry) => open(() => (entry.record ? insertUnlessHeld(entry, entry.record.scope) : saveOnce(entry))),
    find: (id) => open(() => readable(() => partitions.quote(id))),
    findRecord: (scope) => open(() => readable(() => partitions.record(scope))),
    ping: () => open(() => writable(() => mutex(partitions.probe))),
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

  function insertUnlessHeld(entry: QuoteEntry, scope: string): Promise<IdempotencyRecord | undefined> {
    return alone(scope, () => readable(() => partitions.record(scope)).then((held) => held ?? saveOnce(entry)));
  }

  /** Without its event where that is stored already. */
  function saveOnce(entry: QuoteEntry): Promise<undefined> {
    const { quote, record, sale } = entry;
    if (!sale || quote) return save(entry);
    return alone(sale.id, async () => {
      if (!partitions.hasSale(sale.id)) return save(entry);
      return record && save({ quote, record });
    });
  }

  /** One call of a scope or event at a time. The winner of a race may fail: nothing is stored then, and this call fails too. */
  async function alone<R>(name: string, insert: () => Promise<R>): Promise<R> {
    for (let race = inserting.get(name); race; race = inserting.get(name)) await race;
    const running = insert();
    inserting.set(name, running);
    try {
      return await running;
    } finally {
      inserting.delete(name);
    }
  }

  async function save(entry: QuoteEntry): Promise<undefined> {
    const id = entry.quote?.id;
    if (id !== undefined && (partitions.hasQuote(id) || savingIds.has(id))) {
      throw new Error(`a quote with the id ${id} exists`);
    }
    if (partitions.size() + saving >= maxLiveQuotes) {
      throw storeFull(partitions.nextPurge() + PURGE_MILLISECONDS - clock.now().getTime());
    }
    saving += 1;
    if (id !== undefined) savingIds.add(id);
    try {
      await writable(() => commit(entry));
    } finally {
      saving -= 1;
      if (id !== undefined) savingIds.delete(id);
    }
  }

  /**
   * Saves entries in groups: one write in flight, and what arrives meanwhile goes into the next, in order. lowdb's own
   * writer lets the first that waits starve.
   */
  async function commit(entry: QuoteEntry): Promise<void> {
    if (!group || group.entries.length === MAX_GROUP) {
      const entries: QuoteEntry[] = [];
      const saved = mutex(() => {
        if (group?.entries === entries) group = undefined;
        return write(entries);
      });
      group = { entries, saved };
    }
    group.entries.push(entry);
    await group.saved;
  }

  /** The call pipeline logs each failed call; this logs once that the store fails, and once that it works again. */
  async function write(entries: readonly QuoteEntry[]): Promise<void> {
    try {
      await partitions.append(entries);
    } catch (error) {
      if (!failing) log.error({ folder, err: error }, "quotes cannot be stored");
      failing = true;
      throw error;
    }
    if (failing) log.info({ folder }, "quotes are stored again");
    failing = false;
  }

  /** Leaves the partition of an hour that is over, makes its ledger, and deletes what is past its retention. */
  function tidy(): void {
    const purge = () => mutex(partitions.purgeExpired);
    tidying = Promise.all([tidying, purge()]).then(updateLedger).then(purge);
  }

  /** Beside the calls, because reading the partition of an hour may take seconds. */
  async function updateLedger(): Promise<void> {
    const isOpen = () => closing === undefined;
    try {
      if (ledgerDays > 0) await ledger.update(partitions.isWritten, isOpen);
      await ledger.deleteBefore(new Date(clock.now().getTime() - ledgerDays * DAY));
    } catch (error) {
      log.warn({ folder, err: error }, "the ledger could not be updated; quotes past their retention are kept for it");
    }
  }

  async function end(): Promise<void> {
    clearInterval(timer);
    await Promise.allSettled([tidying, ...inFlight]);
    try {
      await mutex(partitions.close);
    } catch (error) {
      log.error({ folder, err: error }, "a failed write could not be undone");
    }
  }
}

/** Not loaded without events. */
async function loadOutbox(parts: LowdbOutboxParts): Promise<LowdbOutbox> {
  return (await import("./lowdb-outbox.ts")).createLowdbOutbox(parts);
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

function storeFull(milliseconds: number): PublicError {
  return new PublicError("UPSTREAM_UNAVAILABLE", "As many quotes are stored as the operator allows.", {
    retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)),
    nextAction: "Retry when older quotes have been purged, or contact the operator.",
  });
}
