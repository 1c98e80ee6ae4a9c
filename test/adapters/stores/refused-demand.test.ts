import assert from "node:assert/strict";
import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { keepLostInFiles, lostInFiles } from "../../../src/adapters/stores/lowdb/refused-files.ts";
import { openPool, queryOf } from "../../../src/adapters/stores/postgres/database.ts";
import { openPostgresSales } from "../../../src/adapters/stores/postgres/postgres-sales.ts";
import { purgeExpired } from "../../../src/adapters/stores/postgres/purge-expired.ts";
import { createLostRecorder, type LostDemand } from "../../../src/domain/sales/lost-demand.ts";
import { DAY } from "../../../src/ops/durations.ts";
import { silentLog } from "../../../src/ops/log.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aSchema, openStore, withPostgres } from "../../support/postgres.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aFolder } from "../../support/temporary-folder.ts";

const EVER = { since: new Date("2020-01-01T00:00:00Z"), until: new Date("2030-01-01T00:00:00Z") };
const AT = "2026-12-01T09:00:00.000Z";

function aRefusal(requestId: string, at: string = AT): LostDemand {
  const ends = { corridor: null, origin: "bern", destination: null };
  return { requestId, at, client: "an \u0000 assistant", code: "NO_ELIGIBLE_VEHICLE", ...ends };
}

async function all(batches: AsyncIterable<readonly LostDemand[]>): Promise<readonly LostDemand[]> {
  const found: LostDemand[] = [];
  for await (const batch of batches) found.push(...batch);
  return found;
}

function after(days: number): string {
  return new Date(Date.parse(AT) + days * DAY).toISOString();
}

test("keeps refused demand in files as long as the ledger, and a clock that jumps deletes a day at most", async (t) => {
  const folder = aFolder(t);
  const keep = keepLostInFiles(folder, { ledgerDays: 9 });
  for (let day = 0; day < 9; day += 1) await keep([aRefusal(`req_${day}`, after(day))]);
  const kept = () => all(lostInFiles(folder, EVER));
  assert.deepEqual((await kept())[0], aRefusal("req_0"));
  const until = new Date(after(2));
  assert.equal((await all(lostInFiles(folder, { since: new Date(after(1)), until }))).length, 1);
  await keep([aRefusal("req_9", after(9))]);
  assert.equal((await kept()).length, 10);
  await keep([aRefusal("req_10", after(10))]);
  assert.equal((await kept()).length, 10);
  await keep([aRefusal("req_500", after(500))]);
  assert.equal((await kept()).length, 10);
});

test("finds refused demand beside what a full disk has cut off", async (t) => {
  const folder = aFolder(t);
  const keep = keepLostInFiles(folder, { ledgerDays: 9 });
  await keep([aRefusal("req_1")]);
  const [name = ""] = await readdir(folder);
  await appendFile(join(folder, name), '\n{"requestId":"req_cut","at":"2');
  await keep([aRefusal("req_2")]);
  assert.deepEqual(await all(lostInFiles(folder, EVER)), [aRefusal("req_1"), aRefusal("req_2")]);
  assert.deepEqual(await all(lostInFiles(join(folder, "none"), EVER)), []);
});

test("a flood is cut off, and a storage that fails fails no call", async () => {
  const kept: LostDemand[] = [];
  const { log, records } = aRecordingLog();
  const clock = aClock(AT);
  const { at: _, ...refusal } = aRefusal("req_1");
  createLostRecorder(() => Promise.reject(new Error("no space left")), { clock, log })(refusal);
  await new Promise(setImmediate);
  assert.match(JSON.stringify(records), /could not be kept/);
  let batches = 0;
  const keep = async (lost: readonly LostDemand[]) => {
    batches += 1;
    kept.push(...lost);
  };
  const record = createLostRecorder(keep, { clock, log: silentLog });
  for (let n = 0; n < 1_000; n += 1) record(refusal);
  clock.advance(60_000);
  record(refusal);
  await new Promise(setImmediate);
  assert.deepEqual([kept.length, batches], [301, 2], "the first alone, and the others together");
  assert.deepEqual(kept[0], aRefusal("req_1"));
});

await withPostgres("refused demand in PostgreSQL", () => {
  test("is kept once, and as long as the ledger", async (t) => {
    const url = await aSchema(t);
    const clock = aClock(AT);
    const store = await openStore(t, { url, clock });
    for (let twice = 0; twice < 2; twice += 1) await store.keepLost([aRefusal("req_1"), aRefusal("req_2")]);
    const sales = openPostgresSales(url);
    t.after(sales.close);
    assert.deepEqual(await all(sales.refused(EVER)), [aRefusal("req_1"), aRefusal("req_2")]);
    const pool = openPool({ url, connections: 1 });
    t.after(() => pool.end());
    for (const [days, count] of [
      [399, 2],
      [401, 0],
    ] as const) {
      clock.set(after(days));
      await purgeExpired(queryOf(pool), { ledgerDays: 400, clock, mayDeleteEvents: () => true });
      assert.equal((await all(sales.refused(EVER))).length, count);
    }
  });
});
