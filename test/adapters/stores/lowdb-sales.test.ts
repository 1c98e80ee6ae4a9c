import assert from "node:assert/strict";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openLowdbSales } from "../../../src/adapters/stores/lowdb/lowdb-sales.ts";
import { createLedgerGuard } from "../../../src/adapters/stores/store-calls.ts";
import type { SaleEvent } from "../../../src/domain/sales/sale-event.ts";
import { DAY, HOUR } from "../../../src/ops/durations.ts";
import { silentLog } from "../../../src/ops/log.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aFolder } from "../../support/lifetime.ts";
import { openStore } from "../../support/lowdb-store.ts";
import { aQuote, ISSUED_AT } from "../../support/quote-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aHandoffSale, aSale, sortedById } from "../../support/sale-fixture.ts";

const QUOTES = "quotes-2026-11-20T10.jsonl";
const SALES = "sales-2026-11-20T10.jsonl";

test("events that stand in the files of quotes and of sales, because a purge was cut off, are counted once", async (t) => {
  const { folder, sold } = await sales(t);
  const copy = aFolder(t);
  await cp(folder, copy, { recursive: true });
  await purgedAfter(t, folder, 2);
  assert.deepEqual(await readdir(folder), [SALES]);
  await cp(join(copy, QUOTES), join(folder, QUOTES));
  assert.deepEqual(await eventsIn([folder]), sold);
});

test("events of several folders come in the order of their instants", async (t) => {
  const folders = [aFolder(t), aFolder(t)];
  const minutes = [5, 1, 4, 2, 3, 61];
  for (const [index, folder] of folders.entries()) {
    const store = await openStore(t, { folder });
    for (const minute of minutes.slice(index * 3, index * 3 + 3)) {
      const at = new Date(Date.parse(ISSUED_AT) + minute * 60_000).toISOString();
      await store.insert({
        quote: undefined,
        record: undefined,
        sale: { ...aSale(aQuote()), id: `evt_${minute}`, at },
      });
    }
    await store.close();
  }
  const found: string[] = [];
  const period = { since: new Date(ISSUED_AT), until: new Date(Date.parse(ISSUED_AT) + DAY) };
  for await (const batch of openLowdbSales(folders, "none").events(period)) found.push(...batch.map(({ at }) => at));
  assert.deepEqual(found, [...found].sort());
  assert.equal(found.length, minutes.length);
});

test("events are deleted after the days of the ledger, and not before", async (t) => {
  const { folder, sold } = await sales(t);
  await purgedAfter(t, folder, 30);
  assert.deepEqual(await eventsIn([folder]), sold);
  await purgedAfter(t, folder, 31);
  assert.deepEqual(await readdir(folder), []);
});

test("a clock that jumps deletes no ledger, and is logged once; a server that was off deletes it after a day", async (t) => {
  const { folder, sold } = await sales(t);
  await purgedAfter(t, folder, 2);
  const { log, records } = aRecordingLog();
  await purgedAfter(t, folder, 500, log);
  assert.deepEqual(
    records.map(({ level }) => level),
    ["error"],
  );
  assert.deepEqual(await eventsIn([folder]), sold, "found when the clock is right again");

  const mayDelete = createLedgerGuard(silentLog);
  const now = new Date(ISSUED_AT);
  const late = (hours: number) => now.getTime() - hours * HOUR;
  assert.equal(mayDelete(late(24), now, 0), true);
  assert.equal(mayDelete(late(25), now, 0), false);
  assert.equal(mayDelete(late(48), now, DAY - 1), false);
  assert.equal(mayDelete(late(48), now, DAY), true);
  assert.equal(mayDelete(late(0), now, DAY), true);
  assert.equal(mayDelete(late(25), now, DAY), false, "another jump waits for another day");
});

/** A folder in which a quote and its handoff are stored. */
async function sales(t: TestContext) {
  const folder = aFolder(t);
  const store = await openStore(t, { folder });
  const quote = aQuote();
  const [sale, handoff] = [aSale(quote), aHandoffSale(quote)];
  await store.insert({ quote, record: undefined, sale });
  await store.insert({ quote: undefined, record: undefined, sale: handoff });
  await store.close();
  return { folder, sold: sortedById([sale, handoff]) };
}

/** Opens a store so many days after the events, which purges at its start. */
async function purgedAfter(t: TestContext, folder: string, days: number, log = silentLog): Promise<void> {
  const clock = aClock(new Date(Date.parse(ISSUED_AT) + days * DAY));
  const store = await openStore(t, { folder, clock, ledgerDays: 30, log });
  await store.close();
}

async function eventsIn(folders: readonly string[]): Promise<readonly SaleEvent[]> {
  const period = { since: new Date("2026-01-01T00:00:00Z"), until: new Date("2027-12-31T00:00:00Z") };
  const events: SaleEvent[] = [];
  for await (const batch of openLowdbSales(folders, "none").events(period)) events.push(...batch);
  return sortedById(events);
}
