import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Low } from "lowdb";
import { HOUR } from "../../ops/durations.ts";
import { QUOTE_VALIDITY_MILLISECONDS, readStoredQuote } from "../../quotes/quote.ts";
import type { Sales } from "../sales.ts";
import { localDisk } from "./disk.ts";
import { createJsonLines } from "./json-lines.ts";
import { type Entry, fileOf, hourAt, hourOf, segmentsOf } from "./segments.ts";

/** The sales in the folders of servers and of processes over stdio. Only reads, also while these processes write. */
export function openLowdbSales(folders: readonly string[]): Sales {
  let damagedLines = 0;

  return {
    async *events({ since, until }) {
      const [from, to] = [since.toISOString(), until.toISOString()];
      for (const [folder, name] of segmentsBetween(hourAt(since), hourAt(until))) {
        const seen = new Set<string>();
        // Quotes first: if their file has just been replaced, the file of sales is complete.
        for (const kind of ["quotes", "sales"] as const) {
          const events = (await entriesOf(folder, fileOf(kind, name))).flatMap(({ sale }) => sale ?? []);
          yield events.filter(({ id, at }) => !seen.has(id) && at >= from && at < to);
          for (const { id } of events) seen.add(id);
        }
      }
    },
    eventsOf: async () => undefined,
    async quoteOf({ quoteId, expiresAt }) {
      const issuedAt = Date.parse(expiresAt) - QUOTE_VALIDITY_MILLISECONDS;
      // The quote may have been saved in the hour after its instant.
      const [first, last] = [0, HOUR].map((later) => hourAt(new Date(issuedAt + later)));
      for (const [folder, name] of segmentsBetween(first, last)) {
        const found = (await entriesOf(folder, fileOf("quotes", name))).find(({ quote }) => quote?.id === quoteId);
        if (found) return readStoredQuote(found.quote);
      }
      return undefined;
    },
    damagedLines: () => damagedLines,
    close: async () => {},
  };

  /** The segments of these hours in all folders, the oldest first. */
  function segmentsBetween(first = "", last = ""): readonly (readonly [folder: string, name: string])[] {
    const all = folders.filter(existsSync).flatMap((folder) => {
      const names = readdirSync(folder);
      const segments = new Set([...segmentsOf("quotes", names), ...segmentsOf("sales", names)]);
      return [...segments].map((name) => [folder, name] as const);
    });
    const within = all.filter(([, name]) => hourOf(name) >= first && hourOf(name) <= last);
    return within.sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0));
  }

  async function entriesOf(folder: string, file: string): Promise<readonly Entry[]> {
    const lines = createJsonLines<Entry>(join(folder, file), localDisk);
    const low = new Low<Entry[]>(lines, []);
    await low.read();
    damagedLines += lines.skipped().damagedLines;
    return low.data;
  }
}
