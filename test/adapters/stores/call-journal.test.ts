import assert from "node:assert/strict";
import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { createCallFiles } from "../../../src/adapters/stores/lowdb/call-files.ts";
import { openLowdbSales } from "../../../src/adapters/stores/lowdb/lowdb-sales.ts";
import { openPool, queryOf } from "../../../src/adapters/stores/postgres/database.ts";
import { openPostgresQuoteStore } from "../../../src/adapters/stores/postgres/postgres-quote-store.ts";
import { openPostgresSales } from "../../../src/adapters/stores/postgres/postgres-sales.ts";
import { purgeExpired } from "../../../src/adapters/stores/postgres/purge-expired.ts";
import {
  type CallStorage,
  createCallJournal,
  type KeptCall,
  type LostEnds,
} from "../../../src/domain/sales/call-journal.ts";
import { silentLog } from "../../../src/ops/log.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aSchema, withPostgres } from "../../support/postgres.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aFolder } from "../../support/temporary-folder.ts";

const DAY = 24 * 60 * 60_000;

const CLIENT = "an \u0000 assistant";
const REFUSAL: LostEnds = { code: "NO_ELIGIBLE_VEHICLE", corridor: null, origin: "bern", destination: null };

async function all<T>(batches: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const batch of batches) found.push(...batch);
  return found;
}

const aCall = (requestId: string, code = "OK"): Omit<KeptCall, "at"> => ({
  requestId,
  surface: "rest",
  operation: "create_transfer_quote",
  client: CLIENT,
  status: 201,
  code,
  quoteId: "q_1",
});

function inFiles(t: TestContext, ledgerDays: number) {
  const [folder, clock] = [aFolder(t), aClock()];
  const journal = createCallJournal(createCallFiles(folder, { ledgerDays }), { clock, log: silentLog });
  return { folder, clock, journal, kept: openLowdbSales([], folder) };
}

suite("the journal of calls", () => {
  test("keeps a call in files for seven days", async (t) => {
    const { folder, clock, journal, kept } = inFiles(t, 400);
    journal.record(aCall("req_1"));
    await journal.close();
    const at = clock.now().toISOString();
    assert.deepEqual(await kept.callOf("req_1"), { ...aCall("req_1"), at });
    for (const unknown of ["req_", "req_2", "q_1"]) assert.equal(await kept.callOf(unknown), undefined);
    for (let day = 1; day <= 8; day += 1) {
      clock.advance(DAY);
      journal.record(aCall(`req_day_${day}`));
      await journal.close();
      assert.equal((await kept.callOf("req_1")) === undefined, day > 7, String(day));
    }
    assert.equal((await readdir(folder)).length, 8);
  });

  test("keeps refused demand in files as long as the ledger", async (t) => {
    const { clock, journal, kept } = inFiles(t, 9);
    const since = clock.now();
    journal.record(aCall("req_1", REFUSAL.code), REFUSAL);
    journal.record(aCall("req_2"));
    await journal.close();
    const refused = () => all(kept.refused({ since, until: clock.now() }));
    clock.advance(1);
    assert.deepEqual(await refused(), [{ requestId: "req_1", at: since.toISOString(), client: CLIENT, ...REFUSAL }]);
    for (let day = 1; day <= 10; day += 1) {
      clock.advance(DAY);
      journal.record(aCall(`req_day_${day}`));
      await journal.close();
      assert.equal((await refused()).length, day > 9 ? 0 : 1, String(day));
    }
  });

  test("finds calls and refused demand beside what a full disk has cut off", async (t) => {
    const { folder, clock, journal, kept } = inFiles(t, 9);
    const since = clock.now();
    for (const id of ["req_1", "req_2", "req_3"]) {
      journal.record(aCall(id, REFUSAL.code), REFUSAL);
      await journal.close();
      if (id === "req_1")
        for (const name of await readdir(folder))
          await appendFile(join(folder, name), '\n{"requestId":"req_cut","at":"2');
    }
    clock.advance(1);
    const lost = await all(kept.refused({ since, until: clock.now() }));
    assert.deepEqual(
      lost.map(({ requestId }) => requestId),
      ["req_1", "req_2", "req_3"],
    );
    assert.equal((await kept.callOf("req_2"))?.requestId, "req_2");
    assert.equal(await kept.callOf("req_cut"), undefined);
  });

  test("leaves room for the calls of others in a flood, and survives a storage that fails", async () => {
    const kept: KeptCall[] = [];
    const { log, records } = aRecordingLog();
    let isBroken = true;
    const storage: CallStorage = {
      async append(calls) {
        if (isBroken) throw new Error("no space left");
        kept.push(...calls);
      },
    };
    const clock = aClock();
    const journal = createCallJournal(storage, { clock, log });
    journal.record(aCall("req_lost"));
    await journal.close();
    assert.match(JSON.stringify(records), /calls could not be kept/);
    isBroken = false;
    for (let n = 0; n < 10_000; n += 1) journal.record(aCall(`req_flood_${n}`, "RATE_LIMITED"));
    journal.record(aCall("req_sale"));
    clock.advance(60_000);
    journal.record(aCall("req_later", "RATE_LIMITED"));
    await journal.close();
    assert.equal(kept.length, 302);
    assert.deepEqual(
      kept.slice(-2).map(({ requestId }) => requestId),
      ["req_sale", "req_later"],
    );
  });
});

await withPostgres("the journal of calls", () => {
  test("keeps a call in PostgreSQL for seven days, once", async (t) => {
    const url = await aSchema(t);
    const clock = aClock();
    const { log } = aRecordingLog();
    const store = await openPostgresQuoteStore({ url, ledgerDays: 400, clock, log });
    t.after(store.close);
    const journal = createCallJournal(store.calls, { clock, log });
    for (let twice = 0; twice < 2; twice += 1) journal.record(aCall("req_1"), REFUSAL);
    await journal.close();
    const sales = openPostgresSales(url);
    t.after(sales.close);
    const kept = await sales.callOf("req_1");
    assert.deepEqual(kept, { ...aCall("req_1"), at: clock.now().toISOString() });
    const period = { since: clock.now(), until: new Date(clock.now().getTime() + 1) };
    const lost = () => all(sales.refused(period));
    assert.deepEqual(await lost(), [{ requestId: "req_1", at: kept?.at, client: CLIENT, ...REFUSAL }]);
    const pool = openPool({ url, connections: 1 });
    t.after(() => pool.end());
    for (const [days, isKept] of [
      [6.9, true],
      [0.2, false],
    ] as const) {
      clock.advance(days * DAY);
      await purgeExpired(queryOf(pool), { ledgerDays: 400, clock, mayDeleteEvents: () => true });
      assert.equal((await sales.callOf("req_1")) !== undefined, isKept);
    }
    for (const count of [1, 0]) {
      assert.equal((await lost()).length, count);
      clock.advance(393 * DAY);
      await purgeExpired(queryOf(pool), { ledgerDays: 400, clock, mayDeleteEvents: () => true });
    }
  });
});
