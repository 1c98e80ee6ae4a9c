import assert from "node:assert/strict";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openLowdbSales } from "../../../src/adapters/stores/lowdb/lowdb-sales.ts";
import type { SaleEvent } from "../../../src/domain/sales/sale-event.ts";
import { aClock } from "../../support/fake-clock.ts";
import { openStore } from "../../support/lowdb-store.ts";
import { aQuote, ISSUED_AT } from "../../support/quote-fixture.ts";
import { aHandoffSale, aSale, sortedById } from "../../support/sale-fixture.ts";
import { aFolder } from "../../support/temporary-folder.ts";

const DAY = 24 * 3_600_000;
const QUOTES = "quotes-2026-11-20T10-0001.jsonl";
const SALES = "sales-2026-11-20T10-0001.jsonl";

test("the purge of quotes keeps their events", async (t) => {
  const { folder, sold } = await sales(t);
  await purgedAfter(t, folder, 2);
  assert.deepEqual(await readdir(folder), [SALES]);
  assert.deepEqual(await eventsIn([folder]), sold);
});

test("events that stand in the files of quotes and of sales, because a purge was cut off, are counted once", async (t) => {
  const { folder, sold } = await sales(t);
  const copy = aFolder(t);
  await cp(folder, copy, { recursive: true });
  await purgedAfter(t, folder, 2);
  await cp(join(copy, QUOTES), join(folder, QUOTES));
  assert.deepEqual(await eventsIn([folder]), sold);
});

test("events are deleted after the days of the ledger, and not before", async (t) => {
  const { folder, sold } = await sales(t);
  await purgedAfter(t, folder, 30);
  assert.deepEqual(await eventsIn([folder]), sold);
  await purgedAfter(t, folder, 31);
  assert.deepEqual(await readdir(folder), []);
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
async function purgedAfter(t: TestContext, folder: string, days: number): Promise<void> {
  const clock = aClock(new Date(Date.parse(ISSUED_AT) + days * DAY));
  const store = await openStore(t, { folder, clock, ledgerDays: 30 });
  await store.close();
}

async function eventsIn(folders: readonly string[]): Promise<readonly SaleEvent[]> {
  const period = { since: new Date("2026-01-01T00:00:00Z"), until: new Date("2027-12-31T00:00:00Z") };
  const events: SaleEvent[] = [];
  for await (const batch of openLowdbSales(folders, "none").events(period)) events.push(...batch);
  return sortedById(events);
}
