import { systemClock } from "../../src/ops/clock.ts";
import { silentLog } from "../../src/ops/log.ts";
import { openLowdbQuoteStore } from "../../src/stores/lowdb/lowdb-quote-store.ts";
import { lockFolder } from "../../src/stores/lowdb/store-lock.ts";
import { anEntry } from "../support/quote-fixture.ts";
import { aSale } from "../support/sale-fixture.ts";

/**
 * Inserts from many writers at once until it is killed, and names each entry on stdout once it is acknowledged.
 * Arguments: the folder, the round, and an instant near now that dates the entries.
 */
const [folder = "", round = "", at = ""] = process.argv.slice(2);
const WRITERS = 32;

await lockFolder(folder, `kill-writer, round ${round}`, () => process.exit(1));
const store = await openLowdbQuoteStore({
  folder,
  maxLiveQuotes: 1_000_000,
  ledgerDays: 400,
  clock: systemClock,
  log: silentLog,
});
for (let writer = 0; writer < WRITERS; writer += 1) void insertForEver(writer);

async function insertForEver(writer: number): Promise<void> {
  for (let n = 0; ; n += 1) {
    const name = `${round}_${writer}_${n}`;
    const { quote, record } = anEntry(name, at);
    await store.insert({ quote, record, sale: quote && aSale(quote, { at }) });
    // On POSIX Node writes to a pipe synchronously, so the parent receives every acknowledgement before the kill.
    process.stdout.write(`${name}\n`);
  }
}
