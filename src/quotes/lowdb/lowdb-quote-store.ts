import { upstreamUnavailable } from "../../contract/errors.ts";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import type { QuoteEntry, QuoteStore } from "../quote-store.ts";
import { type Disk, localDisk } from "./disk.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createInTurn } from "./in-turn.ts";
import { createQuoteIndex } from "./quote-index.ts";
import { openQuotePartitions } from "./quote-partitions.ts";

const SWEEP_MILLISECONDS = 60_000;

export interface LowdbQuoteStoreOptions {
  /** Made where it is missing. Whoever opens it holds its lock (`lockFolder`). */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk?: Disk;
}

/**
 * The quote store on lowdb: partitions of a few minutes as files of JSON Lines, everything found from memory. An entry
 * is one line of one file, so that quote, owner and record are there together or not at all.
 */
export async function openLowdbQuoteStore(options: LowdbQuoteStoreOptions): Promise<QuoteStore> {
  const { folder, clock, log, disk = localDisk } = options;
  const index = createQuoteIndex(clock);
  const partitions = await openQuotePartitions({ folder, clock, log, disk, index });
  const inTurn = createInTurn();
  const submit = createGroupCommit(inTurn, append);
  /** What is being saved now. */
  const saving = new Set<Promise<void>>();
  const savingScopes = new Map<string, Promise<void>>();
  const savingIds = new Set<string>();
  let closing: Promise<void> | undefined;
  let failing = false;
  await sweep();
  const timer = setInterval(sweep, SWEEP_MILLISECONDS).unref();

  return {
    async insert(entry) {
      refuseWhenClosed();
      const scope = entry.record?.scope;
      if (scope === undefined) return save(entry);
      // The winner of a race may still fail. Then nothing is stored, and this call fails like it.
      for (let race = savingScopes.get(scope); race; race = savingScopes.get(scope)) await race;
      return index.record(scope) ?? save(entry);
    },

    async find(id) {
      refuseWhenClosed();
      return index.quote(id);
    },

    async findRecord(scope) {
      refuseWhenClosed();
      return index.record(scope);
    },

    async ping() {
      refuseWhenClosed();
      await guarded(() => inTurn(partitions.probe));
    },

    close() {
      closing ??= end();
      return closing;
    },
  };

  async function save(entry: QuoteEntry): Promise<undefined> {
    refuseWhenClosed();
    const { quote, record } = entry;
    if (quote && (index.hasQuote(quote.id) || savingIds.has(quote.id))) {
      throw new Error(`a quote with the id ${quote.id} exists`);
    }
    const saved = guarded(() => submit(entry));
    saving.add(saved);
    if (quote) savingIds.add(quote.id);
    if (record) savingScopes.set(record.scope, saved);
    try {
      await saved;
    } finally {
      saving.delete(saved);
      if (quote) savingIds.delete(quote.id);
      if (record) savingScopes.delete(record.scope);
    }
  }

  async function append(entries: readonly QuoteEntry[]): Promise<void> {
    const rolledOver = await partitions.append(entries);
    if (rolledOver) void sweep();
  }

  /** The engine logs each call that failed; the operator hears once that the store fails, and once that it is back. */
  async function guarded(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!failing) log.error({ folder, err: error }, "quotes cannot be stored");
      failing = true;
      throw upstreamUnavailable("Quotes cannot be stored at the moment.", error);
    }
    if (failing) log.info({ folder }, "quotes are stored again");
    failing = false;
  }

  function refuseWhenClosed(): void {
    if (closing) throw upstreamUnavailable("The service is stopping.");
  }

  async function sweep(): Promise<void> {
    try {
      await inTurn(partitions.sweep);
    } catch (error) {
      log.warn({ folder, err: error }, "quotes past their keeping could not be deleted");
    }
  }

  async function end(): Promise<void> {
    clearInterval(timer);
    await Promise.allSettled(saving);
    try {
      await inTurn(partitions.close);
    } catch (error) {
      log.error({ folder, err: error }, "a write that failed could not be undone");
    }
  }
}
