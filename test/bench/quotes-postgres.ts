import { randomBytes } from "node:crypto";
import Table from "cli-table3";
import pg from "pg";
import { systemClock } from "../../src/ops/clock.ts";
import { silentLog } from "../../src/ops/log.ts";
import { openPostgresQuoteStore } from "../../src/quotes/postgres/postgres-quote-store.ts";
import { anEntry } from "../support/quote-fixture.ts";

/**
 * Acknowledged inserts and reads a second, and how long the slowest hundredth takes, by connections and callers:
 * `npx tsx test/bench/quotes-postgres.ts [url]`. Works in a schema of its own, which it drops.
 */
const [address = "postgres://postgres@127.0.0.1:5432/test"] = process.argv.slice(2);
const SETTINGS = [
  { connections: 1, callers: 1 },
  { connections: 10, callers: 10 },
  { connections: 10, callers: 128 },
  { connections: 20, callers: 128 },
];
const RUN_MILLISECONDS = 3000;

const schema = `bench_${randomBytes(8).toString("hex")}`;
const admin = new pg.Client({ connectionString: address });
await admin.connect();
await admin.query(`CREATE SCHEMA ${schema}`);
try {
  const url = new URL(address);
  url.searchParams.set("options", `-c search_path=${schema}`);
  const table = new Table({ head: ["connections", "callers", "inserts/s", "p99 ms", "finds/s", "p99 ms"] });
  for (const { connections, callers } of SETTINGS) {
    const store = await openPostgresQuoteStore({
      url: url.href,
      ledgerDays: 400,
      clock: systemClock,
      log: silentLog,
      connections,
    });
    const run = `${connections}_${callers}`;
    const at = new Date().toISOString();
    await measure(callers, 500, (n) => store.insert(anEntry(`warm_${run}_${n}`, at)));
    const inserts = await measure(callers, RUN_MILLISECONDS, (n) => store.insert(anEntry(`${run}_${n}`, at)));
    const finds = await measure(callers, RUN_MILLISECONDS, async (n) => {
      if (!(await store.find(`quote_${run}_${1 + (n % inserts.count)}`))) throw new Error("a quote is lost");
    });
    table.push([connections, callers, inserts.perSecond, inserts.p99, finds.perSecond, finds.p99]);
    await store.close();
  }
  process.stdout.write(`${table}\n`);
} finally {
  await admin.query(`DROP SCHEMA ${schema} CASCADE`);
  await admin.end();
}

/** Calls from many callers, each waiting for its own answer. */
async function measure(callers: number, milliseconds: number, call: (n: number) => Promise<unknown>) {
  const took: number[] = [];
  let count = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < started + milliseconds) {
        count += 1;
        const begun = performance.now();
        await call(count);
        took.push(performance.now() - begun);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const p99 = took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
  return { count, perSecond: Math.round(count / seconds), p99: p99.toFixed(1) };
}
