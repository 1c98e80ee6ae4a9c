import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { QUOTE_VALIDITY_MILLISECONDS, readStoredQuote } from "../../../domain/quotes/quote.ts";
import type { SaleEvent } from "../../../domain/sales/sale-event.ts";
import type { Sales } from "../../../domain/sales/sales.ts";
import { DAY, HOUR } from "../../../ops/durations.ts";
import { type Entry, fileOf, hourAt, hoursOf } from "./hours.ts";
import { createJsonLines, itemOf, localDisk } from "./json-lines.ts";
import { lostInFiles } from "./refused-files.ts";

/** The sales in the folders of servers and of processes over stdio, and what all refused. Only reads. */
export function openLowdbSales(folders: readonly string[], refusedFolder: string): Sales {
  let damagedLines = 0;

  return {
    async *events({ since, until }) {
      const [from, to] = [since.toISOString(), until.toISOString()];
      for (const { folder, hour } of hoursBetween(since, until)) {
        const sales = new Map<string, SaleEvent>();
        // Quotes first: if their file has just been replaced, the file of sales is complete.
        for (const kind of ["quotes", "sales"] as const)
          for (const { sale } of await entriesOf(folder, fileOf(kind, hour))) if (sale) sales.set(sale.id, sale);
        yield [...sales.values()].filter(({ at }) => at >= from && at < to);
      }
    },
    eventsOf: async () => undefined,
    async quoteOf({ quoteId, expiresAt }) {
      const end = Date.parse(expiresAt);
      const issuedAt = end - QUOTE_VALIDITY_MILLISECONDS;
      // The quote may have been saved in the hour after its instant; one that was confirmed for longer, long before.
      for (const [from, to] of [[issuedAt, issuedAt + HOUR] as const, [end - DAY - HOUR, end] as const])
        for (const { folder, hour } of [...hoursBetween(new Date(from), new Date(to))].reverse()) {
          const entries = await entriesOf(folder, fileOf("quotes", hour));
          const found = entries.findLast(({ quote }) => quote?.id === quoteId);
          if (found) return readStoredQuote(found.quote);
        }
      return undefined;
    },
    refused: (period) => lostInFiles(refusedFolder, period),
    damagedLines: () => damagedLines,
    close: async () => {},
  };

  /** These hours in all folders, the oldest first. */
  function hoursBetween(first: Date, last: Date) {
    const [from, to] = [hourAt(first), hourAt(last)];
    const all = folders.filter(existsSync).flatMap((folder) => {
      const files = readdirSync(folder);
      const names = new Set([...hoursOf("quotes", files), ...hoursOf("sales", files)]);
      return [...names].map((hour) => ({ folder, hour }));
    });
    const within = all.filter(({ hour }) => hour >= from && hour <= to);
    return within.sort((a, b) => (a.hour < b.hour ? -1 : 1));
  }

  async function entriesOf(folder: string, file: string): Promise<readonly Entry[]> {
    const lines = (await createJsonLines(join(folder, file), localDisk).read()) ?? [];
    const entries = lines.flatMap((line) => itemOf<Entry>(line) ?? []);
    damagedLines += lines.length - entries.length;
    return entries;
  }
}
