import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { SEGMENT_ENTRIES } from "../../../src/adapters/stores/lowdb/segments.ts";
import { quoteStoreContract } from "../../ports/quote-store.contract.ts";
import { aClock } from "../../support/fake-clock.ts";
import { createFaultyDisk } from "../../support/faulty-disk.ts";
import { assertShows, fill, openStore, savedSales } from "../../support/lowdb-store.ts";
import { anEntry, aQuote, aRecord, ISSUED_AT, purgedFrom } from "../../support/quote-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aSale, sortedById } from "../../support/sale-fixture.ts";
import { aFolder } from "../../support/temporary-folder.ts";

const FILE = "quotes-2026-11-20T10-0001.jsonl";
/** What a process that starts in the same hour writes. */
const NEXT = "quotes-2026-11-20T10-0002.jsonl";

quoteStoreContract("lowdb", async (t, { clock }) => {
  const folder = aFolder(t);
  return { store: await openStore(t, { folder, clock }), sales: () => savedSales(folder) };
});

test("shows after a restart what it showed before", async (t) => {
  const folder = aFolder(t);
  const first = await openStore(t, { folder });
  await first.insert(anEntry("both"));
  await first.insert({ quote: aQuote(), record: undefined });
  await first.insert({ quote: undefined, record: aRecord() });
  await first.close();

  const second = await openStore(t, { folder });
  assert.deepEqual(await second.find("quote_both"), anEntry("both").quote);
  assert.deepEqual(await second.find(aQuote().id), aQuote());
  assert.deepEqual(await second.findRecord(aRecord().keyHash), aRecord());
  const late = { quote: aQuote({ id: "quote_late" }), record: anEntry("both").record };
  assert.deepEqual(await second.insert(late), anEntry("both").record);
  await assert.rejects(second.insert({ quote: aQuote(), record: undefined }));
});

test("reads more closed segments at once than it keeps in memory", async (t) => {
  const folder = aFolder(t);
  const names = Array.from({ length: 20 }, (_, n) => `of_segment_${n}`);
  for (const name of names) await fill(folder, [name]);
  const store = await openStore(t, { folder });
  const found = await Promise.all(names.map((name) => store.find(`quote_${name}`)));
  assert.deepEqual(
    found,
    names.map((name) => anEntry(name).quote),
  );
});

test("drops a torn last line, however little is missing, and writes on", async (t) => {
  const whole = aFolder(t);
  await fill(whole, ["a", "b", "c"]);
  const bytes = await readFile(join(whole, FILE));
  const lastLine = bytes.length - (bytes.lastIndexOf("\n", bytes.length - 2) + 1);
  const torn = [1, 2, Math.floor(lastLine / 2), lastLine - 1].map((missing) => bytes.subarray(0, -missing));
  // As a power cut may leave it.
  const zeros = Buffer.concat([bytes.subarray(0, -lastLine), Buffer.alloc(10_000)]);
  for (const left of [...torn, zeros]) {
    const folder = aFolder(t);
    await writeFile(join(folder, FILE), left);
    const store = await openStore(t, { folder });
    await assertShows(store, { shown: ["a", "b"], hidden: ["c"] });
    await store.insert(anEntry("d"));
    await store.close();
    await assertShows(await openStore(t, { folder }), { shown: ["a", "b", "d"], hidden: ["c"] });
    assert.deepEqual((await readdir(folder)).sort(), [FILE, NEXT], "a crash is no damage");
  }
});

test("sets a file with garbage in the middle aside, says so, and serves what is readable in it", async (t) => {
  const folder = aFolder(t);
  await fill(folder, ["a", "b", "c"]);
  const bytes = await readFile(join(folder, FILE));
  bytes.fill(0xfe, bytes.indexOf("quote_b"), bytes.indexOf("quote_b") + 300);
  await writeFile(join(folder, FILE), bytes);

  const { log, records } = aRecordingLog();
  const store = await openStore(t, { folder, log });
  await assertShows(store, { shown: ["a", "c"], hidden: ["b"] });
  const damaged = FILE.replace(".jsonl", ".damaged-1.jsonl");
  assert.deepEqual(await readFile(join(folder, damaged)), bytes, "as it was found");

  await store.insert(anEntry("d"));
  await store.close();
  await assertShows(await openStore(t, { folder, log }), { shown: ["a", "c", "d"], hidden: ["b"] });
  assert.deepEqual((await readdir(folder)).sort(), [damaged, FILE, NEXT]);
  const facts = { file: join(folder, damaged), damaged_lines: 1, readable: 2 };
  const message = "a quote file is damaged and was copied; the other lines are kept";
  assert.deepEqual(records, [{ level: "error", facts, message }], "said once");
});

