import { join } from "node:path";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import type { StoredQuote } from "../../quotes/quote.ts";
import type { IdempotencyRecord, QuoteEntry } from "../quote-store.ts";
import { acknowledgementsOf, isAcknowledgements } from "./acknowledgements.ts";
import { type Disk, makeFolder, syncFolder, systemCode } from "./disk.ts";
import type { LowdbOutbox } from "./lowdb-outbox.ts";
import {
  damagedName,
  isDamagedName,
  isPartitionName,
  openQuotePartition,
  partitionNameAt,
  type QuotePartition,
  quoteKeptUntil,
  recordKeptUntil,
} from "./quote-partition.ts";

const PROBE = "probe";
/** More than most entries need. */
const PROBE_BYTES = 16 * 1024;

/** Every partition of a folder. `append`, `purgeExpired`, `probe` and `close` are called one at a time. */
export interface QuotePartitions {
  /** How many entries they hold. */
  size(): number;
  /** The instant at which the next partition can be deleted, in milliseconds since 1970. */
  nextPurge(): number;
  /** Whether a quote with the id is stored, also past its retention. */
  hasQuote(id: string): boolean;
  /** Whether an event of this id is stored without a quote. */
  hasSale(id: string): boolean;
  quote(id: string): Promise<StoredQuote | undefined>;
  record(scope: string): Promise<IdempotencyRecord | undefined>;
  /** Saves the entries in the partition of this hour; deletes expired ones where it is a new one. */
  append(entries: readonly QuoteEntry[]): Promise<void>;
  /** Whether entries may be written in the partition of this hour (`2026-11-20T10-00Z`). */
  isWritten(hour: string): boolean;
  /** Deletes partitions past their retention; logs where it cannot. */
  purgeExpired(): Promise<void>;
  /** Undoes a failed write and allocates as much as it needed, at least the room of an entry. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export interface QuotePartitionsParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk: Disk;
  /** Whether a partition past its retention may be deleted. */
  mayDelete(name: string): Promise<boolean>;
  /** Of the events to be delivered, if there is one. */
  readonly outbox?: LowdbOutbox | undefined;
}

/**
 * Reads the folder. A damaged partition is renamed to a name with `.damaged-`: its readable entries are served, after
 * the next start too, but it is never written nor deleted, because the operator has to look at it.
 */
export async function openQuotePartitions(parts: QuotePartitionsParts): Promise<QuotePartitions> {
  const { folder, clock, log, disk, mayDelete, outbox } = parts;
  const partitions = new Map<string, QuotePartition>();
  let current: { readonly name: string; readonly partition: QuotePartition } | undefined;

  await makeFolder(disk, folder);
  const files = await disk.readdir(folder);
  const names = files.filter(isPartitionName).sort();
  for (const name of names) await load(name);
  // A process killed before it synced its names may have left some that are not durable yet.
  await syncFolder(disk, folder);
  await purgeExpired();
  for (const file of files.filter(isAcknowledgements)) {
    if (!names.some((name) => acknowledgementsOf(name) === file)) await remove(file);
  }

  return {
    size: () => all().reduce((sum, partition) => sum + partition.size(), 0),
    nextPurge: () => Math.min(...all().map((partition) => partition.keptUntil())),
    hasQuote: (id) => all().some((partition) => partition.hasQuote(id)),
    hasSale: (id) => all().some((partition) => partition.hasSale(id)),
    quote: (id) => firstKept((partition) => partition.quote(id), quoteKeptUntil),
    // A scope is free again after 24 hours, so that two partitions may hold it.
    record: (scope) => firstKept((partition) => partition.record(scope), recordKeptUntil),
    append,
    isWritten: (hour) => [current?.name, partitionNameAt(clock.now())].some((name) => name?.includes(hour)),
    purgeExpired,
    probe,
    close,
  };

  function all(): readonly QuotePartition[] {
    return [...partitions.values()];
  }

  async function firstKept<T>(
    find: (partition: QuotePartition) => Promise<T | undefined>,
    keptUntil: (found: T) => number,
  ): Promise<T | undefined> {
    for (const partition of all()) {
      const found = await find(partition);
      if (found !== undefined && clock.now().getTime() < keptUntil(found)) return found;
    }
    return undefined;
  }

  async function open(name: string): Promise<QuotePartition> {
    return openQuotePartition(disk, join(folder, name), await outbox?.partition(name));
  }

  async function load(name: string): Promise<void> {
    const partition = await open(name);
    partitions.set(name, partition);
    if (isDamagedName(name)) return;
    const { damage, tornBytes } = partition;
    const file = join(folder, name);
    if (tornBytes > 0) log.warn({ file, torn_bytes: tornBytes }, "a quote file ends in a torn line");
    if (!damage) return;
    try {
      await setAside(name, partition);
    } catch (error) {
      log.error({ file, err: error }, "a damaged quote file could not be set aside");
    }
  }

  async function append(entries: readonly QuoteEntry[]): Promise<void> {
    const name = partitionNameAt(clock.now());
    if (current?.name !== name) {
      await leaveCurrent();
      await purgeExpired();
    }
    current ??= { name, partition: await writable(name) };
    await current.partition.append(entries);
  }

  /** Rejects while a failed write is not undone: saved again elsewhere, its entry would be duplicated. */
  async function leaveCurrent(): Promise<void> {
    await current?.partition.settle();
    current = undefined;
  }

  async function writable(name: string): Promise<QuotePartition> {
    const held = partitions.get(name);
    if (held && !held.damage) return held;
    if (held) await setAside(name, held);
    const partition = await open(name);
    if (partition.damage) throw partition.damage.cause ?? new Error(`${name} was damaged when it was created`);
    partitions.set(name, partition);
    return partition;
  }

  async function setAside(name: string, partition: QuotePartition): Promise<void> {
    const aside = damagedName(name, clock.now());
    await disk.rename(join(folder, name), join(folder, aside));
    partitions.delete(name);
    partitions.set(aside, partition);
    await syncFolder(disk, folder);
    const { lines, cause } = partition.damage ?? {};
    const facts = { file: join(folder, aside), damaged_lines: lines, served: partition.size(), err: cause };
    log.error(facts, "a quote file is damaged and was set aside; what is readable in it is served");
  }

  async function purgeExpired(): Promise<void> {
    const now = clock.now();
    try {
      if (current && current.name !== partitionNameAt(now)) await leaveCurrent();
      for (const [name, partition] of partitions) {
        if (partition === current?.partition || now.getTime() < partition.keptUntil()) continue;
        if (partition.damage ? !isDamagedName(name) : !(await mayDelete(name))) continue;
        if (!partition.damage) await Promise.all([remove(name), remove(acknowledgementsOf(name))]);
        partition.events?.purged();
        partitions.delete(name);
        await partition.close();
      }
    } catch (error) {
      log.warn({ folder, err: error }, "expired quotes could not be deleted");
    }
  }

  async function remove(name: string): Promise<void> {
    try {
      await disk.unlink(join(folder, name));
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
  }

  async function probe(): Promise<void> {
    await current?.partition.settle();
    const room = Math.max(PROBE_BYTES, current?.partition.failedBytes() ?? 0);
    const path = join(folder, PROBE);
    const handle = await disk.open(path, "w", 0o600);
    try {
      await handle.writeFile(Buffer.alloc(room));
      await handle.datasync();
    } finally {
      await handle.close();
      // A probe that wrote over its own blocks would succeed on a full disk.
      await remove(PROBE);
    }
  }

  async function close(): Promise<void> {
    try {
      await leaveCurrent();
    } finally {
      for (const partition of all()) await partition.close();
    }
  }
}
