import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type FileHandle, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { type Disk, localDisk } from "../../../src/adapters/stores/lowdb/hour-files.ts";
import { quoteStoreContract } from "../../ports/quote-store.contract.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aFolder } from "../../support/lifetime.ts";
import { assertShows, fill, openStore, savedSales } from "../../support/lowdb-store.ts";
import { anEntry, aQuote, aRecord, ISSUED_AT, purgedFrom } from "../../support/quote-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aSale, sortedById } from "../../support/sale-fixture.ts";

const FILE = "quotes-2026-11-20T10.jsonl";

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
    assert.deepEqual(await readdir(folder), [FILE]);
  }
});

test("serves what is readable in a file with garbage in the middle, and logs the rest", async (t) => {
  const folder = aFolder(t);
  await fill(folder, ["a", "b", "c"]);
  const bytes = await readFile(join(folder, FILE));
  bytes.fill(0xfe, bytes.indexOf("quote_b"), bytes.indexOf("quote_b") + 300);
  await writeFile(join(folder, FILE), bytes);

  const { log, records } = aRecordingLog();
  const store = await openStore(t, { folder, log });
  await assertShows(store, { shown: ["a", "c"], hidden: ["b"] });
  const facts = { file: join(folder, FILE), damaged_lines: 1, readable: 2 };
  const message = "lines of a quote file are damaged; the others are kept";
  assert.deepEqual(records, [{ level: "error", facts, message }]);

  await store.insert(anEntry("d"));
  await store.close();
  await assertShows(await openStore(t, { folder }), { shown: ["a", "c", "d"], hidden: ["b"] });
});

test("never shows a changed entry: a digit of a price, a line of something else", async (t) => {
  const folder = aFolder(t);
  await fill(folder, ["a", "b"]);
  const text = await readFile(join(folder, FILE), "utf8");
  await writeFile(join(folder, FILE), `null\n{}\n\n${text.replace("98765", "18765")}[]\n`);
  await assertShows(await openStore(t, { folder }), { shown: ["b"], hidden: ["a"] });
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

test("a line is what docs/maintainers/embedded-store.md says", async (t) => {
  const folder = aFolder(t);
  const store = await openStore(t, { folder });
  const [quote, sale] = [aQuote(), aSale()];
  await store.insert({ quote, record: aRecord(), sale });
  const [, crc, fields = ""] = /^\{"crc":"(\w{1,8})",(.*)\n$/s.exec(readFileSync(join(folder, FILE), "utf8")) ?? [];
  assert.equal(crc32(fields).toString(16), crc);
  assert.deepEqual(JSON.parse(`{${fields}`), { quote, record: aRecord(), sale });
});

test("writes a file for each hour, deletes it when all in it is expired, and no sooner", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = aFolder(t);
  const clock = aClock(ISSUED_AT);
  const store = await openStore(t, { folder, clock });
  await store.insert(anEntry("a"));
  clock.set("2026-11-20T11:00:00.000Z");
  await store.insert({ quote: aQuote({ id: "quote_b", expiresAt: "2026-11-20T11:30:00.000Z" }), record: undefined });
  assert.deepEqual((await readdir(folder)).sort(), [FILE, "quotes-2026-11-20T11.jsonl"]);

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
  // c and d were issued long ago by their own dates, so that they have expired as well.
  assert.deepEqual(await readdir(folder), []);
});

test("has the file of one hour open, not those before it", async (t) => {
  const handles: FileHandle[] = [];
  const open: Disk["open"] = async (...args) => {
    const handle = await localDisk.open(...args);
    handles.push(handle);
    return handle;
  };
  const clock = aClock(ISSUED_AT);
  const store = await openStore(t, { folder: aFolder(t), clock, disk: { ...localDisk, open } });
  for (const id of ["a", "b", "c"]) {
    await store.insert(anEntry(id));
    clock.advance(3_600_000);
  }
  // A closed one has -1.
  assert.equal(handles.filter(({ fd }) => fd >= 0).length, 1);
});

test("keeps every event of an hour, whatever becomes of its file while the store runs", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = aFolder(t);
  const clock = aClock(ISSUED_AT);
  const store = await openStore(t, { folder, clock, ledgerDays: 30 });
  const quotes = ["a", "b", "c"].map((id) => aQuote({ id: `quote_${id}` }));
  const sales = quotes.map((quote) => aSale(quote));
  for (const [n, quote] of quotes.entries()) await store.insert({ quote, record: undefined, sale: sales[n] });
  const bytes = await readFile(join(folder, FILE));
  await writeFile(join(folder, FILE), bytes.fill(0xfe, 0, 300));
  assert.deepEqual(await store.find("quote_a"), quotes[0]);

  clock.set(purgedFrom(aQuote().expiresAt));
  clock.advance(3_600_000);
  t.mock.timers.tick(60_000);
  await store.close();
  assert.deepEqual(await readdir(folder), [FILE.replace("quotes", "sales")]);
  assert.deepEqual(sortedById(await savedSales(folder)), sortedById(sales));
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
