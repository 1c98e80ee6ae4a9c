import assert from "node:assert/strict";
import { appendFile, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { openLowdbLedger } from "../../src/quotes/lowdb/lowdb-ledger.ts";
import type { QuoteStore } from "../../src/quotes/quote-store.ts";
import { ledgerContract } from "../ports/ledger.contract.ts";
import { aClock, type FakeClock } from "../support/fake-clock.ts";
import { createFaultyDisk, type DiskStep } from "../support/faulty-disk.ts";
import { openStore } from "../support/lowdb-store.ts";
import { aQuote } from "../support/quote-fixture.ts";
import { aRecordingLog } from "../support/recording-log.ts";
import { aHandoffSale, aSale } from "../support/sale-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = "2026-11-20T10:40:00.000Z";
const PARTITION = "quotes-2026-11-20T10-00Z.jsonl";
const LEDGER = "ledger-2026-11-20T10-00Z.jsonl";

ledgerContract("lowdb", async (t, { clock }) => {
  const folder = aFolder(t);
  return { store: await openStore(t, { folder, clock, ledgerDays: 400 }), ledger: openLowdbLedger([folder]) };
});

/** The same, read from ledger files alone: after each sale the hour ends and a new process makes the ledger. */
ledgerContract("lowdb, of past hours", async (t, { clock }) => {
  const folder = aFolder(t);
  const ledger = openLowdbLedger([folder]);
  const store = await openStore(t, { folder, clock, ledgerDays: 400 });
  return {
    store,
    ledger: {
      ...ledger,
      async report(query) {
        const copy = aFolder(t);
        await cp(folder, copy, { recursive: true });
        const later = aClock(new Date(clock.now().getTime() + 3 * DAY));
        await (await openStore(t, { folder: copy, clock: later, ledgerDays: 400 })).close();
        await untilFiles(t, copy, later, /^ledger-/);
        return openLowdbLedger([copy]).report(query);
      },
    },
  };
});

suite("the ledger of an hour", () => {
  test("is made when the hour is over, and is all that is left of its partition", async (t) => {
    const { folder, clock, tick } = await sold(t);
    assert.deepEqual(await filesIn(folder), [PARTITION]);
    clock.advance(HOUR);
    tick();
    await until(async () => (await filesIn(folder)).includes(LEDGER), "the ledger is made");
    assert.deepEqual(await filesIn(folder), [LEDGER, PARTITION]);
    assert.deepEqual(await countsOf(folder), [3, 1]);
    clock.advance(DAY);
    tick();
    await until(async () => !(await filesIn(folder)).includes(PARTITION), "the partition is deleted");
    assert.deepEqual(await filesIn(folder), [LEDGER]);
    assert.deepEqual(await countsOf(folder), [3, 1]);
  });

  test("is deleted when it is older than the setting", async (t) => {
    const { folder, clock, tick } = await sold(t, { ledgerDays: 2 });
    clock.advance(2 * DAY);
    tick();
    await until(async () => (await filesIn(folder)).join() === LEDGER, "the ledger alone is left");
    await until(async () => (await readdir(folder)).includes("sums-2026-11-20T10-00Z.json"), "its hour is summed");
    clock.advance(HOUR);
    tick();
    await until(async () => (await readdir(folder)).length === 0, "the ledger is deleted, and its sums");
  });

  test("is not made with 0, and what is live is counted", async (t) => {
    const { folder, clock, tick } = await sold(t, { ledgerDays: 0 });
    clock.advance(HOUR);
    tick();
    assert.deepEqual(await countsOf(folder), [3, 1]);
    clock.advance(DAY);
    tick();
    await until(async () => (await filesIn(folder)).length === 0, "the partition is deleted");
  });

  test("counts for nothing where its partition has grown since", async (t) => {
    const { folder, clock, tick, store } = await sold(t);
    clock.advance(HOUR);
    tick();
    await until(async () => (await filesIn(folder)).includes(LEDGER), "the ledger is made");
    // The clock is set back.
    clock.advance(-HOUR);
    await sell(store, "late", clock);
    assert.deepEqual(await countsOf(folder), [4, 1]);
    clock.advance(2 * DAY);
    tick();
    await until(async () => !(await filesIn(folder)).includes(PARTITION), "the partition is deleted");
    assert.deepEqual(await countsOf(folder), [4, 1]);
  });

  test("has what is readable of a damaged partition, beside what was written after it", async (t) => {
    const { folder, clock, store } = await sold(t);
    await store.close();
    const lines = (await readFile(join(folder, PARTITION), "utf8")).split("\n");
    const [ofA, _ofB, ...others] = lines;
    await writeFile(join(folder, PARTITION), [ofA, "garbage", ...others].join("\n"));
    const again = await openStore(t, { folder, clock, ledgerDays: 400 });
    await sell(again, "new", clock);
    await again.close();
    assert.deepEqual(await countsOf(folder), [3, 1]);
    clock.advance(3 * DAY);
    await untilFiles(t, folder, clock, /^(?!quotes-.*\.jsonl$)/);
    const files = await filesIn(folder);
    assert.equal(files.length, 2, "the ledger and the damaged partition");
    assert.deepEqual(await countsOf(folder), [3, 1]);
    await rm(join(folder, files.find((name) => name.includes("damaged")) ?? ""));
    assert.deepEqual(await countsOf(folder), [3, 1]);
  });

  test("is read as far as its lines are valid, and the others are counted", async (t) => {
    const { folder, clock, tick } = await sold(t);
    clock.advance(2 * DAY);
    tick();
    await until(async () => (await filesIn(folder)).join() === LEDGER, "the ledger alone is left");
    await appendFile(join(folder, LEDGER), "garbage\n");
    assert.equal((await reportOf(folder)).damagedLines, 1);
    assert.deepEqual(await countsOf(folder), [3, 1]);
  });

  const steps: readonly DiskStep[] = ["create", "write", "sync", "rename", "unlink"];
  for (const step of steps) {
    test(`loses and doubles nothing where ${step} fails`, async (t) => {
      const { disk, fail, mend } = createFaultyDisk();
      const { log, records } = aRecordingLog();
      const { folder, clock, tick } = await sold(t, { disk, log });
      clock.advance(2 * DAY);
      fail(step, "EIO");
      tick();
      await until(async () => records.length > 0, "the failure is logged");
      assert.deepEqual(await countsOf(folder), [3, 1]);
      mend();
      tick();
      await until(async () => (await filesIn(folder)).join() === LEDGER, "the ledger alone is left");
      assert.deepEqual(await countsOf(folder), [3, 1]);
    });

    test(`loses and doubles nothing where the process is killed at ${step}`, async (t) => {
      const { disk, hold, reached, release } = createFaultyDisk();
      const { folder, clock, tick } = await sold(t, { disk });
      clock.advance(2 * DAY);
      hold(step);
      const isReached = reached(step);
      tick();
      await isReached;
      const copy = aFolder(t);
      await cp(folder, copy, { recursive: true });
      assert.deepEqual(await countsOf(copy), [3, 1]);
      await untilFiles(t, copy, clock, /^ledger-.*l$/);
      assert.deepEqual(await countsOf(copy), [3, 1]);
      release();
    });
  }
});

/** A store with three quotes of 10:40, one of them handed off a quarter of an hour later; `tick` ends a minute. */
async function sold(t: TestContext, options: Partial<Parameters<typeof openStore>[1]> = {}) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = aFolder(t);
  const clock = aClock(START);
  const store = await openStore(t, { folder, clock, ledgerDays: 400, ...options });
  for (const name of ["a", "b", "c"]) await sell(store, name, clock);
  const quote = aQuote({ id: "q_a" });
  const at = new Date(clock.now().getTime() + 15 * MINUTE).toISOString();
  await store.insert({ quote: undefined, record: undefined, sale: aHandoffSale(quote, { at }) });
  const tick = () => t.mock.timers.tick(MINUTE);
  return { folder, clock, store, tick };
}

