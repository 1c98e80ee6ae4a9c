import { Low } from "lowdb";
import { z } from "zod/v3";
import { StoredQuote } from "../../quotes/quote.ts";
import type { SaleEvent } from "../../quotes/sale-event.ts";
import { type IdempotencyRecord, KEPT_MILLISECONDS, type QuoteEntry } from "../quote-store.ts";
import type { Disk } from "./disk.ts";
import { entryJson } from "./entry-json.ts";
import { createJsonLinesFile, type Damage } from "./json-lines-file.ts";
import type { PartitionEvents, SaleHead } from "./lowdb-outbox.ts";

const MINUTES = 60;

/** The entries of an hour in one file, which is deleted whole. Of each entry only its line's number is in memory. */
export interface QuotePartition {
  readonly damage: Damage | undefined;
  readonly tornBytes: number;
  /** How many entries it holds. */
  size(): number;
  /** The instant from which on nothing in it is found, in milliseconds since 1970. */
  keptUntil(): number;
  /** All or, if it rejects, none; see `JsonLinesFile` for a disk that also fails to undo. */
  append(entries: readonly QuoteEntry[]): Promise<void>;
  hasQuote(id: string): boolean;
  /** Whether an event of this id is stored without a quote: what comes with a quote is as unique as that. */
  hasSale(id: string): boolean;
  /** Read from the disk, also past their retention; `undefined` if they are not in this partition. */
  quote(id: string): Promise<StoredQuote | undefined>;
  record(scope: string): Promise<IdempotencyRecord | undefined>;
  /** The part of the outbox for its events. */
  readonly events: PartitionEvents | undefined;
  failedBytes(): number;
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Reads the partition's file, if there is one. */
export async function openQuotePartition(disk: Disk, path: string, events?: PartitionEvents): Promise<QuotePartition> {
  const quotes = new Map<string, number>();
  const records = new Map<string, number>();
  const sales = new Set<string>();
  let size = 0;
  let end = 0;
  const file = createJsonLinesFile<QuoteEntry, QuoteHead>({
    path,
    disk,
    jsonOf: entryJson,
    headOf,
    itemOf: quoteEntryOf,
    onItem: register,
  });
  const low = new Low<readonly QuoteEntry[]>(file, []);
  await low.read();
  events?.readFrom(async (line) => (await file.item(line)).sale);

  return {
    damage: file.damage(),
    tornBytes: file.tornBytes(),
    size: () => size,
    keptUntil: () => end,
    append,
    hasQuote: (id) => quotes.has(id),
    hasSale: (id) => sales.has(id),
    quote: async (id) => (await entryAt(quotes.get(id)))?.quote,
    record: async (scope) => (await entryAt(records.get(scope)))?.record,
    events,
    failedBytes: file.failedBytes,
    settle: file.settle,
    close: file.close,
  };

  async function append(entries: readonly QuoteEntry[]): Promise<void> {
    low.data = entries;
    try {
      await low.write();
    } finally {
      low.data = [];
    }
  }

  function register({ quote, record, sale }: QuoteHead, line: number): void {
    if (quote) quotes.set(quote.id, line);
    if (record) records.set(record.scope, line);
    if (sale && !quote) sales.add(sale.id);
    if (sale) events?.onSale(sale, line);
    size += 1;
    const other = record?.createdAt ?? sale?.at;
    end = Math.max(end, quote ? quoteKeptUntil(quote) : 0, other ? Date.parse(other) + KEPT_MILLISECONDS : 0);
  }

  async function entryAt(line: number | undefined): Promise<QuoteEntry | undefined> {
    return line === undefined ? undefined : await file.item(line);
  }
}

/** The instant from which on a quote is no longer found, in milliseconds since 1970. */
export function quoteKeptUntil(quote: Pick<StoredQuote, "expiresAt">): number {
  return Date.parse(quote.expiresAt) + KEPT_MILLISECONDS;
}

export function recordKeptUntil(record: Pick<IdempotencyRecord, "createdAt">): number {
  return Date.parse(record.createdAt) + KEPT_MILLISECONDS;
}

/** `quotes-2026-11-20T10-00Z.jsonl`: the minute in which the partition begins. */
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

const QuoteLine = z.object({
  quote: StoredQuote.optional(),
  record: z
    .object({ scope: z.string(), fingerprint: z.string(), answer: z.string(), createdAt: z.string() })
    .optional(),
});

/** What is kept in memory of an entry. */
interface QuoteHead {
  readonly quote: Pick<StoredQuote, "id" | "expiresAt"> | undefined;
  readonly record: Pick<IdempotencyRecord, "scope" | "createdAt"> | undefined;
  readonly sale?: SaleHead | undefined;
}

/** Checked by itself: with the whole schema, reading 100,000 quotes took 5 s of CPU time, not 1.7 s. */
function headOf(content: unknown): QuoteHead | undefined {
  const { quote, record, sale } = (content ?? {}) as { [K in keyof QuoteHead]?: Partial<NonNullable<QuoteHead[K]>> };
  const hasQuote = typeof quote?.id === "string" && !Number.isNaN(Date.parse(quote.expiresAt ?? ""));
  const hasRecord = typeof record?.scope === "string" && !Number.isNaN(Date.parse(record.createdAt ?? ""));
  const hasSale = typeof sale?.id === "string" && !Number.isNaN(Date.parse(sale.at ?? ""));
  const isWhole = (hasQuote || !quote) && (hasRecord || !record) && (hasSale || !sale);
  return isWhole && (hasQuote || hasRecord || hasSale) ? (content as QuoteHead) : undefined;
}

/** The entry that a line holds, `undefined` where it holds none. */
function quoteEntryOf(content: unknown): QuoteEntry | undefined {
  const { quote, record } = QuoteLine.safeParse(content).data ?? {};
  // Its line has the checksum of what was written.
  const { sale } = (content ?? {}) as { readonly sale?: SaleEvent };
  return quote || record || sale ? { quote, record, sale } : undefined;
}
