import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { createLedgerFolder } from "../../src/quotes/lowdb/ledger-folder.ts";
import { aClock } from "../support/fake-clock.ts";
import { openStore } from "../support/lowdb-store.ts";
import { aQuote } from "../support/quote-fixture.ts";
import { aSale } from "../support/sale-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const HOUR = "2026-11-20T10:00:00.000Z";
const QUOTES = 2_500;
/** What is read without a pause, as the quotes of an hour are 50,000 on a busy day. */
const MOST = 1_000;

test("reading a ledger gives the server's calls their turns", async (t) => {
  const folder = aFolder(t);
  const clock = aClock(new Date(HOUR));
  const store = await openStore(t, { folder, clock, ledgerDays: 400 });
  const quotes = Array.from({ length: QUOTES }, (_, n) => aQuote({ id: `quote_${n}`, issuedAt: HOUR }));
  const sales = quotes.map((quote) => ({ quote, sale: aSale(quote, { at: HOUR }), record: undefined }));
  await Promise.all(sales.map((sale) => store.insert(sale)));
  await store.close();
  clock.advance(3_600_000);
  await openStore(t, { folder, clock, ledgerDays: 400 });
  await until(async () => (await readdir(folder)).some((name) => name.startsWith("ledger-")), "the ledger is made");

  let read = 0;
  let longest = 0;
  let atLastTurn = 0;
  let isReading = true;
  const takeTurn = () => {
    longest = Math.max(longest, read - atLastTurn);
    atLastTurn = read;
    if (isReading) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  await createLedgerFolder(folder).read([Date.parse(HOUR)], {
    step: () => {},
    quote: () => {
      read += 1;
    },
  });
  isReading = false;
  assert.equal(read, QUOTES);
  assert.ok(longest > 0 && longest <= MOST, `${longest} quotes without a turn`);
});
