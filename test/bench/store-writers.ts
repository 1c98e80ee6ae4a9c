// One run of the embedded store for `rows-store.ts`, in a process of its own. Prints its figures as JSON.
import { systemClock } from "../../src/ops/clock.ts";
import { silentLog } from "../../src/ops/log.ts";
import { openLowdbQuoteStore } from "../../src/quotes/lowdb/lowdb-quote-store.ts";
import { anEntry } from "../support/quote-fixture.ts";
import { at } from "./measurement.ts";

const [mode = "", folder = "", ...numbers] = process.argv.slice(2);
const [first = 0, second = 0] = numbers.map(Number);
const FILLERS = 256;

globalThis.gc?.();
const heapBefore = process.memoryUsage().heapUsed;
const cpuBefore = process.cpuUsage();
const store = await openLowdbQuoteStore({
  folder,
  maxLiveQuotes: 1_000_000,
  ledgerDays: 400,
  clock: systemClock,
  log: silentLog,
});
const took: number[] = [];
let inserted = 0;
const started = performance.now();
if (mode === "write") await insert(first, () => performance.now() < started + second);
if (mode === "fill") await insert(FILLERS, () => inserted < first);
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
const cpuMs = (user + system) / 1000;
took.length = mode === "write" ? took.length : 0;
globalThis.gc?.();
const count = mode === "load" ? 100_000 : inserted;
const bytesEach = (process.memoryUsage().heapUsed - heapBefore) / count;
const figures = { perSecond: inserted / seconds, p50: at(took, 0.5), p99: at(took, 0.99), cpuMs: cpuMs / count };
process.stdout.write(JSON.stringify({ ...figures, bytesEach }));
await store.close();

/** Many writers, each of which waits for its own acknowledgement. */
async function insert(writers: number, isMore: () => boolean): Promise<void> {
  // One entry with other names: making one would take as long as saving it.
  const { quote, record } = anEntry("model", new Date().toISOString());
  const named = (name: string) => ({
    quote: quote && { ...quote, id: `quote_${name}` },
    record: record && { ...record, scope: `scope_${name}` },
  });
  const write = async () => {
    while (isMore()) {
      inserted += 1;
      const began = performance.now();
      await store.insert(named(`${process.pid}_${inserted}`));
      took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}
