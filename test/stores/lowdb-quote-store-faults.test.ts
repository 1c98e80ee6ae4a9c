import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { type Log, silentLog } from "../../src/ops/log.ts";
import { createFaultyDisk, type DiskStep } from "../support/faulty-disk.ts";
import { assertAfterCrash, assertShows, openStore } from "../support/lowdb-store.ts";
import { anEntry, aQuote, aRecord, ISSUED_AT } from "../support/quote-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";

const UNAVAILABLE = { name: "PublicError", code: "UPSTREAM_UNAVAILABLE" };

suite("one step of the disk fails", () => {
  const faults: readonly (readonly [DiskStep, string])[] = [
    ["write", "ENOSPC"],
    ["write", "EROFS"],
    ["datasync", "EIO"],
    ["create", "EROFS"],
    ["sync", "EIO"],
  ];
  for (const [step, code] of faults) {
    for (const before of [[], ["a"]]) {
      test(`${step} ${code}, ${before.length} stored before`, async (t) => {
        const folder = aFolder(t);
        const { disk, fail, mend } = createFaultyDisk();
        // Steps of opening a file are reached again when another partition begins.
        let now = new Date(ISSUED_AT);
        const store = await openStore(t, { folder, disk, clock: { now: () => now } });
        for (const name of before) await store.insert(anEntry(name));
        if (step === "create" || step === "sync") now = new Date("2026-11-20T11:00:00Z");

        fail(step, code);
        await assert.rejects(store.insert(anEntry("failed")), UNAVAILABLE);
        await assert.rejects(store.insert(anEntry("failed, too")), UNAVAILABLE);
        if (step !== "sync") await assert.rejects(store.ping(), UNAVAILABLE);
        await assertShows(store, { shown: before, hidden: ["failed", "failed, too"] });
        await assertAfterCrash(t, folder, { shown: before, hidden: ["failed", "failed, too"] });

        mend();
        await store.ping();
        await store.insert(anEntry("later"));
        await store.insert(anEntry("failed, too"));
        const after = { shown: [...before, "later", "failed, too"], hidden: ["failed"] };
        await assertShows(store, after);
        await assertAfterCrash(t, folder, after);
      });
    }
  }
});

test("stays failed on a disk that lets nothing be undone, and leaves nothing when it is back", async (t) => {
  const folder = aFolder(t);
  const { disk, fail, mend } = createFaultyDisk();
  let now = new Date(ISSUED_AT);
  const store = await openStore(t, { folder, disk, clock: { now: () => now } });
  await store.insert(anEntry("a"));
  fail("datasync", "EIO");
  fail("truncate", "EIO");
  await assert.rejects(store.insert(anEntry("failed")), UNAVAILABLE);
  mend();
  fail("truncate", "EIO");
  await assert.rejects(store.insert(anEntry("b")), UNAVAILABLE, "the failed line still stands in the file");
  await assert.rejects(store.ping(), UNAVAILABLE);
  now = new Date("2026-11-20T11:00:00Z");
  await assert.rejects(store.insert(anEntry("b")), UNAVAILABLE, "also where the next partition begins");
  mend();
  await store.insert(anEntry("failed"));
  await assertShows(store, { shown: ["a", "failed"], hidden: ["b"] });
  assert.equal((await readdir(folder)).filter((name) => name.startsWith("quotes-")).length, 2);
  await store.close();
  const lines = (await readAll(folder)).match(/"scope":"scope_failed"/g);
  assert.equal(lines?.length, 1, "stored once, in the second file");
});

test("shows nothing before it is on disk, and gives a loser the record only then", async (t) => {
  const { disk, hold, release, reached } = createFaultyDisk();
  const store = await openStore(t, { folder: aFolder(t), disk });
  hold("datasync");
  const syncing = reached("datasync");
  const winner = store.insert({ quote: aQuote(), record: aRecord() });
  await syncing;
  const settled: string[] = [];
  const loser = store.insert({ quote: aQuote({ id: "quote_late" }), record: aRecord({ answer: "{}" }) });
  for (const [name, promise] of Object.entries({ winner, loser })) promise.then(() => settled.push(name));
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(settled, []);
  assert.equal(await store.find(aQuote().id), undefined);
  assert.equal(await store.findRecord(aRecord().scope), undefined);
  release();
  assert.deepEqual(await loser, aRecord());
  assert.equal(await winner, undefined);
  assert.equal(await store.find("quote_late"), undefined);
});

test("gives a loser nothing where the winner's write fails, and the scope stays free", async (t) => {
  const { disk, hold, release, reached, fail, mend } = createFaultyDisk();
  const store = await openStore(t, { folder: aFolder(t), disk });
  hold("datasync");
  fail("datasync", "EIO");
  const syncing = reached("datasync");
  const winner = assert.rejects(store.insert({ quote: aQuote(), record: aRecord() }), UNAVAILABLE);
  await syncing;
  const losers = [1, 2, 3].map((n) => store.insert({ quote: undefined, record: aRecord({ answer: `${n}` }) }));
  const refused = losers.map((loser) => assert.rejects(loser, UNAVAILABLE));
  release();
  await Promise.all([winner, ...refused]);
  mend();
  assert.equal(await store.insert({ quote: aQuote(), record: aRecord({ answer: "next" }) }), undefined);
  assert.equal((await store.findRecord(aRecord().scope))?.answer, "next");
});

test("lives on where what is past its keeping cannot be deleted", async (t) => {
  const folder = aFolder(t);
  const { disk, fail } = createFaultyDisk();
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_facts, message) => warnings.push(message) };
  await writeFile(join(folder, "quotes-2026-11-01T10.jsonl"), "");
  fail("unlink", "EROFS");
  const store = await openStore(t, { folder, disk, log });
  assert.deepEqual(warnings, ["expired quotes could not be deleted"]);
  await store.insert(anEntry("a"));
});

async function readAll(folder: string): Promise<string> {
  return execFileSync("sh", ["-c", "cat quotes-*"], { cwd: folder, encoding: "utf8" });
}
