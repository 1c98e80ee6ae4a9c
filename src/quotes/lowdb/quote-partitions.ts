import { join } from "node:path";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import type { QuoteEntry } from "../quote-store.ts";
import { type Disk, makeFolder, syncFolder, systemCode } from "./disk.ts";
import type { QuoteIndex } from "./quote-index.ts";
import {
  damagedName,
  isDamagedName,
  isPartitionName,
  openQuotePartition,
  partitionNameAt,
  type QuotePartition,
} from "./quote-partition.ts";

const PROBE = "probe";

/** Every partition of a folder, and the index of what they hold. Its methods are called one at a time. */
export interface QuotePartitions {
  /**
   * Saves the entries in the partition of this minute, then shows them in the index. Gives whether that partition is
   * another one than the last time.
   */
  append(entries: readonly QuoteEntry[]): Promise<boolean>;
  /** Deletes the partitions in which nothing is found any more, and takes them out of the index. */
  sweep(): Promise<void>;
  /** Saves a probe. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export interface QuotePartitionsParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk: Disk;
  readonly index: QuoteIndex;
}

/**
 * Reads the folder. A damaged partition is set aside under a name with `.damaged-`: what is readable in it is served,
 * after the next start too, but it is not written any more, nor deleted, since a person is to look at it.
 */
export async function openQuotePartitions(parts: QuotePartitionsParts): Promise<QuotePartitions> {
  const { folder, clock, log, disk, index } = parts;
  const partitions = new Map<string, QuotePartition>();
  let current: { readonly name: string; readonly partition: QuotePartition } | undefined;

  await makeFolder(disk, folder);
  const names = (await disk.readdir(folder)).filter(isPartitionName).sort();
  for (const name of names) await load(name);
  // A process killed before it synced its names may have left some that are not durable yet.
  await syncFolder(disk, folder);
  return { append, sweep, probe, close };

  async function load(name: string): Promise<void> {
    const partition = await openQuotePartition(disk, join(folder, name));
    register(name, partition);
    if (!partition.damage || isDamagedName(name)) return;
    try {
      await setAside(name, partition);
    } catch (error) {
      log.error({ file: join(folder, name), err: error }, "a damaged quote file could not be set aside");
    }
  }

  async function append(entries: readonly QuoteEntry[]): Promise<boolean> {
    const name = partitionNameAt(clock.now());
    const rollsOver = current?.name !== name;
    if (rollsOver) await leaveCurrent();
    current ??= { name, partition: await writable(name) };
    await current.partition.append(entries);
    for (const entry of entries) index.add(entry);
    return rollsOver;
  }

  /** Rejects while a failed write is not undone: saved again elsewhere, its entry would be there twice. */
  async function leaveCurrent(): Promise<void> {
    await current?.partition.close();
    current = undefined;
  }

  async function writable(name: string): Promise<QuotePartition> {
    const held = partitions.get(name);
    if (held && !held.damage) return held;
    if (held) await setAside(name, held);
    const partition = await openQuotePartition(disk, join(folder, name));
    if (partition.damage) throw partition.damage.cause ?? new Error(`${name} came into being damaged`);
    register(name, partition);
    return partition;
  }

  function register(name: string, partition: QuotePartition): void {
    partitions.set(name, partition);
    for (const entry of partition.entries) index.add(entry);
  }

  async function setAside(name: string, partition: QuotePartition): Promise<void> {
    const aside = damagedName(name, clock.now());
    await disk.rename(join(folder, name), join(folder, aside));
    partitions.delete(name);
    partitions.set(aside, partition);
    await syncFolder(disk, folder);
    const { lines, cause } = partition.damage ?? {};
    const facts = {
      file: join(folder, aside),
      damaged_lines: lines,
      served: partition.entries.length,
      err: cause,
    };
    log.error(facts, "a quote file is damaged and was set aside; what is readable in it is served");
  }

  async function sweep(): Promise<void> {
    const now = clock.now();
    if (current && current.name !== partitionNameAt(now)) await leaveCurrent();
    for (const [name, partition] of partitions) {
      if (partition === current?.partition || now.getTime() < partition.keptUntil()) continue;
      for (const entry of partition.entries) index.remove(entry);
      if (!partition.damage) await remove(name);
      if (!partition.damage || isDamagedName(name)) partitions.delete(name);
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
    const handle = await disk.open(join(folder, PROBE), "w", 0o600);
    try {
      await handle.writeFile(`${clock.now().toISOString()}\n`);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }

  async function close(): Promise<void> {
    await leaveCurrent();
  }
}
