import { Low } from "lowdb";
import type { Log } from "../../ops/log.ts";
import { KEPT_MILLISECONDS, type QuoteEntry } from "../quote-store.ts";
import type { Disk } from "./disk.ts";
import { createLinesFile, type LinesFile } from "./lines-file.ts";

/** The entries of an hour in one file, which is deleted as a whole. Memory holds the number of each entry's line. */
export interface HourFile extends Pick<LinesFile<QuoteEntry>, "item" | "settle" | "close"> {
  readonly name: string;
  /** Lines by the ids of quotes and the scopes of records. */
  readonly quotes: ReadonlyMap<string, number>;
  readonly records: ReadonlyMap<string, number>;
  /** Ids of events that are stored without a quote: what comes with a quote is as unique as that. */
  readonly sales: ReadonlySet<string>;
  /** By line: when the quote ends that its event created, in milliseconds since 1970; otherwise `STEP` or `NO_EVENT`. */
  readonly ends: readonly number[];
  /** How many entries it holds. */
  size(): number;
  /** The instant from which on nothing in it is found, in milliseconds since 1970. */
  keptUntil(): number;
  /** All or, if it rejects, none; see `LinesFile` for a disk that also fails to undo. */
  append(entries: readonly QuoteEntry[]): Promise<void>;
}

/** A handoff or an opening. */
const STEP = 0;
export const NO_EVENT = -1;

/** Reads the file, if there is one. */
export async function openHourFile(name: string, path: string, disk: Disk, log: Log): Promise<HourFile> {
  const quotes = new Map<string, number>();
  const records = new Map<string, number>();
  const sales = new Set<string>();
  const ends: number[] = [];
  let size = 0;
  let end = 0;
  const file = createLinesFile<QuoteEntry>({ path, disk, log, onItem });
  const low = new Low<readonly QuoteEntry[]>(file, []);
  await low.read();
  const { item, settle, close } = file;
  return { name, quotes, records, sales, ends, size: () => size, keptUntil: () => end, append, item, settle, close };

  async function append(entries: readonly QuoteEntry[]): Promise<void> {
    low.data = entries;
    try {
      await low.write();
    } finally {
      low.data = [];
    }
  }

  function onItem({ quote, record, sale }: Partial<QuoteEntry>, line: number): void {
    if (quote) quotes.set(quote.id, line);
    if (record) records.set(record.scope, line);
    if (sale && !quote) sales.add(sale.id);
    ends[line] = sale?.type === "quote.created" ? Date.parse(sale.expiresAt) : sale ? STEP : NO_EVENT;
    if (quote || record || sale) size += 1;
    const other = record?.createdAt ?? sale?.at;
    end = Math.max(end, quote ? keptUntil(quote.expiresAt) : 0, other ? keptUntil(other) : 0);
  }
}

/** The instant from which on what ends or begins at `instant` is no longer found, in milliseconds since 1970. */
export function keptUntil(instant: string): number {
  return Date.parse(instant) + KEPT_MILLISECONDS;
}
