import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { type FileHandle, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { type Disk, lineOf, localDisk } from "../../../src/adapters/stores/lowdb/hour-files.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aFolder, until } from "../../support/lifetime.ts";
import { assertAfterCrash, assertShows, openStore } from "../../support/lowdb-store.ts";
import { anEntry, aQuote, aRecord, ISSUED_AT, purgedFrom } from "../../support/quote-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aSale } from "../../support/sale-fixture.ts";

const NEXT_HOUR = "2026-11-20T11:00:00Z";
const UNAVAILABLE = { name: "PublicError", code: "UPSTREAM_UNAVAILABLE" };

suite("one step of the disk fails", () => {
  for (const fault of ["write ENOSPC", "write EROFS", "datasync EIO", "create EROFS", "sync EIO"]) {
    const [step, code] = fault.split(" ") as [DiskStep, string];
    test(fault, async (t) => {
      const { folder, clock, store, fail, mend } = await onFaultyDisk(t);
      await store.insert(anEntry("a"));
      // Steps of opening a file are reached again when another file begins.
      if (step === "create" || step === "sync") clock.set(NEXT_HOUR);

      fail(step, code);
      await assert.rejects(store.insert(anEntry("failed")), UNAVAILABLE);
      await assert.rejects(store.insert(anEntry("failed, too")), UNAVAILABLE);
      if (step !== "sync") await assert.rejects(store.ping(), UNAVAILABLE);
      await assertShows(store, { shown: ["a"], hidden: ["failed", "failed, too"] });
      await assertAfterCrash(t, folder, { shown: ["a"], hidden: ["failed", "failed, too"] });

      mend();
      await store.ping();
      await store.insert(anEntry("later"));
      await store.insert(anEntry("failed, too"));
      const after = { shown: ["a", "later", "failed, too"], hidden: ["failed"] };
      await assertShows(store, after);
      await assertAfterCrash(t, folder, after);
    });
  }
});

/** A store on a disk whose steps the test makes fail. */
async function onFaultyDisk(t: TestContext) {
  const [folder, clock, faulty] = [aFolder(t), aClock(ISSUED_AT), createFaultyDisk()];
  return { ...faulty, folder, clock, store: await openStore(t, { folder, clock, disk: faulty.disk }) };
}

test("stays failed on a disk that lets nothing be undone, and leaves nothing when it is back", async (t) => {
  const { folder, clock, store, fail, mend } = await onFaultyDisk(t);
  await store.insert(anEntry("a"));
  fail("datasync", "EIO");
  fail("truncate", "EIO");
  await assert.rejects(store.insert(anEntry("failed")), UNAVAILABLE);
  mend();
  fail("truncate", "EIO");
  await assert.rejects(store.insert(anEntry("b")), UNAVAILABLE, "the failed line still stands in the file");
  await assert.rejects(store.ping(), UNAVAILABLE);
  clock.set(NEXT_HOUR);
  await assert.rejects(store.insert(anEntry("b")), UNAVAILABLE, "also where the next partition begins");
  mend();
  await store.insert(anEntry("failed"));
  await assertShows(store, { shown: ["a", "failed"], hidden: ["b"] });
  assert.equal((await readdir(folder)).filter((name) => name.startsWith("quotes-")).length, 2);
  await store.close();
  const text = execFileSync("sh", ["-c", "cat quotes-*"], { cwd: folder, encoding: "utf8" });
  assert.equal(text.match(/"keyHash":"key_hash_failed"/g)?.length, 1, "stored once, in the second file");
});

test("shows nothing before it is on disk, and gives a loser the record only then", async (t) => {
  const { store, hold, release, reached } = await onFaultyDisk(t);
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
  assert.equal(await store.findRecord(aRecord().keyHash), undefined);
  release();
  assert.deepEqual(await loser, aRecord());
  assert.equal(await winner, undefined);
  assert.equal(await store.find("quote_late"), undefined);
});

test("gives a loser nothing where the winner's write fails, and the key stays free", async (t) => {
  const { store, hold, release, reached, fail, mend } = await onFaultyDisk(t);
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
  assert.equal((await store.findRecord(aRecord().keyHash))?.answer, "next");
});

test("lives on where what is past its keeping cannot be deleted", async (t) => {
  const folder = aFolder(t);
  const { disk, fail } = createFaultyDisk();
  const { log, records } = aRecordingLog();
  await writeFile(join(folder, "quotes-2026-11-01T10.jsonl"), "");
  fail("unlink", "EROFS");
  const store = await openStore(t, { folder, disk, log });
  assert.deepEqual(
    records.map(({ message }) => message),
    ["expired quotes could not be deleted"],
  );
  await store.insert(anEntry("a"));
});

test("keeps a segment past its retention until its events are on disk", async (t) => {
  const [folder, clock, faulty] = [aFolder(t), aClock(ISSUED_AT), createFaultyDisk()];
  const quote = aQuote();
  const selling = await openStore(t, { folder, clock, ledgerDays: 30 });
  await selling.insert({ quote, record: undefined, sale: aSale(quote, { at: ISSUED_AT }) });
  await selling.close();
  clock.set(purgedFrom(quote.expiresAt));
  const filesAfterStart = async () => {
    await (await openStore(t, { folder, clock, ledgerDays: 30, disk: faulty.disk })).close();
    return (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).map((name) => name.split("-")[0]);
  };
  faulty.fail("flush", "EIO");
  assert.deepEqual(await filesAfterStart(), ["quotes"]);
  faulty.mend();
  assert.deepEqual(await filesAfterStart(), ["sales"]);
});

test("the bounds count the group that is being saved, in entries and in bytes, and the log names PostgreSQL", async (t) => {
  const twenty = Array.from({ length: 20 }, (_, n) => anEntry(`n${n}`));
  const bytes = lineOf(anEntry("n10")).length;
  for (const bound of [{ maxLiveQuotes: 3 }, { mostBytes: 3 * bytes - 10 }]) {
    const { log, records } = aRecordingLog();
    const store = await openStore(t, { folder: aFolder(t), log, ...bound });
    // The first is written alone; the others wait for it and share one write.
    const outcomes = await Promise.allSettled(twenty.map((entry) => store.insert(entry)));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      twenty.map((_, n) => (n < 3 ? "fulfilled" : "rejected")),
    );
    assert.deepEqual([records.length, records[0]?.level], [1, "error"]);
    assert.match(records[0]?.message ?? "", /PostgreSQL \(TRANSFER_DATABASE_URL\)/);
  }
});

