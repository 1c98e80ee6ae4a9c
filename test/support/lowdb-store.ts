import assert from "node:assert/strict";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createLines, entryOf, localDisk } from "../../src/adapters/stores/lowdb/hour-files.ts";
import { type LowdbQuoteStoreOptions, openLowdbQuoteStore } from "../../src/adapters/stores/lowdb/lowdb-quote-store.ts";
import type { QuoteStore } from "../../src/domain/sales/quote-store.ts";
import type { SaleEvent } from "../../src/domain/sales/sale-event.ts";
import type { Clock } from "../../src/ops/clock.ts";
import { silentLog } from "../../src/ops/log.ts";
import { aFolder } from "./lifetime.ts";
import { anEntry, ISSUED_AT } from "./quote-fixture.ts";

const clock: Clock = { now: () => new Date(ISSUED_AT) };
const OPTIONS = { maxLiveQuotes: 1_000_000, ledgerDays: 0, clock, log: silentLog };

/** Saves `anEntry(name)` for each name into the folder, in order. */
export async function fill(folder: string, names: readonly string[]): Promise<void> {
  const store = await openLowdbQuoteStore({ ...OPTIONS, folder });
  for (const name of names) await store.insert(anEntry(name));
  await store.close();
}

/** Fails unless the store finds the entries named in `shown` and none of `hidden`. */
export async function assertShows(
  store: QuoteStore,
  { shown, hidden = [] }: { readonly shown: readonly string[]; readonly hidden?: readonly string[] },
): Promise<void> {
  for (const name of [...shown, ...hidden]) {
    const entry = hidden.includes(name) ? undefined : anEntry(name);
    assert.deepEqual(await store.find(`quote_${name}`), entry?.quote, name);
    assert.deepEqual(await store.findRecord(`key_hash_${name}`), entry?.record, name);
  }
}

/** The events in the files of the folder. */
export async function savedSales(folder: string): Promise<readonly SaleEvent[]> {
  const sales: SaleEvent[] = [];
  for (const name of (await readdir(folder)).filter((each) => /^(quotes|sales)-.*T\d\d\.jsonl$/.test(each)).sort()) {
    const lines = await createLines(join(folder, name), localDisk).read();
    sales.push(...lines.flatMap((line) => entryOf(line)?.sale ?? []));
  }
  return sales;
}

/** The embedded store at the instant of the fixtures; closed when the test ends. */
export async function openStore(
  t: TestContext,
  options: Pick<LowdbQuoteStoreOptions, "folder"> & Partial<LowdbQuoteStoreOptions>,
) {
  const store = await openLowdbQuoteStore({ ...OPTIONS, ...options });
  t.after(() => store.close());
  return store;
}

/** Checks what a process would find if it started on the present files. */
export async function assertAfterCrash(
  t: TestContext,
  folder: string,
  expected: Parameters<typeof assertShows>[1],
): Promise<void> {
  const copy = aFolder(t);
  await cp(folder, copy, { recursive: true });
  await assertShows(await openStore(t, { folder: copy }), expected);
}
