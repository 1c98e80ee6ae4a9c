import { createDelivery } from "../../src/adapters/events/delivery.ts";
import { startEventSender } from "../../src/adapters/events/event-sender.ts";
import { openLowdbQuoteStore } from "../../src/adapters/stores/lowdb/lowdb-quote-store.ts";
import { lockFolder } from "../../src/adapters/stores/lowdb/store-lock.ts";
import { openPostgresQuoteStore } from "../../src/adapters/stores/postgres/postgres-quote-store.ts";
import { systemClock } from "../../src/ops/clock.ts";
import { silentLog } from "../../src/ops/log.ts";
import { aQuote, aRecord } from "../support/quote-fixture.ts";
import { aHandoffSale, aSale } from "../support/sale-fixture.ts";

/**
 * Sells from a few writers at once and delivers the events until it is killed, and names each event and quote on stdout
 * once its entry is acknowledged. Arguments: a folder or the URL of a database, the receiver, its secret, and the round; with no
 * round it sells nothing.
 */
const [place = "", url = "", secret = "", round = ""] = process.argv.slice(2);
const WRITERS = 3;
/** So short that many a handoff is saved after the expiry of its quote. */
const LIVE_MILLISECONDS = 20;
const PAUSE_MILLISECONDS = 4;

const options = { clock: systemClock, log: silentLog, fillsOutbox: true, ledgerDays: 0 };
const store = await openStore();
if (!store.outbox) throw new Error("the outbox is not filled");
startEventSender({
  ...options,
  outbox: store.outbox,
  delivery: createDelivery({ url, secrets: [secret], journeyOf: async () => null }),
  // What a killed process has claimed is soon free.
  ...{ claimMs: 700, timeOutMs: 600, pollMs: 5 },
});
if (round !== "") for (let writer = 0; writer < WRITERS; writer += 1) void sellForEver(writer);

async function openStore() {
  if (place.startsWith("postgres")) return openPostgresQuoteStore({ ...options, url: place });
  await lockFolder(place, `kill-writer, round ${round}`, () => process.exit(1));
  return openLowdbQuoteStore({ ...options, folder: place, maxLiveQuotes: 1_000_000 });
}

async function sellForEver(writer: number): Promise<void> {
  for (let n = 0; ; n += 1) {
    const now = Date.now();
    const at = new Date(now).toISOString();
    const expiresAt = new Date(now + LIVE_MILLISECONDS).toISOString();
    const quote = aQuote({ id: `${round}_${writer}_${n}`, expiresAt });
    const sale = aSale(quote, { at });
    await store.insert({ quote, record: aRecord({ keyHash: quote.id, createdAt: at }), sale });
    // On POSIX Node writes to a pipe synchronously, so the parent receives every acknowledgement before the kill.
    process.stdout.write(`${sale.id} ${quote.id}\n`);
    const handoff = aHandoffSale(quote, { at });
    await store.insert({ quote: undefined, record: undefined, sale: handoff });
    process.stdout.write(`${handoff.id}\n`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
}
