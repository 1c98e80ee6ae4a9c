import assert from "node:assert/strict";
import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { callsInFiles, keepCallsInFiles } from "../../../src/adapters/stores/lowdb/call-files.ts";
import { openPostgresSales } from "../../../src/adapters/stores/postgres/postgres-sales.ts";
import {
  CALL_JOURNALS,
  type CallJournal,
  createCallRecorder,
  type KeptCall,
} from "../../../src/domain/sales/kept-call.ts";
import { DAY } from "../../../src/ops/durations.ts";
import { silentLog } from "../../../src/ops/log.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aFolder } from "../../support/lifetime.ts";
import { aSchema, openStore, purge, withPostgres } from "../../support/postgres.ts";
import { aRecordingLog } from "../../support/recording-log.ts";

const EVER = { since: new Date("2020-01-01T00:00:00Z"), until: new Date("2030-01-01T00:00:00Z") };
const AT = "2026-12-01T09:00:00.000Z";

function aRefusal(requestId: string, at: string = AT): KeptCall {
  const ends = { corridor: null, origin: "bern", destination: null };
  return { requestId, at, client: "an \u0000 assistant", code: "NO_ELIGIBLE_VEHICLE", ...ends };
}

async function all(batches: AsyncIterable<readonly KeptCall[]>): Promise<readonly KeptCall[]> {
  const found: KeptCall[] = [];
  for await (const batch of batches) found.push(...batch);
  return found;
}

function after(days: number): string {
  return new Date(Date.parse(AT) + days * DAY).toISOString();
}

test("keeps calls in files for their days, and a clock that jumps deletes a day at most", async (t) => {
  const folder = aFolder(t);
  const keep = keepCallsInFiles(folder, { refused: 9, calls: 2 });
  for (let day = 0; day < 9; day += 1) await keep("refused", [aRefusal(`req_${day}`, after(day))]);
  const kept = () => all(callsInFiles(folder, "refused", EVER));
  assert.deepEqual((await kept())[0], aRefusal("req_0"));
  const until = new Date(after(2));
  assert.equal((await all(callsInFiles(folder, "refused", { since: new Date(after(1)), until }))).length, 1);
  await keep("refused", [aRefusal("req_9", after(9))]);
  assert.equal((await kept()).length, 10);
  await keep("refused", [aRefusal("req_10", after(10))]);
  assert.equal((await kept()).length, 10);
  await keep("refused", [aRefusal("req_500", after(500))]);
  assert.equal((await kept()).length, 10);
});

test("finds calls beside what a full disk has cut off", async (t) => {
  const folder = aFolder(t);
  const keep = keepCallsInFiles(folder, { refused: 9, calls: 2 });
  await keep("refused", [aRefusal("req_1")]);
  const [name = ""] = await readdir(join(folder, "refused"));
  await appendFile(join(folder, "refused", name), '\n{"requestId":"req_cut","at":"2');
  await keep("refused", [aRefusal("req_2")]);
  assert.deepEqual(await all(callsInFiles(folder, "refused", EVER)), [aRefusal("req_1"), aRefusal("req_2")]);
  assert.deepEqual(await all(callsInFiles(join(folder, "none"), "refused", EVER)), []);
});

test("a flood is cut off, and a storage that fails fails no call", async () => {
  const kept: KeptCall[] = [];
  const { log, records } = aRecordingLog();
  const clock = aClock(AT);
  const { at: _, ...refusal } = aRefusal("req_1");
  createCallRecorder(() => Promise.reject(new Error("no space left")), { clock, log })("refused", refusal);
  await new Promise(setImmediate);
  assert.match(JSON.stringify(records), /could not be kept/);
  let batches = 0;
  const keep = async (_: CallJournal, calls: readonly KeptCall[]) => {
    batches += 1;
    kept.push(...calls);
  };
  const record = createCallRecorder(keep, { clock, log: silentLog });
  for (let n = 0; n < 1_000; n += 1) record("refused", refusal);
  clock.advance(60_000);
  record("refused", refusal);
  await new Promise(setImmediate);
  assert.deepEqual([kept.length, batches], [301, 2], "the first alone, and the others together");
  assert.deepEqual(kept[0], aRefusal("req_1"));
});

await withPostgres("calls in PostgreSQL", () => {
  test("are kept once: refused prices as long as the ledger, others for two days", async (t) => {
    const url = await aSchema(t);
    const clock = aClock(AT);
    const store = await openStore(t, { url, clock });
    for (let twice = 0; twice < 2; twice += 1)
      for (const journal of CALL_JOURNALS) await store.keepCalls(journal, [aRefusal("req_1"), aRefusal("req_2")]);
    const sales = openPostgresSales(url);
    t.after(sales.close);
    for (const journal of CALL_JOURNALS)
      assert.deepEqual(await all(sales.calls(journal, EVER)), [aRefusal("req_1"), aRefusal("req_2")]);
    for (const [days, refused, others] of [
      [1, 2, 2],
      [3, 2, 0],
      [399, 2, 0],
      [401, 0, 0],
    ] as const) {
      clock.set(after(days));
      await purge(url, { clock });
      const counts = CALL_JOURNALS.map(async (journal) => (await all(sales.calls(journal, EVER))).length);
      assert.deepEqual(await Promise.all(counts), [refused, others]);
    }
  });
});
