import { Low } from "lowdb";
import type { QuoteEntry } from "../quote-store.ts";
import type { Disk } from "./disk.ts";
import { createJsonLinesFile, type Damage } from "./json-lines-file.ts";
import { isQuoteEntry, keptUntil } from "./quote-index.ts";

const MINUTES = 10;

/** The entries of a few minutes in one file, which is deleted whole. */
export interface QuotePartition {
  /** The durable ones. */
  readonly entries: readonly QuoteEntry[];
  readonly damage: Damage | undefined;
  /** The instant from which on nothing in it is found, in milliseconds since 1970. */
  keptUntil(): number;
  /** All or, where it rejects, none; `createJsonLinesFile` says what holds on a dead disk. */
  append(entries: readonly QuoteEntry[]): Promise<void>;
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Reads the partition's file, if there is one. */
export async function openQuotePartition(disk: Disk, path: string): Promise<QuotePartition> {
  const file = createJsonLinesFile<QuoteEntry>({ path, disk, isItem: isQuoteEntry });
  const low = new Low<QuoteEntry[]>(file, []);
  await low.read();
  let end = latest(0, low.data);

  return {
    entries: low.data,
    damage: file.damage(),
    keptUntil: () => end,
    append,
    settle: file.settle,
    close: file.close,
  };

  async function append(entries: readonly QuoteEntry[]): Promise<void> {
    const before = low.data.length;
    for (const entry of entries) low.data.push(entry);
    try {
      await low.write();
    } catch (error) {
      low.data.length = before;
      throw error;
    }
    end = latest(end, entries);
  }
}

/** `quotes-2026-11-20T10-40Z.jsonl`: the minute in which the partition begins. */
export function partitionNameAt(instant: Date): string {
  const step = MINUTES * 60_000;
  const start = new Date(Math.floor(instant.getTime() / step) * step);
  return `quotes-${start.toISOString().slice(0, 16).replace(":", "-")}Z.jsonl`;
}

/** The name under which a damaged partition is set aside. */
export function damagedName(name: string, instant: Date): string {
  return `${name}.damaged-${instant.toISOString().replaceAll(":", "-")}`;
}

export function isPartitionName(name: string): boolean {
  return /^quotes-\d{4}-\d\d-\d\dT\d\d-\d\dZ\.jsonl(\.damaged-[\w.-]+)?$/.test(name);
}

export function isDamagedName(name: string): boolean {
  return isPartitionName(name) && !name.endsWith(".jsonl");
}

function latest(end: number, entries: readonly QuoteEntry[]): number {
  return entries.reduce((last, entry) => Math.max(last, keptUntil(entry)), end);
}
