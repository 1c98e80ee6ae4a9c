import type { Clock } from "../../ops/clock.ts";
import type { StoredQuote } from "../quote.ts";
import { type IdempotencyRecord, KEPT_MILLISECONDS, type QuoteEntry } from "../quote-store.ts";

/** What the embedded store finds, in memory; shows nothing past its keeping. */
export interface QuoteIndex {
  add(entry: QuoteEntry): void;
  remove(entry: QuoteEntry): void;
  /** Whether the id was ever given away, as far as is known. */
  hasQuote(id: string): boolean;
  quote(id: string): StoredQuote | undefined;
  record(scope: string): IdempotencyRecord | undefined;
}

export function createQuoteIndex(clock: Clock): QuoteIndex {
  const quotes = new Map<string, StoredQuote>();
  const records = new Map<string, IdempotencyRecord>();

  return {
    add({ quote, record }) {
      if (quote && !quotes.has(quote.id)) quotes.set(quote.id, quote);
      // A scope is free again after 24 hours, so that files of two days may both name it: the later one holds it.
      const held = record && records.get(record.scope);
      if (record && !(held && recordKeptUntil(held) > recordKeptUntil(record)))
        records.set(record.scope, record);
    },
    remove({ quote, record }) {
      if (quote && quotes.get(quote.id) === quote) quotes.delete(quote.id);
      if (record && records.get(record.scope) === record) records.delete(record.scope);
    },
    hasQuote: (id) => quotes.has(id),
    quote(id) {
      const quote = quotes.get(id);
      return quote && isKept(quoteKeptUntil(quote)) ? quote : undefined;
    },
    record(scope) {
      const record = records.get(scope);
      return record && isKept(recordKeptUntil(record)) ? record : undefined;
    },
  };

  function isKept(until: number): boolean {
    return clock.now().getTime() < until;
  }
}

/** The instant from which on nothing of an entry is found, in milliseconds since 1970. */
export function keptUntil({ quote, record }: QuoteEntry): number {
  return Math.max(quote ? quoteKeptUntil(quote) : 0, record ? recordKeptUntil(record) : 0);
}

function quoteKeptUntil(quote: StoredQuote): number {
  return Date.parse(quote.expiresAt) + KEPT_MILLISECONDS;
}

function recordKeptUntil(record: IdempotencyRecord): number {
  return Date.parse(record.createdAt) + KEPT_MILLISECONDS;
}

/** Whether a line's content is an entry; its checksum has already told that it is as it was written. */
export function isQuoteEntry(content: unknown): content is QuoteEntry {
  const { quote, record } = (content ?? {}) as Partial<QuoteEntry>;
  return typeof quote?.id === "string" || typeof record?.scope === "string";
}
