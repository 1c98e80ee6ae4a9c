import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import Table from "cli-table3";
import { systemClock } from "../../src/ops/clock.ts";
import { silentLog } from "../../src/ops/log.ts";
import { openLowdbQuoteStore } from "../../src/quotes/lowdb/lowdb-quote-store.ts";
import type { QuoteStore } from "../../src/quotes/quote-store.ts";
import { anEntry } from "../support/quote-fixture.ts";

/**
 * Acknowledged inserts a second by the number of quotes stored before; it should not matter. Run on the disk that is
 * to be used: `npm run bench:quotes -- /var/lib/somewhere`, in the working folder otherwise.
 */
const [parent = "."] = process.argv.slice(2);
const STORED = [0, 10_000, 50_000];
const WRITERS = [1, 128];
const RUNS = 5;
const RUN_MILLISECONDS = 500;

const folder = await mkdtemp(join(parent, "bench-quotes-"));
try {
  const table = new Table({ head: ["stored", ...WRITERS.map((writers) => `${writers} writers, quotes/s`)] });
  for (const stored of STORED) {
    const medians: number[] = [];
    for (const writers of WRITERS) medians.push(await measure(join(folder, `${stored}-${writers}`), stored, writers));
    table.push([String(stored), ...medians.map((median) => String(Math.round(median)))]);
  }
  process.stdout.write(`${table}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Median of some runs, each on a store that holds `stored` quotes and little more. */
async function measure(folder: string, stored: number, writers: number): Promise<number> {
  const rates: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const store = await openLowdbQuoteStore({
      folder: `${folder}-${run}`,
      maxLiveQuotes: 1_000_000,
      ledgerDays: 400,
      clock: systemClock,
      log: silentLog,
    });
    const at = new Date().toISOString();
    await insertMany(store, 128, `warm${run}`, at, (n) => n >= stored + 2_000);
    const started = performance.now();
    const end = started + RUN_MILLISECONDS;
    const inserted = await insertMany(store, writers, `run${run}`, at, () => performance.now() >= end);
    rates.push((inserted * 1000) / (performance.now() - started));
    await store.close();
    await rm(`${folder}-${run}`, { recursive: true });
  }
  return rates.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}

/** Inserts from many writers, each waiting for its own acknowledgement, until enough; gives how many. */
async function insertMany(
  store: QuoteStore,
  writers: number,
  prefix: string,
  at: string,
  isEnough: (inserted: number) => boolean,
): Promise<number> {
  let inserted = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (!isEnough(inserted)) {
        inserted += 1;
        await store.insert(anEntry(`${prefix}_${inserted}`, at));
      }
    }),
  );
  return inserted;
}
