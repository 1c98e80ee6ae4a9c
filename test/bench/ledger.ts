import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lineOf } from "../../src/adapters/stores/lowdb/hour-files.ts";
import { openLowdbSales } from "../../src/adapters/stores/lowdb/lowdb-sales.ts";
import { openPool, queryOf } from "../../src/adapters/stores/postgres/database.ts";
import { migrate } from "../../src/adapters/stores/postgres/migrate.ts";
import { openPostgresSales } from "../../src/adapters/stores/postgres/postgres-sales.ts";
import { purgeExpired } from "../../src/adapters/stores/postgres/purge-expired.ts";
import type { SaleEvent } from "../../src/domain/sales/sale-event.ts";
import type { Sales } from "../../src/domain/sales/sales.ts";
import { joinSales, reportSales } from "../../src/domain/sales/sales-report.ts";
import { silentLog } from "../../src/ops/log.ts";
import { aFolder, withCleanUp } from "../support/lifetime.ts";
import { aSchema, asking } from "../support/postgres.ts";
import { showMeasured } from "./measured.ts";

/**
 * How long a month's report, a quote's history and the purge of its first day take on both stores: `npm run bench:ledger`,
 * in a folder and in a schema of its own, which it drops. Every third quote is handed over, every sixth opened. `--write`
 * writes the table into `docs/maintainers/capacity.md`. Ten million need 40 GB of disk and half an hour.
 */
const LEDGERS = [1_000_000, 10_000_000];
const DAYS = 30;
const HOURS = DAYS * 24;
const START = Date.parse("2026-11-01T00:00:00Z");
const CLASSES = ["sedan", "estate", "van", "first_class", "minibus", "first_class_van", "coach"];
const PERIOD = { since: new Date(START), until: new Date("2026-12-01T00:00:00Z"), timeZone: "Europe/Zurich" };
const HOUR = 3_600_000;

const rows: string[][] = [];
for (const quotes of LEDGERS)
  await withCleanUp(async (t) => {
    const folder = aFolder(t);
    await fillFolder(folder, quotes);
    rows.push([
      String(quotes),
      "embedded",
      ...(await measure(openLowdbSales([folder], "none"), quotes)),
      "a file an hour",
    ]);
    const url = await aSchema(t);
    await fillDatabase(url, quotes);
    rows.push([
      String(quotes),
      "PostgreSQL",
      ...(await measure(openPostgresSales(url), quotes)),
      await purgeOfADay(url),
    ]);
  });
showMeasured("ledger", [
  {
    title: "A ledger of a month",
    head: ["Quotes", "Store", "Report s", "A quote's history s", "Purge of a day s"],
    rows,
  },
]);

async function measure(sales: Sales, quotes: number) {
  const started = performance.now();
  const { total } = await reportSales(joinSales(sales, PERIOD), { ...PERIOD, now: PERIOD.until, by: ["corridor"] });
  const reported = performance.now();
  if (total.quotes !== quotes || total.handedOver !== Math.ceil(quotes / 3)) throw new Error(JSON.stringify(total));
  const id = quoteIdOf(quotes / 2);
  const indexed = await sales.eventsOf(id);
  if (!indexed)
    for await (const events of sales.events(PERIOD)) if (events.some(({ quoteId }) => quoteId === id)) break;
  const found = performance.now();
  await sales.close();
  return [reported - started, found - reported].map((each) => (each / 1000).toFixed(2));
}

/** Of the first day, by the deletions of the running server. */
async function purgeOfADay(url: string): Promise<string> {
  const pool = openPool({ url, connections: 1, isPatient: true });
  const clock = { now: () => new Date(START + (DAYS + 1) * 24 * HOUR) };
  const started = performance.now();
  await purgeExpired(queryOf(pool), { ledgerDays: DAYS, clock, mayDeleteEvents: () => true });
  const took = performance.now() - started;
  await pool.end();
  return (took / 1000).toFixed(1);
}

async function fillFolder(folder: string, quotes: number): Promise<void> {
  for (const { at, events } of salesByHour(quotes)) {
    const name = new Date(at).toISOString().slice(0, 13);
    const text = Buffer.concat(events.map((sale) => lineOf({ sale })));
    await writeFile(join(folder, `sales-${name}.jsonl`), text);
  }
}

function* salesByHour(quotes: number) {
  for (let hour = 0; hour < HOURS; hour += 1) {
    const at = START + hour * HOUR;
    const events: SaleEvent[] = [];
    for (let n = hour; n < quotes; n += HOURS) events.push(...salesOf(n, at));
    yield { at, events };
  }
}

function quoteIdOf(n: number): string {
  return `q_${String(n).padStart(22, "0")}`;
}

function salesOf(n: number, hour: number): readonly SaleEvent[] {
  const at = new Date(hour + (n % 3_000) * 1_000).toISOString();
  const quote: SaleEvent = {
    id: `evt_${n}`,
    type: "quote.created",
    quoteId: quoteIdOf(n),
    at,
    requestId: `req_${n}`,
    surface: n % 2 === 0 ? "mcp" : "rest",
    client: `client-${n % 5}`,
    corridor: n % 4 === 0 ? null : `corridor-${n % 100}`,
    origin: `place-${n % 90}`,
    destination: `place-${n % 70}`,
    stops: [],
    distanceKm: 100 + (n % 100) / 10,
    tariffVersion: "2026-11",
    hireHours: null,
    expiresAt: new Date(Date.parse(at) + HOUR / 2).toISOString(),
    options: CLASSES.map((vehicleClass, index) => ({
      vehicleClass,
      totalRappen: 50_000 + index * 10_000 + (n % 1_000) * 5,
    })),
  };
  const options = quote.options.slice(n % 7, (n % 7) + 1);
  const handoff: SaleEvent = { ...quote, type: "handoff.created", id: `evt_h${n}`, options };
  const opening: SaleEvent = { ...quote, type: "handoff.opened", id: `evt_o${n}`, options };
  return [quote, ...(n % 3 === 0 ? [handoff] : []), ...(n % 6 === 0 ? [opening] : [])];
}

async function fillDatabase(url: string, quotes: number): Promise<void> {
  await migrate(url, silentLog);
  for (const { events } of salesByHour(quotes)) {
    await asking(
      url,
      `INSERT INTO transfer_sales (id, quote_id, request_id, occurred_at, sale)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[])`,
      [
        events.map(({ id }) => id),
        events.map(({ quoteId }) => quoteId),
        events.map(({ requestId }) => requestId),
        events.map(({ at }) => at),
        events.map((event) => JSON.stringify(event)),
      ],
    );
  }
  // As the server's own autovacuum leaves it.
  await asking(url, "VACUUM ANALYZE transfer_sales");
}