test("a store that holds as many entries as it may rejects others, also after a restart, until expired ones are purged", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const options = { folder: aFolder(t), maxLiveQuotes: 2, clock: aClock(ISSUED_AT) };
  const first = await openStore(t, options);
  await first.insert(anEntry("a"));
  await first.insert({ quote: undefined, record: aRecord() });
  await first.close();
  const store = await openStore(t, options);
  for (const entry of [anEntry("b"), { quote: undefined, record: aRecord({ keyHash: "other" }) }])
    await assert.rejects(store.insert(entry), UNAVAILABLE);
  assert.deepEqual(await store.insert(anEntry("a")), anEntry("a").record, "as to calls that raced for one key");
  await store.ping();
  options.clock.set(purgedFrom(anEntry("a").quote?.expiresAt ?? ""));
  t.mock.timers.tick(60_000);
  const insert = () => store.insert(anEntry("b", options.clock.now().toISOString()));
  await until(async () => (await insert().catch(() => "no room")) === undefined, "there is room");
  assert.equal(await store.find("quote_a"), undefined);
});

/** Steps that can fail. `create` is an `open` for writing; a failing `write` leaves half of its bytes in the file. */
type DiskStep = "create" | "write" | "datasync" | "flush" | "sync" | "truncate" | "rename" | "unlink";

/** The steps of a file handle's calls, besides writes. */
const STEPS: Readonly<Record<string, DiskStep>> = { datasync: "datasync", sync: "sync", truncate: "truncate" };

/** The local disk with faults that a test requests. */
function createFaultyDisk() {
  const codes = new Map<DiskStep, string>();
  const held = new Set<DiskStep>();
  const events = new EventEmitter().setMaxListeners(0);

  const disk: Disk = {
    ...localDisk,
    open: (async (path, flags, mode) => {
      if (flags !== "r") await reach("create");
      return faulty(await localDisk.open(path, flags, mode));
    }) satisfies Disk["open"],
    writeFile: (async (path, content, options) => {
      const { flush = false, mode } = typeof options === "object" && options !== null ? options : {};
      const handle = await disk.open(String(path), "w", mode);
      try {
        await handle.writeFile(content as Buffer);
        if (flush) await reach("flush");
        if (flush) await handle.datasync();
      } finally {
        await handle.close();
      }
    }) satisfies Disk["writeFile"],
    async rename(from, to) {
      await reach("rename");
      await localDisk.rename(from, to);
    },
    async rm(path, options) {
      await reach("unlink");
      await localDisk.rm(path, options);
    },
  };
  return {
    disk,
    /** Makes the step reject with a system error of this code from now on. */
    fail: (step: DiskStep, code: string) => void codes.set(step, code),
    /** Makes the step wait for `release` from now on. */
    hold: (step: DiskStep) => void held.add(step),
    release() {
      held.clear();
      events.emit("release");
    },
    /** Resolves when the step is reached for the next time. */
    reached: (step: DiskStep) => once(events, step),
    /** Ends every failure. */
    mend: () => codes.clear(),
  };

  async function reach(step: DiskStep): Promise<void> {
    events.emit(step);
    if (held.has(step)) await once(events, "release");
    const code = codes.get(step);
    if (code) throw Object.assign(new Error(`${code}: planted, ${step}`), { code });
  }

  function faulty(handle: FileHandle): FileHandle {
    return new Proxy(handle, {
      get(target, name) {
        if (name === "appendFile" || name === "writeFile") return (bytes: Buffer) => write(bytes);
        const value = Reflect.get(target, name, target);
        const step = STEPS[String(name)];
        if (!step) return typeof value === "function" ? value.bind(target) : value;
        return async (...args: readonly unknown[]) => {
          await reach(step);
          return value.apply(target, args);
        };
      },
    });

    async function write(bytes: Buffer): Promise<void> {
      try {
        await reach("write");
      } catch (error) {
        await handle.write(bytes, 0, Math.ceil(bytes.length / 2));
        throw error;
      }
      await handle.appendFile(bytes);
    }
  }
}
