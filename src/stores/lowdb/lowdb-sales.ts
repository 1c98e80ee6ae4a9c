import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readStoredQuote } from "../../quotes/quote.ts";
import type { Sales } from "../sales.ts";
import { type Disk, localDisk } from "./disk.ts";
import { fileOf, hourAt, hoursOf, readEntries, sealLine } from "./lines.ts";

const HOUR = 60 * 60_000;

/** The sales in the folders of servers and of processes over stdio. Only reads, also while these processes write. */
export function openLowdbSales(folders: readonly string[]): Sales {
  let damagedLines = 0;
  const onDamage = () => {
    damagedLines += 1;
  };

  return {
    async *events({ since, until }) {
      const [from, to] = [since.toISOString(), until.toISOString()];
      const existing = folders.filter(existsSync);
      const names = existing.flatMap((folder) => readdirSync(folder));
      const hours = new Set([...hoursOf("quotes", names), ...hoursOf("sales", names)]);
      for (const hour of [...hours].sort()) {
        if (hour < hourAt(since) || hour > hourAt(until)) continue;
        for (const folder of existing) {
          const events = hourEvents(localDisk, folder, hour, onDamage);
          for await (const batch of events) yield batch.filter(({ at }) => at >= from && at < to);
        }
      }
    },
    eventsOf: async () => undefined,
    async quoteOf({ at, quoteId }) {
      // The quote may have been saved in the hour after its instant.
      const hours = [0, HOUR].map((later) => hourAt(new Date(Date.parse(at) + later)));
      for (const path of folders.flatMap((folder) => hours.map((hour) => join(folder, fileOf("quotes", hour))))) {
        for await (const entries of readEntries(localDisk, path)) {
          const found = entries.find((entry) => entry?.quote?.id === quoteId);
          if (found) return readStoredQuote(found.quote);
        }
      }
      return undefined;
    },
    damagedLines: () => damagedLines,
    close: async () => {},
  };
}

/** Content of the file of sales that replaces the file of quotes of an hour. */
export async function* saleLines(
  { disk, folder }: { readonly disk: Disk; readonly folder: string },
  hour: string,
  onDamage: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const events of hourEvents(disk, folder, hour, onDamage)) {
    yield Buffer.concat(events.map((sale) => sealLine({ sale })));
  }
}

/** The events of an hour, each once: while its file of quotes is being deleted, both files contain them. */
async function* hourEvents(disk: Pick<Disk, "open">, folder: string, hour: string, onDamage = () => {}) {
  const seen = new Set<string>();
  // Quotes first: if their file has just been deleted, the file of sales is complete.
  for (const kind of ["quotes", "sales"] as const) {
    for await (const entries of readEntries(disk, join(folder, fileOf(kind, hour)))) {
      for (const entry of entries) if (!entry) onDamage();
      const events = entries.flatMap((entry) => entry?.sale ?? []).filter(({ id }) => !seen.has(id));
      yield events;
      if (kind === "quotes") for (const { id } of events) seen.add(id);
    }
  }
}