test("never shows a changed entry: a digit of a price, a line of something else", async (t) => {
  const folder = aFolder(t);
  await fill(folder, ["a", "b"]);
  const text = await readFile(join(folder, FILE), "utf8");
  await writeFile(join(folder, FILE), `null\n{}\n\n${text.replace("98765", "18765")}[]\n`);
  await assertShows(await openStore(t, { folder }), { shown: ["b"], hidden: ["a"] });
});

test("rejects the start where a damaged file cannot be repaired, and leaves it as it was found", async (t) => {
  const { disk, fail, mend } = createFaultyDisk();
  const folder = aFolder(t);
  await fill(folder, ["a"]);
  await appendFile(join(folder, FILE), "garbage\n");
  const found = await readFile(join(folder, FILE));
  fail("rename", "EROFS");
  await assert.rejects(openStore(t, { folder, disk }), { code: "EROFS" });
  assert.deepEqual(await readFile(join(folder, FILE)), found);
  mend();
  const store = await openStore(t, { folder, disk });
  await store.insert(anEntry("b"));
  await store.close();
  await assertShows(await openStore(t, { folder }), { shown: ["a", "b"] });
});

test("refuses a folder of another version in one line", async (t) => {
  for (const name of [
    "quotes-2026-11-20T10.jsonl",
    "quotes-2026-11-20T10-00Z.jsonl",
    "ledger-2026-11-20T10-00Z.jsonl",
    "counts-2026-11-20.json",
  ]) {
    const folder = aFolder(t);
    await writeFile(join(folder, name), "{}\n");
    await assert.rejects(openStore(t, { folder }), {
      name: "UnusableStorage",
      message: `${join(folder, name)} was written by another version of this program; move ${folder} away, or set TRANSFER_DATA_DIR`,
    });
  }
});

test("leaves foreign files in the folder alone", async (t) => {
  const folder = aFolder(t);
  const foreign = ["quotes.jsonl", "notes.txt", `${FILE}~`, `old-${FILE}`, "store.owner.json"];
  for (const name of foreign) await writeFile(join(folder, name), "not ours\n");
  const store = await openStore(t, { folder });
  await store.insert(anEntry("a"));
  for (const name of foreign) assert.equal(await readFile(join(folder, name), "utf8"), "not ours\n");
  await store.close();
  await assertShows(await openStore(t, { folder }), { shown: ["a"] });
});

