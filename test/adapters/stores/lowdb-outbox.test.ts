import assert from "node:assert/strict";
import { appendFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openLowdbSales } from "../../../src/adapters/stores/lowdb/lowdb-sales.ts";
import { EXPIRY_DELAY_MILLISECONDS, type Outbox } from "../../../src/domain/sales/outbox.ts";
import { outboxContract } from "../../ports/outbox.contract.ts";
import { salesContract } from "../../ports/sales.contract.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aFolder } from "../../support/lifetime.ts";
import { openStore } from "../../support/lowdb-store.ts";
import { aQuote, ISSUED_AT } from "../../support/quote-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aHandoffSale, aSale } from "../../support/sale-fixture.ts";

const DONE = "delivered-2026-11-20T10.txt";

outboxContract("lowdb", async (t, clock) => opened(t, { folder: aFolder(t), clock }));

test("after a restart it has what was not acknowledged, and nothing else", async (t) => {
  const folder = aFolder(t);
  const first = await opened(t, { folder });
  await sell(first.store, ["delivered", "given up", "postponed", "claimed", "waiting"]);
  const [delivered, givenUp, postponed] = await claimed(first.outbox, first.clock, 4);
  assert.ok(delivered && givenUp && postponed);
  await first.outbox.delivered(delivered);
  await first.outbox.setAside(givenUp);
  await first.outbox.postpone(postponed, new Date(first.clock.now().getTime() + 3_600_000));
  await first.store.close();

  const second = await opened(t, { folder });
  assert.deepEqual(await quotesOf(second.outbox), ["claimed", "postponed", "waiting"]);
  const afterwards = new Date(Date.parse(aQuote().expiresAt) + EXPIRY_DELAY_MILLISECONDS);
  second.clock.set(afterwards);
  await second.store.close();
  const third = await opened(t, { folder, clock: aClock(afterwards) });
  const events = await claimed(third.outbox, third.clock, 9);
  assert.deepEqual(events.map(({ quoteId, type }) => `${quoteId} ${type}`).sort(), [
    ...["claimed quote.created", "delivered quote.expired", "given up quote.expired"],
    ...["postponed quote.created", "waiting quote.created"],
  ]);
});

test("has after a restart an event that was saved once all before it were delivered", async (t) => {
  const folder = aFolder(t);
  const first = await opened(t, { folder });
  for (const id of ["a", "b"]) {
    const sale = aHandoffSale(aQuote({ id }), { at: ISSUED_AT });
    await first.store.insert({ quote: undefined, record: undefined, sale });
    if (id === "a")
      for (const event of await claimed(first.outbox, first.clock, 1)) await first.outbox.delivered(event);
  }
  await first.store.close();
  const second = await opened(t, { folder });
  assert.deepEqual(await quotesOf(second.outbox), ["b"]);
});

test("begins with the next event where events are switched on", async (t) => {
  const folder = aFolder(t);
  const without = await openStore(t, { folder });
  await sell(without, ["before"]);
  await without.close();
  const first = await opened(t, { folder });
  await sell(first.store, ["a"]);
  // What a process that is killed now leaves behind.
  const second = await opened(t, { folder });
  assert.deepEqual(await quotesOf(second.outbox), ["a"]);
});

test("has after a crash what was not delivered, and a day of events where the list of those is damaged", async (t) => {
  const folder = aFolder(t);
  const first = await opened(t, { folder });
  await sell(first.store, ["a", "b", "c"]);
  for (const event of (await claimed(first.outbox, first.clock, 2)).slice(0, 1)) await first.outbox.delivered(event);
  const second = await opened(t, { folder });
  // As a crash cuts off the id that is being written.
  await appendFile(join(folder, DONE), "\nevt_cut");
  for (const event of await claimed(second.outbox, second.clock, 1)) await second.outbox.delivered(event);
  assert.deepEqual(await quotesOf((await opened(t, { folder })).outbox), ["c"]);
  await writeFile(join(folder, DONE), "");
  const third = await opened(t, { folder });
  assert.deepEqual(await quotesOf(third.outbox), ["a", "b", "c"]);
});

test("events that wait until their file is deleted are given up, counted and logged", async (t) => {
  const folder = aFolder(t);
  const { log, records } = aRecordingLog();
  const first = await opened(t, { folder });
  await sell(first.store, ["a", "b"]);
  for (const event of await claimed(first.outbox, first.clock, 1)) await first.outbox.delivered(event);
  await first.store.close();

  const later = aClock(new Date(Date.parse(aQuote().expiresAt) + 24 * 3_600_000));
  const second = await opened(t, { folder, clock: later, log });
  // Both ends, and one quote.
  assert.deepEqual(await second.outbox.backlog(), { length: 0, oldestAt: null, setAside: 3 });
  assert.deepEqual(await quotesOf(second.outbox), []);
  assert.ok(!(await readdir(folder)).some((name) => name.startsWith("quotes-")));
  const [{ facts } = {}, ...others] = records.filter(({ level }) => level === "error");
  assert.deepEqual([facts?.events, others], [3, []]);
});

test("a delivery that cannot be saved is reported, and its event not delivered again by this process", async (t) => {
  const folder = aFolder(t);
  const { store, outbox, clock } = await opened(t, { folder });
  await sell(store, ["a"]);
  const [event] = await claimed(outbox, clock, 1);
  assert.ok(event);
  await mkdir(join(folder, DONE));
  await assert.rejects(outbox.delivered(event));
  clock.advance(20 * 60_000);
  assert.deepEqual(await quotesOf(outbox), []);
});

async function opened(t: TestContext, options: Partial<Parameters<typeof openStore>[1]> & { folder: string }) {
  const clock = (options.clock as ReturnType<typeof aClock> | undefined) ?? aClock(ISSUED_AT);
  const store = await openStore(t, { fillsOutbox: true, ...options, clock });
  const { outbox } = store;
  assert.ok(outbox);
  return { store, outbox, clock };
}

async function sell(store: Awaited<ReturnType<typeof openStore>>, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const quote = aQuote({ id });
    await store.insert({ quote, record: undefined, sale: aSale(quote, { at: ISSUED_AT }) });
  }
}

function claimed(outbox: Outbox, clock: ReturnType<typeof aClock>, most: number) {
  return outbox.claim(most, new Date(clock.now().getTime() + 30_000));
}

async function quotesOf(outbox: Outbox): Promise<readonly string[]> {
  return (await outbox.claim(99, new Date("2027-01-01T00:00:00Z"))).map(({ quoteId }) => quoteId).sort();
}

salesContract("lowdb", async (t, { clock }) => {
  const folder = aFolder(t);
  return { store: await openStore(t, { folder, clock, ledgerDays: 400 }), sales: openLowdbSales([folder], "none") };
});
