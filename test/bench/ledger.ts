import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import Table from "cli-table3";
import { lineOf } from "../../src/adapters/stores/lowdb/hour-files.ts";
import { openLowdbSales } from "../../src/adapters/stores/lowdb/lowdb-sales.ts";
import { migrate } from "../../src/adapters/stores/postgres/migrate.ts";
import { openPostgresSales } from "../../src/adapters/stores/postgres/postgres-sales.ts";
import type { SaleEvent } from "../../src/domain/sales/sale-event.ts";
import type { Sales } from "../../src/domain/sales/sales.ts";
import { joinSales, REPORT_GROUPS, type ReportQuery, reportSales } from "../../src/domain/sales/sales-report.ts";
import { silentLog } from "../../src/ops/log.ts";
import { withCleanUp } from "../support/clean-up.ts";
import { aSchema, asking } from "../support/postgres.ts";
import { aFolder } from "../support/temporary-folder.ts";

/**
 * How long a report of a million quotes takes, on both stores: `npm run bench:ledger`. The sales are of 30 days, in a
 * folder and in a schema of its own, which it drops. Every third quote is handed over, every sixth opened.
 */
const QUOTES = 1_000_000;
const HOURS = 30 * 24;
const RUNS = 3;
const START = Date.parse("2026-11-01T00:00:00Z");
const CLASSES = ["sedan", "estate", "van", "first_class", "minibus", "first_class_van", "coach"];
const PERIOD = { since: new Date(START), until: new Date("2026-12-01T00:00:00Z"), timeZone: "Europe/Zurich" };
const HOUR = 3_600_000;

const table = new Table({ head: ["grouped by", "embedded store, s", "PostgreSQL, s"] });
await withCleanUp(async (t) => {
  const folder = aFolder(t);
  const url = await aSchema(t);
  await fillFolder(folder);
  await fillDatabase(url);
  const ledgers = [openLowdbSales([folder], "none"), openPostgresSales(url)];
  await measure(ledgers, [[], ...REPORT_GROUPS.map((group) => [group])]);
  for (const ledger of ledgers) await ledger.close();
  process.stdout.write(`${table}\n`);
});

type Groups = readonly ReportQuery["by"][];

async function measure(ledgers: readonly Sales[], groups: Groups): Promise<void> {
  for (const by of groups) {
    const seconds: number[] = [];
    for (const ledger of ledgers) seconds.push(await medianSeconds(ledger, by));
    table.push([by.join(", ") || "nothing", ...seconds.map((each) => each.toFixed(2))]);
  }
}

async function medianSeconds(sales: Sales, by: ReportQuery["by"]): Promise<number> {
  const took: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const started = performance.now();
    const { total } = await reportSales(joinSales(sales, PERIOD), { ...PERIOD, now: PERIOD.until, by });
    took.push((performance.now() - started) / 1000);
    if (total.quotes !== QUOTES || total.handedOver !== Math.ceil(QUOTES / 3)) throw new Error(JSON.stringify(total));
  }
  return took.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}

async function fillFolder(folder: string): Promise<void> {
  for (const { at, events } of salesByHour()) {
    const name = new Date(at).toISOString().slice(0, 13);
    const text = Buffer.concat(events.map((sale) => lineOf({ sale })));
    await writeFile(join(folder, `sales-${name}.jsonl`), text);
  }
}

function* salesByHour() {
  for (let hour = 0; hour < HOURS; hour += 1) {
    const at = START + hour * HOUR;
    const events: SaleEvent[] = [];
    for (let n = hour; n < QUOTES; n += HOURS) events.push(...salesOf(n, at));
    yield { at, events };
  }
}

function salesOf(n: number, hour: number): readonly SaleEvent[] {
  const at = new Date(hour + (n % 3_000) * 1_000).toISOString();
  const quote: SaleEvent = {
    id: `evt_${n}`,
    type: "quote.created",
    quoteId: `q_${String(n).padStart(22, "0")}`,
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

async function fillDatabase(url: string): Promise<void> {
  await migrate(url, silentLog);
  for (const { events } of salesByHour()) {
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
