import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { QuoteStore } from "../../src/domain/sales/quote-store.ts";
import type { SaleEvent } from "../../src/domain/sales/sale-event.ts";
import type { Period, Sales } from "../../src/domain/sales/sales.ts";
import { aClock, type FakeClock } from "../support/fake-clock.ts";
import { aQuote, ISSUED_AT } from "../support/quote-fixture.ts";
import { aHandoffSale, anOpeningSale, aSale } from "../support/sale-fixture.ts";

const HOUR = 3_600_000;
const ALL: Period = { since: new Date("2026-01-01T00:00:00Z"), until: new Date("2027-12-31T00:00:00Z") };

interface OpenedSales {
  readonly store: QuoteStore;
  readonly sales: Sales;
}

/** What every Sales promises. `open` gives an empty store and its sales, and registers its own clean-up on `t`. */
export function salesContract(
  name: string,
  open: (t: TestContext, parts: { readonly clock: FakeClock }) => Promise<OpenedSales>,
): void {
  suite(`Sales contract: ${name}`, () => {
    test("has the events of days in the order of their instants, while they are read and written", async (t) => {
      const { clock, save, events } = await opened(t);
      const ids: string[] = [];
      for (let n = 0; n < 30; n += 1) {
        const quote = aQuote({ id: `q_${n}`, expiresAt: new Date(clock.now().getTime() + HOUR / 2).toISOString() });
        const event = aSale(quote, { at: clock.now().toISOString() });
        await save(event);
        ids.push(event.id);
        clock.advance(2 * HOUR);
        if (n % 10 === 0) assert.deepEqual(idsOf(await events()), ids);
      }
      assert.deepEqual(idsOf(await events()), ids);
    });

    test("has the events from the first instant of a period until before the last, every fact unchanged", async (t) => {
      const { clock, save, sales, events } = await opened(t);
      assert.deepEqual(await events(), []);
      const plain = aQuote({
        id: "quote_plain",
        ends: { corridor: null, origin: null, destination: null, stops: [null] },
      });
      const kinds = [
        aSale(aQuote({ id: "q_1" })),
        aSale(plain, { client: null }),
        aHandoffSale(),
        anOpeningSale(),
        aSale(),
      ];
      const saved: SaleEvent[] = [];
      for (const [n, milliseconds] of [0, 1, HOUR, 25 * HOUR, 25 * HOUR + 1].entries()) {
        clock.set(new Date(Date.parse(ISSUED_AT) + milliseconds));
        const event = { ...(kinds[n] as SaleEvent), at: clock.now().toISOString() };
        await save(event);
        saved.push(event);
      }
      const [, second, , , fifth] = saved;
      const found = await events({ since: new Date(second?.at ?? ""), until: new Date(fifth?.at ?? "") });
      assert.deepEqual(found, saved.slice(1, 4));
      assert.equal(sales.damagedLines(), 0);
    });

    test("has the quote of an event while it is stored", async (t) => {
      const { store, sales } = await opened(t);
      const quote = aQuote();
      await store.insert({ quote: aQuote({ id: "q_other" }), record: undefined });
      await store.insert({ quote, record: undefined, sale: aSale(quote) });
      assert.deepEqual(await sales.quoteOf(aSale(quote)), quote);
      assert.equal(await sales.quoteOf(aSale(aQuote({ id: "q_deleted" }))), undefined);
    });
  });

  async function opened(t: TestContext) {
    const clock = aClock(ISSUED_AT);
    const { store, sales } = await open(t, { clock });
    t.after(() => sales.close());
    const save = (sale: SaleEvent) => store.insert({ quote: undefined, record: undefined, sale });
    const events = async (period: Period = ALL) => {
      const found: SaleEvent[] = [];
      for await (const batch of sales.events(period)) found.push(...batch);
      return found;
    };
    return { store, sales, clock, save, events };
  }
}

function idsOf(events: readonly SaleEvent[]): readonly string[] {
  return events.map(({ id }) => id);
}
