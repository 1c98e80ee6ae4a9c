import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createDayCounts, type DayCount, OTHERS } from "../../src/ledger/day-counts.ts";
import { fold } from "../../src/places/index/fold.ts";
import { openLowdbLedger } from "../../src/quotes/lowdb/lowdb-ledger.ts";
import { openPostgresLedger } from "../../src/quotes/postgres/postgres-ledger.ts";
import { aClock } from "../support/fake-clock.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aSchema, openStore, withPostgres } from "../support/postgres.ts";
import { aRecordingLog } from "../support/recording-log.ts";
import { aService } from "../support/service.ts";

const PLACES = ["Xyzzyburg 12", "xyzzyburg", "Hotel Nowhere 7, Plughville 8000", "079 123 45 67", "me@example.com"];

test("a service counts codes by client, and texts that name no place, folded and without digits", async (t) => {
  const service = await aService(t);
  const token = await service.token();
  for (const origin of PLACES) {
    const answer = await service.api("/quotes", { token, body: aQuoteRequest({ origin }) });
    assert.equal(answer.body.code, "INVALID_LOCATION", answer.text);
  }
  await service.api("/vehicle-classes");
  await service.close();
  const ledger = openLowdbLedger([join(service.dataDir, "quotes", "serve")]);
  const counts = await ledger.counts("2026-12-01", "2026-12-01");
  assert.deepEqual(
    counts.filter(({ kind }) => kind === "place").map(({ name, count }) => [name, count]),
    [
      ["xyzzyburg", 2],
      ["hotel nowhere, plughville", 1],
    ],
  );
  const codes = counts.filter(({ kind }) => kind === "code");
  assert.deepEqual(codes.map(({ code, count }) => [code, count]).sort(), [
    ["INVALID_LOCATION", 5],
    ["OK", 1],
  ]);
  assert.equal(codes.find(({ code }) => code === "OK")?.name, null);
  assert.deepEqual(await ledger.counts("2026-12-02", "2026-12-03"), []);
});

test("counts survive a store that fails, are bounded, and belong to their day", async (t) => {
  const { log, records } = aRecordingLog();
  const clock = aClock("2026-12-01T09:00:00Z");
  const stored: [string, DayCount][] = [];
  let isFailing = true;
  const store = {
    async addCounts(day: string, counts: readonly DayCount[]) {
      if (isFailing) throw new Error("planted");
      stored.push(...counts.map((count): [string, DayCount] => [day, count]));
    },
  };
  const counts = createDayCounts({ store, clock, timeZone: () => "Europe/Zurich", fold, log });
  t.after(() => counts.close());
  counts.unclear("Somewhere");
  counts.finished("agent", "OK");
  await counts.flush();
  counts.finished("agent", "OK");
  await counts.flush();
  assert.deepEqual(
    records.map(({ level }) => level),
    ["warn"],
  );
  isFailing = false;
  await counts.flush();
  assert.deepEqual(stored, [
    ["2026-12-01", { kind: "code", name: "agent", code: "OK", count: 2 }],
    ["2026-12-01", { kind: "place", name: "somewhere", code: "", count: 1 }],
  ]);
  stored.length = 0;
  const letters = (n: number) => [...String(n)].map((digit) => "bcdfghjklm"[Number(digit)]).join("");
  for (let n = 0; n < 1_500; n += 1) counts.unclear(`${letters(n)} ${"x".repeat(100)}`);
  await counts.flush();
  const texts = stored.map(([, { name }]) => name ?? "");
  assert.equal(texts.length, 1_001);
  assert.equal(stored.find(([, { name }]) => name === OTHERS)?.[1].count, 500);
  assert.ok(texts.every((text) => text.length <= 60));
  clock.set("2026-12-01T23:30:00Z");
  await counts.flush();
  counts.unclear("Elsewhere");
  await counts.flush();
  assert.deepEqual(stored.at(-1), ["2026-12-02", { kind: "place", name: "elsewhere", code: "", count: 1 }]);
});

await withPostgres("counts of a day", () => {
  test("are added up over the processes of a database", async (t) => {
    const url = await aSchema(t);
    const stores = await Promise.all([openStore(t, { url }), openStore(t, { url })]);
    const counts: readonly DayCount[] = [
      { kind: "code", name: null, code: "OK", count: 2 },
      { kind: "code", name: 'agent "\u0000"', code: "OK", count: 3 },
      { kind: "place", name: "xyzzyburg", code: "", count: 1 },
    ];
    // Each process makes one call at a time.
    const adding = stores.map(async (store, of) => {
      for (let n = 0; n < 5; n += 1)
        await store.addCounts(`2026-12-0${1 + of}`, n % 2 === 0 ? counts : [...counts].reverse());
      await store.addCounts("2026-12-03", counts);
    });
    await Promise.all(adding);
    const ledger = openPostgresLedger(url);
    t.after(() => ledger.close());
    const expected = counts.map((each) => ({ ...each, count: each.count * 12 })).sort((a, b) => b.count - a.count);
    assert.deepEqual(await ledger.counts("2026-12-01", "2026-12-03"), expected);
    assert.equal((await ledger.counts("2026-12-01", "2026-12-01"))[0]?.count, 15);
  });
});