async function sell(store: QuoteStore, name: string, clock: FakeClock): Promise<void> {
  const at = clock.now().toISOString();
  const expiresAt = new Date(clock.now().getTime() + 30 * MINUTE).toISOString();
  const quote = aQuote({ id: `q_${name}`, issuedAt: at, expiresAt });
  await store.insert({ quote, record: undefined, sale: aSale(quote, { at }) });
}

/** Quotes and handoffs. */
async function countsOf(folder: string): Promise<readonly number[]> {
  const { total } = await reportOf(folder);
  return [total.quotes, total.handedOver];
}

function reportOf(folder: string) {
  return openLowdbLedger([folder]).report({
    since: new Date("2026-11-01T00:00:00Z"),
    until: new Date("2026-12-01T00:00:00Z"),
    now: new Date("2026-12-01T00:00:00Z"),
    timeZone: "Europe/Zurich",
    by: undefined,
  });
}

/** Without the sums of hours, which are derived. */
async function filesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith("sums-")).sort();
}

/** Starts processes on the folder, one after the other, until every name matches. */
async function untilFiles(t: TestContext, folder: string, clock: FakeClock, names: RegExp): Promise<void> {
  await until(async () => {
    if ((await filesIn(folder)).every((name) => names.test(name))) return true;
    const store = await openStore(t, { folder, clock, ledgerDays: 400 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await store.close();
    return false;
  }, `all files are ${names}`);
}
