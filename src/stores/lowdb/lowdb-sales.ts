import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { StoredQuote } from "../../quotes/quote.ts";
import type { SaleEvent } from "../../quotes/sale-event.ts";
import type { QuoteEntry } from "../quote-store.ts";
import type { Sales } from "../sales.ts";
import { type Disk, localDisk, openExisting } from "./disk.ts";
import { hourAt, hourOf, isDamaged, QUOTES, readLines, SALES, sealLine, unsealLine } from "./lines-file.ts";

const HOUR = 60 * 60_000;

/** The sales in folders, which servers and processes over stdio have written. Only reads, beside them. */
export function openLowdbSales(folders: readonly string[]): Sales {
  let damagedLines = 0;

  return {
    async *events({ since, until }) {
      const [from, to] = [since.toISOString(), until.toISOString()];
      const existing = folders.filter(existsSync);
      const names = existing.flatMap((folder) => readdirSync(folder));
      const hours = new Set(names.flatMap((name) => hourOf(QUOTES, name) ?? hourOf(SALES, name) ?? []));
      for (const hour of [...hours].sort()) {
        if (hour < hourAt(since) || hour > hourAt(until)) continue;
        for (const folder of existing) {
          const events = hourEvents(localDisk, folder, hour, () => {
            damagedLines += 1;
          });
          for await (const batch of events) yield batch.filter(({ at }) => at >= from && at < to);
        }
      }
    },
    async quoteOf(created) {
      const savedAt = new Date(created.at);
      // It may have been saved in the hour after its instant.
      const hours = [savedAt, new Date(savedAt.getTime() + HOUR)].map(hourAt);
      for (const path of folders.flatMap((folder) => hours.map((hour) => join(folder, `${QUOTES}${hour}.jsonl`)))) {
        const quote = await quoteIn(path, created.quoteId);
        if (quote) return quote;
      }
      return undefined;
    },
    damagedLines: () => damagedLines,
    close: async () => {},
  };
}

async function quoteIn(path: string, id: string): Promise<StoredQuote | undefined> {
  const file = await openExisting(localDisk, path);
  if (!file) return undefined;
  try {
    for await (const lines of readLines(file)) {
      for (const { bytes } of lines) {
        const { quote } = (unsealLine(bytes) ?? {}) as Partial<QuoteEntry>;
        if (quote?.id === id) return quote;
      }
    }
    return undefined;
  } finally {
    await file.close();
  }
}

/** What the file of sales of an hour holds once its file of quotes is deleted. */
export async function* saleLines(disk: Disk, folder: string, hour: string): AsyncGenerator<Uint8Array> {
  for await (const events of hourEvents(disk, folder, hour, () => {})) {
    yield Buffer.concat(events.map((sale) => sealLine({ sale })));
  }
}

/** The events of an hour, each once. While its quotes are deleted both files hold them. */
async function* hourEvents(
  disk: Pick<Disk, "open">,
  folder: string,
  hour: string,
  onDamage: () => void,
): AsyncGenerator<readonly SaleEvent[]> {
  const seen = new Set<string>();
  // Quotes first: where they have just been deleted, the other file is complete.
  for (const kind of [QUOTES, SALES]) {
    const file = await openExisting(disk, join(folder, `${kind}${hour}.jsonl`));
    if (!file) continue;
    try {
      for await (const lines of readLines(file)) {
        const items = lines.map(({ bytes }) => unsealLine(bytes));
        for (const item of items) if (!item || isDamaged(item)) onDamage();
        const events = items.flatMap((item) => (item as Partial<QuoteEntry> | undefined)?.sale ?? []);
        yield events.filter(({ id }) => !seen.has(id));
        if (kind === QUOTES) for (const { id } of events) seen.add(id);
      }
    } finally {
      await file.close();
    }
  }
}