test("a line is what docs/operations/embedded-store.md says", async (t) => {
  const folder = aFolder(t);
  const store = await openStore(t, { folder });
  const [quote, sale] = [aQuote(), aSale()];
  await store.insert({ quote, record: aRecord(), sale });
  const [, sum, fields = ""] = /^\{"sum":"(.{12})",(.*)\n$/s.exec(readFileSync(join(folder, FILE), "utf8")) ?? [];
  assert.equal(createHash("sha256").update(fields).digest("base64url").slice(0, 12), sum);
  assert.deepEqual(JSON.parse(`{${fields}`), { quote, record: aRecord(), sale });
});

test("begins a segment when one is full, and reads those that are closed", async (t) => {
  const folder = aFolder(t);
  const store = await openStore(t, { folder });
  const names = Array.from({ length: 2 * SEGMENT_ENTRIES + 1 }, (_, n) => `n${n}`);
  await Promise.all(names.map((name) => store.insert(anEntry(name))));
  const files = (await readdir(folder)).sort();
  assert.deepEqual(files, [FILE, NEXT, "quotes-2026-11-20T10-0003.jsonl"]);
  const lines = files.map((name) => readFileSync(join(folder, name), "utf8").split("\n").length - 1);
  assert.deepEqual(lines, [SEGMENT_ENTRIES, SEGMENT_ENTRIES, 1]);
  await assertShows(store, { shown: names });
  for (const name of names) await assert.rejects(store.insert({ ...anEntry(name), record: undefined }));
  await store.close();
  await assertShows(await openStore(t, { folder }), { shown: names });
});

test("writes a file for each hour, deletes it when all in it is expired, and no sooner", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = aFolder(t);
  const clock = aClock(ISSUED_AT);
  const store = await openStore(t, { folder, clock });
  await store.insert(anEntry("a"));
  clock.set("2026-11-20T11:00:00.000Z");
  await store.insert({ quote: aQuote({ id: "quote_b", expiresAt: "2026-11-20T11:30:00.000Z" }), record: undefined });
  assert.deepEqual((await readdir(folder)).sort(), [FILE, "quotes-2026-11-20T11-0001.jsonl"]);

  clock.set(new Date(purgedFrom(aQuote().expiresAt).getTime() - 1));
  await store.insert(anEntry("c"));
  t.mock.timers.tick(60_000);
  await store.ping();
  assert.ok((await readdir(folder)).includes(FILE), "one of its quotes is still found");
  assert.deepEqual(await store.find("quote_a"), anEntry("a").quote);

  clock.advance(3_600_001);
  await store.insert(anEntry("d"));
  t.mock.timers.tick(60_000);
  await store.close();
  // c and d were issued long ago by their own dates, so that c has expired as well; d is being written to.
  assert.deepEqual(await readdir(folder), ["quotes-2026-11-21T12-0001.jsonl"]);
});

test("copies a file that was damaged while the store ran before the purge replaces it, and says so", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = aFolder(t);
  const clock = aClock(ISSUED_AT);
  const { log, records } = aRecordingLog();
  const store = await openStore(t, { folder, clock, log, ledgerDays: 30 });
  const sales = ["a", "b", "c"].map((id) => aSale(aQuote({ id: `quote_${id}` })));
  for (const sale of sales) await store.insert({ quote: aQuote({ id: sale.quoteId }), record: undefined, sale });
  const bytes = await readFile(join(folder, FILE));
  bytes.writeUInt8(bytes.readUInt8(bytes.indexOf("quote_b")) ^ 1, bytes.indexOf("quote_b"));
  await writeFile(join(folder, FILE), bytes);

  clock.set(purgedFrom(aQuote().expiresAt));
  clock.advance(3_600_000);
  t.mock.timers.tick(60_000);
  await store.close();
  const damaged = FILE.replace(".jsonl", ".damaged-1.jsonl");
  assert.deepEqual((await readdir(folder)).sort(), [damaged, FILE.replace("quotes", "sales")]);
  assert.deepEqual(await readFile(join(folder, damaged)), bytes, "as it was found");
  assert.deepEqual(
    sortedById(await savedSales(folder)),
    sortedById([sales[0], sales[2]].flatMap((sale) => sale ?? [])),
  );
  const facts = { file: join(folder, damaged), damaged_lines: 1, readable: 2 };
  const message = "a quote file is damaged and was copied; the other lines are kept";
  assert.deepEqual(records, [{ level: "error", facts, message }]);
});

test("deletes at its start what expired while it was down", async (t) => {
  const folder = aFolder(t);
  await fill(folder, ["a"]);
  const store = await openStore(t, { folder, clock: { now: () => purgedFrom(aQuote().expiresAt) } });
  assert.deepEqual(await readdir(folder), []);
  assert.equal(await store.find("quote_a"), undefined);
});

test("finds a record of today where yesterday's of the same key is still on disk", async (t) => {
  const options = { folder: aFolder(t), clock: aClock(ISSUED_AT) };
  const first = await openStore(t, options);
  await first.insert({ quote: aQuote({ expiresAt: "2026-11-23T00:00:00.000Z" }), record: aRecord() });
  options.clock.set(purgedFrom(ISSUED_AT));
  const today = aRecord({ answer: "{}", createdAt: purgedFrom(ISSUED_AT).toISOString() });
  await first.insert({ quote: undefined, record: today });
  await first.close();
  const second = await openStore(t, options);
  assert.deepEqual(await second.findRecord(today.keyHash), today);
  assert.deepEqual((await second.find(aQuote().id))?.id, aQuote().id);
});
