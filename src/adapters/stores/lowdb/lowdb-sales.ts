import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readStoredQuote } from "../../../domain/quotes/quote.ts";
import type { SaleEvent } from "../../../domain/sales/sale-event.ts";
import type { Sales } from "../../../domain/sales/sales.ts";
import { DAY, HOUR } from "../../../ops/durations.ts";
import { callsInFiles } from "./call-files.ts";
import { createLines, type Entry, entryOf, fileOf, hourAt, hoursOf, localDisk } from "./hour-files.ts";

/** The sales in the folders of servers and of processes over stdio, and the calls of all in the data folder. Only reads. */
export function openLowdbSales(folders: readonly string[], dataDir: string): Sales {
  let damagedLines = 0;

  return {
    async *events({ since, until }) {
      const [from, to] = [since.toISOString(), until.toISOString()];
      for (const hour of hoursBetween(since, until)) {
        const sales = new Map<string, SaleEvent>();
        // Quotes first: if their file has just been replaced, the file of sales is complete.
        for (const kind of ["quotes", "sales"] as const)
          for (const { sale } of await entriesOf(kind, hour)) if (sale) sales.set(sale.id, sale);
        const within = [...sales.values()].filter(({ at }) => at >= from && at < to);
        yield within.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
      }
    },
    eventsOf: async () => undefined,
    async quoteOf({ quoteId, expiresAt }) {
      const end = Date.parse(expiresAt);
      // The operator confirms a quote for up to a day.
      for (const hour of hoursBetween(new Date(end - DAY - HOUR), new Date(end)).reverse()) {
        const found = (await entriesOf("quotes", hour)).findLast(({ quote }) => quote?.id === quoteId);
        if (found) return readStoredQuote(found.quote);
      }
      return undefined;
    },
    calls: (journal, period) => callsInFiles(dataDir, journal, period),
    damagedLines: () => damagedLines,
    close: async () => {},
  };

  /** These hours, the oldest first. */
  function hoursBetween(first: Date, last: Date): string[] {
    const files = folders.filter(existsSync).flatMap((folder) => readdirSync(folder));
    const hours = new Set([...hoursOf("quotes", files), ...hoursOf("sales", files)]);
    return [...hours].filter((hour) => hour >= hourAt(first) && hour <= hourAt(last)).sort();
  }

  /** In all folders. */
  async function entriesOf(kind: "quotes" | "sales", hour: string): Promise<readonly Entry[]> {
    const files = folders.map((folder) => createLines(join(folder, fileOf(kind, hour)), localDisk).read());
    const lines = (await Promise.all(files)).flat();
    const entries = lines.flatMap((line) => entryOf(line) ?? []);
    damagedLines += lines.length - entries.length;
    return entries;
  }
}
