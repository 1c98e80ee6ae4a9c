import assert from "node:assert/strict";
import { appendFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { type Ledger, REPORT_GROUPS, type ReportQuery } from "../../src/ledger/ledger.ts";
import type { SummableHours } from "../../src/ledger/ledger-hours.ts";
import type { SaleEvent } from "../../src/ledger/sale-event.ts";
import { createSumsUpdate } from "../../src/ledger/sums-update.ts";
import { sealLine } from "../../src/quotes/lowdb/json-line.ts";
import { createLedgerFolder } from "../../src/quotes/lowdb/ledger-folder.ts";
import { createLedgerLines } from "../../src/quotes/lowdb/ledger-rows.ts";
import { openLowdbLedger } from "../../src/quotes/lowdb/lowdb-ledger.ts";
import { openPool } from "../../src/quotes/postgres/pool.ts";
import { openPostgresLedger } from "../../src/quotes/postgres/postgres-ledger.ts";
import { keyOf } from "../../src/quotes/postgres/rows.ts";
import { createSaleHours } from "../../src/quotes/postgres/sale-hours.ts";
import { createRandom } from "../evidence/random.ts";
import { plainReport } from "../support/plain-report.ts";
import { aSchema, asking, openStore, withPostgres } from "../support/postgres.ts";
import { aQuote } from "../support/quote-fixture.ts";
import { aHandoffSale, anOpeningSale, aSale } from "../support/sale-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse("2026-10-23T21:00:00Z");
/** Five days, in which clocks are set back in Zurich. */
const END = START + 5 * DAY;
const CLASSES = ["sedan", "van", "minibus", "coach"];
const ZONES = ["Europe/Zurich", "Asia/Kolkata", "America/St_Johns"];

interface Kept {
  readonly ledger: Ledger;
  readonly hours: SummableHours;
  /** Replaces all events that are kept. */
  keep(events: readonly SaleEvent[]): Promise<void>;
  /** Adds one, hours after its instant. */
  add(event: SaleEvent): Promise<void>;
  /** Deletes the oldest hour of events, as the retention does; returns those that are left. */
  dropOldest(events: readonly SaleEvent[]): Promise<readonly SaleEvent[]>;
}

suite("a report of the embedded store", () => {
  test("is that of a plain count, with sums of hours and without them", (t) => isExact(inFolder(t)));

  test("reads the events where sums are damaged, cut off or gone", async (t) => {
    const folder = aFolder(t);
    const { ledger, hours, keep } = inFolder(t, folder);
    const events = someSales(7, 200);
    await keep(events);
    const [expected, report] = [plainReport(events, ALL), () => ledger.report(ALL)];
    const damages: readonly ((path: string) => Promise<void>)[] = [
      (path) => appendFile(path, "x"),
      (path) => writeFile(path, '{"sum":"'),
      (path) => writeFile(path, sealLine({ version: "of others", sums: {} })),
      (path) => rm(path),
    ];
    for (const damage of damages) {
      await updated(hours);
      const sums = (await readdir(folder)).filter((name) => name.startsWith("sums-"));
      assert.ok(sums.length > 50);
      for (const name of sums) await damage(join(folder, name));
      assert.deepEqual(await report(), { ...expected, damagedLines: 0 });
    }
  });

  test("counts a damaged line also where its hour was summed after it was damaged", async (t) => {
    const folder = aFolder(t);
    const { ledger, hours, keep } = inFolder(t, folder);
    await keep(someSales(8, 200));
    const [name = ""] = (await readdir(folder)).filter((each) => each.startsWith("ledger-"));
    await appendFile(join(folder, name), "garbage\n");
    assert.equal((await ledger.report(ALL)).damagedLines, 1);
    await updated(hours);
    assert.equal((await ledger.report(ALL)).damagedLines, 1);
  });
});

await withPostgres("a report of PostgreSQL", () => {
  test("a report of PostgreSQL is that of a plain count, with sums of hours and without them", async (t) =>
    isExact(await inDatabase(t)));
});

const ALL: ReportQuery = {
  ...{ since: new Date(START), until: new Date(END), now: new Date(END + DAY) },
  ...{ timeZone: "Europe/Zurich", by: "corridor" },
};

async function isExact({ ledger, hours, keep, add, dropOldest }: Kept): Promise<void> {
  let events = someSales(1, 300);
  await keep(events);
  const agrees = async (seed: number, what: string) => {
    for (const query of [ALL, ...someQueries(seed)]) {
      const { damagedLines, ...counted } = await ledger.report(query);
      assert.equal(damagedLines, 0);
      assert.deepEqual(counted, plainReport(events, query), `${what}: ${JSON.stringify(query)}`);
    }
  };
  await agrees(2, "events alone");

  await updated(hours);
  const summed = [...(await hours.hours(START, END)).values()].filter(({ sums }) => sums);
  assert.ok(summed.length > 80, `${summed.length} hours are summed`);
  await agrees(3, "sums of hours");

  const [first] = events.filter(({ type }) => type === "quote.created");
  assert.ok(first);
  const quote = aQuote({ id: first.quoteId });
  const at = new Date(Date.parse(first.at) + 20 * HOUR).toISOString();
  for (const late of [aSale(aQuote({ id: "q_late" }), { at }), aHandoffSale(quote, { at, id: "evt_late_handoff" })]) {
    events = [...events, late];
    await add(late);
  }
  await agrees(4, "after late events");

  await updated(hours);
  events = await dropOldest(events);
  await agrees(5, "without the oldest hour");
}

/** With a server's clock a day after the last of them. */
async function updated(hours: SummableHours): Promise<void> {
  await createSumsUpdate(hours, { now: () => new Date(END) })(() => true);
}

/** Quotes with handoffs and openings up to a day before and after them, or a little later; the clocks are wrong. */
function someSales(seed: number, quotes: number): readonly SaleEvent[] {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const instant = (from: number, until: number) => new Date(Math.floor(from + random() * (until - from))).toISOString();
  return Array.from({ length: quotes }).flatMap((_, n) => {
    const at = instant(START, END - 2 * HOUR);
    const expiresAt = new Date(Date.parse(at) + HOUR / 2).toISOString();
    const place = () => pick([null, "zurich", "davos", "zermatt"]);
    const ends = { corridor: pick([null, "a-to-b", "b-to-c"]), origin: place(), destination: place() };
    const options = CLASSES.filter(() => random() < 0.8)
      .map((vehicleClass) => ({ vehicleClass, totalRappen: 5 * Math.floor(10_000 + random() * 10_000) }))
      .sort((a, b) => a.totalRappen - b.totalRappen);
    if (options.length === 0) options.push({ vehicleClass: "van", totalRappen: 99_995 });
    const facts = { ...ends, expiresAt, client: pick([null, "a", "b"]) };
    const quote = aQuote({ id: `q_${n}` });
    const steps = Array.from({ length: pick([0, 0, 1, 2, 4]) }).map((_, step) => {
      const near = Date.parse(at);
      const reach = pick([HOUR / 2, HOUR / 2, 3 * HOUR, DAY]);
      const stepAt = pick([true, true, false]) ? instant(near, near + reach) : instant(near - reach, near);
      const own = { ...facts, at: pick([stepAt, stepAt, at]), id: `evt_${n}_${step}`, options: [pick(options)] };
      return random() < 0.6 ? aHandoffSale(quote, own) : anOpeningSale(quote, own);
    });
    return [aSale(quote, { ...facts, at, id: `evt_${n}`, options }), ...steps];
  });
}

/** Of any instants, some of them whole hours and days. */
function someQueries(seed: number): readonly ReportQuery[] {
  const random = createRandom(seed);
  const step = () => [1, HOUR, DAY][Math.floor(random() * 3)] ?? 1;
  const instant = () => START - HOUR + Math.floor(random() * (END - START + 2 * HOUR));
  return [undefined, ...REPORT_GROUPS, ...REPORT_GROUPS].map((by, n) => {
    const [from = 0, to = 0] = [instant(), instant()].map((at) => at - (at % step())).sort((a, b) => a - b);
    const now = new Date(random() < 0.5 ? END + DAY : instant());
    return { since: new Date(from), until: new Date(to + 1), now, timeZone: ZONES[n % ZONES.length] ?? "UTC", by };
  });
}

/** Ledgers of all hours but the last three, which are still partitions; some events are stored in the next hour. */
function inFolder(t: TestContext, folder: string = aFolder(t)): Kept {
  const hourOf = ({ at }: SaleEvent) => Math.floor((Date.parse(at) + 2_000) / HOUR) * HOUR;
  const nameOf = (hour: number) => `${new Date(hour).toISOString().slice(0, 13)}-00Z`;

  async function keepHour(hour: number, sales: readonly SaleEvent[]): Promise<void> {
    if (hour >= END - 3 * HOUR) {
      await writeFile(
        join(folder, `quotes-${nameOf(hour)}.jsonl`),
        Buffer.concat(sales.map((sale) => sealLine({ sale }))),
      );
      return;
    }
    const lines = createLedgerLines();
    for (const sale of sales) lines.add(sale);
    await writeFile(
      join(folder, `ledger-${nameOf(hour)}.jsonl`),
      Buffer.concat([{ sizes: [] }, ...lines.all()].map(sealLine)),
    );
  }

  return {
    ledger: openLowdbLedger([folder]),
    hours: createLedgerFolder(folder),
    async keep(events) {
      for (const hour of new Set(events.map(hourOf))) {
        await keepHour(
          hour,
          events.filter((event) => hourOf(event) === hour),
        );
      }
    },
    async add(event) {
      const lines = createLedgerLines();
      lines.add(event);
      await appendFile(join(folder, `ledger-${nameOf(hourOf(event))}.jsonl`), Buffer.concat(lines.all().map(sealLine)));
    },
    async dropOldest(events) {
      const oldest = Math.min(...events.map(hourOf));
      await rm(join(folder, `ledger-${nameOf(oldest)}.jsonl`));
      return events.filter((event) => hourOf(event) !== oldest);
    },
  };
}

async function inDatabase(t: TestContext): Promise<Kept> {
  const url = await aSchema(t);
  await openStore(t, { url });
  const pool = openPool({ url, connections: 1, statementMilliseconds: 60_000 });
  t.after(() => pool.end());
  const ledger = openPostgresLedger(url);
  t.after(() => ledger.close());
  const insert = (events: readonly SaleEvent[]) =>
    asking(
      url,
      `INSERT INTO transfer_sales
       SELECT id, type, "quoteId", at, surface, client, corridor, origin, destination, "distanceKm", "tariffVersion",
         "expiresAt", ARRAY(SELECT each->>'vehicleClass' FROM json_array_elements(options) AS each),
         ARRAY(SELECT (each->>'totalRappen')::bigint FROM json_array_elements(options) AS each)
       FROM json_to_recordset($1::json) AS sale (id text, type text, "quoteId" text, at timestamptz, surface text,
         client text, corridor text, origin text, destination text, "distanceKm" double precision,
         "tariffVersion" text, "expiresAt" timestamptz, options json)`,
      [JSON.stringify(events.map((event) => ({ ...event, client: event.client && keyOf(event.client) })))],
    );
  return {
    ledger,
    hours: createSaleHours(async (statement, values) => (await pool.query({ ...statement, values: [...values] })).rows),
    async keep(events) {
      await insert(events);
    },
    async add(event) {
      await insert([event]);
    },
    async dropOldest(events) {
      const ends = Math.min(...events.map(({ at }) => Date.parse(at))) + HOUR;
      await asking(url, "DELETE FROM transfer_sales WHERE occurred_at < $1", [new Date(ends).toISOString()]);
      return events.filter(({ at }) => Date.parse(at) >= ends);
    },
  };
}
