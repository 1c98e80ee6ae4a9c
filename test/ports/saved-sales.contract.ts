import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { SaleEvent } from "../../src/quotes/sale-event.ts";
import type { QuoteStore } from "../../src/stores/quote-store.ts";
import { aQuote, aRecord } from "../support/quote-fixture.ts";
import { aHandoffSale, anOpeningSale, aSale } from "../support/sale-fixture.ts";

/** A store, and the events that it has saved, in any order. */
export interface OpenedStore {
  readonly store: QuoteStore;
  readonly sales: () => Promise<readonly SaleEvent[]>;
}

/** What every QuoteStore promises of the events that it saves with an entry. */
export function savedSalesContract(opened: (t: TestContext) => Promise<OpenedStore>): void {
  test("saves events with quote and record, with either, and alone, every field unchanged", async (t) => {
    const { store, sales } = await opened(t);
    const plain = aQuote({ id: "quote_plain", ends: { corridor: null, origin: null, destination: null } });
    const events = [aSale(), aSale(plain, { client: null }), aHandoffSale(), anOpeningSale()];
    const [first, second, handoff, opening] = events;
    await store.insert({ quote: aQuote(), record: aRecord(), sale: first });
    await store.insert({ quote: plain, record: undefined, sale: second });
    await store.insert({ quote: undefined, record: aRecord({ scope: "handoff" }), sale: handoff });
    await store.insert({ quote: undefined, record: undefined, sale: opening });
    assert.deepEqual(await store.find(aQuote().id), aQuote());
    assert.deepEqual(await sortedById(sales), sorted(events));
  });

  test("keeps the first event of an id, and the rest of the entry of a second", async (t) => {
    const { store, sales } = await opened(t);
    await store.insert({ quote: undefined, record: aRecord(), sale: aHandoffSale() });
    const later = { at: "2026-11-20T10:50:00.000Z", client: "other" };
    const again = aHandoffSale(aQuote(), later);
    assert.equal(await store.insert({ quote: undefined, record: aRecord({ scope: "b" }), sale: again }), undefined);
    assert.equal(await store.insert({ quote: undefined, record: undefined, sale: again }), undefined);
    await store.insert({ quote: undefined, record: undefined, sale: anOpeningSale() });
    await store.insert({ quote: undefined, record: undefined, sale: anOpeningSale(aQuote(), later) });
    assert.deepEqual(await store.findRecord("b"), aRecord({ scope: "b" }));
    assert.deepEqual(await sortedById(sales), sorted([aHandoffSale(), anOpeningSale()]));
  });

  test("saves one of ten events of one id that arrive together, and every record", async (t) => {
    const { store, sales } = await opened(t);
    const records = Array.from({ length: 10 }, (_, n) => aRecord({ scope: `scope_${n}` }));
    const entries = records.map((record) => ({ quote: undefined, record, sale: aHandoffSale() }));
    assert.deepEqual(new Set(await Promise.all(entries.map((entry) => store.insert(entry)))), new Set([undefined]));
    for (const record of records) assert.deepEqual(await store.findRecord(record.scope), record);
    assert.deepEqual(await sortedById(sales), [aHandoffSale()]);
  });

  test("saves no event of an entry that is not saved", async (t) => {
    const { store, sales } = await opened(t);
    await store.insert({ quote: aQuote(), record: aRecord(), sale: aSale() });
    const late = aQuote({ id: "quote_late" });
    assert.deepEqual(await store.insert({ quote: late, record: aRecord(), sale: aSale(late) }), aRecord());
    assert.deepEqual(await store.insert({ quote: undefined, record: aRecord(), sale: aHandoffSale() }), aRecord());
    await assert.rejects(store.insert({ quote: aQuote(), record: undefined, sale: aHandoffSale() }));
    assert.deepEqual(await sortedById(sales), [aSale()]);
  });
}

async function sortedById(sales: OpenedStore["sales"]): Promise<readonly SaleEvent[]> {
  return sorted(await sales());
}

function sorted(sales: readonly SaleEvent[]): readonly SaleEvent[] {
  return [...sales].sort((a, b) => (a.id < b.id ? -1 : 1));
}
