import assert from "node:assert/strict";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type Log, silentLog } from "../../src/ops/log.ts";
import { quoteStoreContract } from "../ports/quote-store.contract.ts";
import { createFaultyDisk } from "../support/faulty-disk.ts";
import { assertShows, fill, openStore, savedSales } from "../support/lowdb-store.ts";
import { anEntry, aQuote, aRecord, ISSUED_AT, purgedFrom } from "../support/quote-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";

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
  assert.deepEqual(await second.findRecord(aRecord().scope), aRecord());
  const late = { quote: aQuote({ id: "quote_late" }), record: anEntry("both").record };
  assert.deepEqual(await second.insert(late), anEntry("both").record);
  await assert.rejects(second.insert({ quote: aQuote(), record: undefined }));
});

test("makes its folder, parents included", async (t) => {
  const folder = join(aFolder(t), "quotes", "serve");
  await (await openStore(t, { folder })).insert(anEntry("a"));
  assert.deepEqual(await readdir(folder), [FILE]);
});

test("drops a torn last line, however little is missing, and writes on", async (t) => {
  const whole = aFolder(t);
  await fill(whole, ["a", "b", "c"]);
  const bytes = await readFile(join(whole, FILE));
  const lastLine = bytes.length - (bytes.lastIndexOf("\n", bytes.length - 2) + 1);
  for (const missing of [1, 2, Math.floor(lastLine / 2), lastLine - 1]) {
    const folder = aFolder(t);
    await writeFile(join(folder, FILE), bytes.subarray(0, bytes.length - missing));
    const store = await openStore(t, { folder });
    await assertShows(store, { shown: ["a", "b"], hidden: ["c"] });
    await store.insert(anEntry("d"));
    await store.close();
    await assertShows(await openStore(t, { folder }), { shown: ["a", "b", "d"], hidden: ["c"] });
    assert.deepEqual(await readdir(folder), [FILE], "a crash is no damage");
  }
});

test("takes zeros at the end, as a power cut may leave them, for a torn line", async (t) => {
  const folder = aFolder(t);
  await fill(folder, ["a"]);
  await appendFile(join(folder, FILE), Buffer.alloc(10_000));
  const store = await openStore(t, { folder });
  await store.insert(anEntry("b"));
  await store.close();
  await assertShows(await openStore(t, { folder }), { shown: ["a", "b"] });
  assert.deepEqual(await readdir(folder), [FILE]);
});

test("sets a file with garbage in the middle aside, says so, and serves what is readable in it", async (t) => {
  const folder = aFolder(t);
  await fill(folder, ["a", "b", "c"]);
  const bytes = await readFile(join(folder, FILE));
  bytes.fill(0xfe, bytes.indexOf("quote_b"), bytes.indexOf("quote_b") + 300);
  await writeFile(join(folder, FILE), bytes);

  const lines: string[] = [];
  const log: Log = { ...silentLog, error: (facts, message) => lines.push(`${message} ${JSON.stringify(facts)}`) };
  const store = await openStore(t, { folder, log });
  await assertShows(store, { shown: ["a", "c"], hidden: ["b"] });
  const [damaged = ""] = (await readdir(folder)).filter((name) => name !== FILE);
  assert.match(damaged, /^quotes-2026-11-20T10\.damaged-1\.jsonl$/);
  assert.deepEqual(await readFile(join(folder, damaged)), bytes, "as it was found");
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /damaged and was copied.*"damaged_lines":1,"served":2/);

  await store.insert(anEntry("d"));
  await store.close();
  await assertShows(await openStore(t, { folder, log }), { shown: ["a", "c", "d"], hidden: ["b"] });
  assert.deepEqual((await readdir(folder)).sort(), [damaged, FILE]);
  assert.equal(lines.length, 1, "said once");
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
  for (const name of ["quotes-2026-11-20T10-00Z.jsonl", "ledger-2026-11-20T10-00Z.jsonl", "counts-2026-11-20.json"]) {
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

test("writes a file for each hour, deletes it when all in it is expired, and no sooner", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = aFolder(t);
  let now = new Date(ISSUED_AT);
  const store = await openStore(t, { folder, clock: { now: () => now } });
  await store.insert(anEntry("a"));
  now = new Date("2026-11-20T11:00:00.000Z");
  const late = aQuote({ id: "quote_b", expiresAt: "2026-11-20T11:30:00.000Z" });
  await store.insert({ quote: late, record: undefined });
  assert.deepEqual((await readdir(folder)).sort(), [FILE, "quotes-2026-11-20T11.jsonl"]);

  const purged = purgedFrom(aQuote().expiresAt);
  now = new Date(purged.getTime() - 1);
  await store.insert(anEntry("c"));
  t.mock.timers.tick(60_000);
  await store.ping();
  assert.ok((await readdir(folder)).includes(FILE), "one of its quotes is still found");
  assert.deepEqual(await store.find("quote_a"), anEntry("a").quote);

  now = new Date(purged.getTime() + 3_600_000);
  await store.insert(anEntry("d"));
  t.mock.timers.tick(60_000);
  await store.close();
  const left = (await readdir(folder)).filter((name) => name.startsWith("quotes-")).sort();
  // c and d were issued long ago by their own dates, so that c has expired as well; d is being written to.
  assert.deepEqual(left, ["quotes-2026-11-21T12.jsonl"]);
});

test("deletes at its start what expired while it was down", async (t) => {
  const folder = aFolder(t);
  await fill(folder, ["a"]);
  const store = await openStore(t, { folder, clock: { now: () => purgedFrom(aQuote().expiresAt) } });
  assert.deepEqual(await readdir(folder), []);
  assert.equal(await store.find("quote_a"), undefined);
});

test("finds a record of today where yesterday's of the same scope is still on disk", async (t) => {
  const folder = aFolder(t);
  let now = new Date(ISSUED_AT);
  const options = { folder, clock: { now: () => now } };
  const first = await openStore(t, options);
  await first.insert({ quote: aQuote({ expiresAt: "2026-11-23T00:00:00.000Z" }), record: aRecord() });
  now = purgedFrom(ISSUED_AT);
  const today = aRecord({ answer: "{}", createdAt: now.toISOString() });
  await first.insert({ quote: undefined, record: today });
  await first.close();
  const second = await openStore(t, options);
  assert.deepEqual(await second.findRecord(today.scope), today);
  assert.deepEqual((await second.find(aQuote().id))?.id, aQuote().id);
});
