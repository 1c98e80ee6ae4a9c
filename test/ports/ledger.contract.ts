import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { Ledger, ReportGroup, SaleTotals } from "../../src/ledger/ledger.ts";
import type { StoredQuote } from "../../src/quotes/quote.ts";
import type { QuoteStore } from "../../src/quotes/quote-store.ts";
import { aClock, type FakeClock } from "../support/fake-clock.ts";
import { aQuote } from "../support/quote-fixture.ts";
import { aHandoffSale, anOpeningSale, aSale } from "../support/sale-fixture.ts";

/** An evening on which the operator's day has ended and that of UTC has not. */
const EVENING = "2026-11-20T22:50:00.000Z";
const MINUTE = 60_000;

interface OpenedLedger {
  readonly store: QuoteStore;
  readonly ledger: Ledger;
}

/** What every Ledger promises. `open` gives an empty store and its ledger, and registers its own clean-up on `t`. */
export function ledgerContract(
  name: string,
  open: (t: TestContext, parts: { readonly clock: FakeClock }) => Promise<OpenedLedger>,
): void {
  suite(`Ledger contract: ${name}`, () => {
    test("counts nothing where nothing was sold", async (t) => {
      const { report } = await opened(t);
      assert.deepEqual(await report(), { total: totals(), groups: [], damagedLines: 0 });
      assert.deepEqual((await report("day")).groups, []);
    });

    test("counts ten quotes, four handoffs and two openings, with their sums", async (t) => {
      const { sell, report, clock } = await opened(t);
      for (let n = 0; n < 10; n += 1) {
        await sell(`${n}`, { isHandedOver: n < 4, isOpened: n < 2 });
        clock.advance(MINUTE);
      }
      const open = totals({ quotes: 10, handedOver: 4, opened: 2 });
      assert.deepEqual((await report()).total, open);
      clock.advance(60 * MINUTE);
      assert.deepEqual((await report()).total, { ...open, expired: 6 });
    });

    test("counts the quotes of a period with what became of them later", async (t) => {
      const { sell, report, clock } = await opened(t);
      await sell("before", { isHandedOver: true, isOpened: true });
      clock.advance(MINUTE);
      const since = clock.now();
      const quote = await sell("in", {});
      clock.advance(MINUTE);
      const until = clock.now();
      await sell("after", { isHandedOver: true, isOpened: true });
      await sell("in", { quote, isHandedOver: true, isOpened: true });
      const { total } = await report(undefined, { since, until });
      assert.deepEqual(total, totals({ quotes: 1, handedOver: 1, opened: 1 }));
    });

    test("groups by the operator's days", async (t) => {
      const { sell, report, clock } = await opened(t);
      await sell("a", { isHandedOver: true });
      clock.advance(20 * MINUTE);
      await sell("b", {});
      const { groups } = await report("day");
      assert.deepEqual(groups, [
        { key: "2026-11-20", ...totals({ quotes: 1, handedOver: 1 }) },
        { key: "2026-11-21", ...totals({ quotes: 1 }) },
      ]);
    });

    test("groups by corridor, or by the ends where there is none", async (t) => {
      const { sell, report } = await opened(t);
      const ends = [
        { corridor: "zurich-to-bern", origin: "zurich", destination: "bern" },
        { corridor: null, origin: "zurich", destination: null },
        null,
      ];
      for (const [n, each] of ends.entries()) await sell(`${n}`, { quote: aQuote({ id: `q_${n}`, ends: each }) });
      const { groups } = await report("corridor");
      assert.deepEqual(
        groups.map(({ key, quotes }) => [key, quotes]),
        [
          ["? > ?", 1],
          ["zurich > ?", 1],
          ["zurich-to-bern", 1],
        ],
      );
    });

    test("groups by client, those that name none together", async (t) => {
      const { sell, report } = await opened(t);
      for (const [n, client] of ["b", null, 'a "ü"', null].entries()) await sell(`${n}`, { client });
      const { groups } = await report("client");
      assert.deepEqual(
        groups.map(({ key, quotes }) => [key, quotes]),
        [
          [null, 2],
          ['a "ü"', 1],
          ["b", 1],
        ],
      );
    });

    test("groups by class: what each was offered for, and handed over for", async (t) => {
      const { sell, report, clock } = await opened(t);
      await sell("a", { isHandedOver: true, isOpened: true });
      await sell("b", {});
      clock.advance(60 * MINUTE);
      assert.deepEqual((await report("class")).groups, [
        { key: "minibus", ...totals({ quotes: 2, expired: 1 }), quotedRappen: 290_000 },
        { key: "van", ...totals({ quotes: 2, handedOver: 1, opened: 1, expired: 1 }) },
      ]);
    });

    test("counts a quote once that is handed over in two classes, with the total of the last", async (t) => {
      const { store, sell, report, clock } = await opened(t);
      const quote = await sell("a", { isHandedOver: true });
      clock.advance(MINUTE);
      const [van, minibus] = quote.options;
      const other = { id: "evt_other", options: minibus ? [minibus] : [], at: clock.now().toISOString() };
      await store.insert({ quote: undefined, record: undefined, sale: aHandoffSale(quote, other) });
      const expected = { ...totals({ quotes: 1, handedOver: 1 }), handedOverRappen: minibus?.totalRappen };
      assert.deepEqual((await report()).total, expected);
      assert.deepEqual(
        (await report("class")).groups.map(({ key, handedOver, handedOverRappen }) => [
          key,
          handedOver,
          handedOverRappen,
        ]),
        [
          ["minibus", 1, minibus?.totalRappen],
          ["van", 1, van?.totalRappen],
        ],
      );
    });
  });

  interface SellOptions {
    readonly quote?: StoredQuote;
    readonly client?: string | null;
    readonly isHandedOver?: boolean;
    readonly isOpened?: boolean;
  }

  async function opened(t: TestContext) {
    const clock = aClock(EVENING);
    const { store, ledger } = await open(t, { clock });
    t.after(() => ledger.close());

    async function sell(id: string, { isHandedOver, isOpened, client = "agent", ...given }: SellOptions) {
      const at = clock.now().toISOString();
      const expiresAt = new Date(clock.now().getTime() + 30 * MINUTE).toISOString();
      const quote = given.quote ?? aQuote({ id: `q_${id}`, issuedAt: at, expiresAt });
      const none = { quote: undefined, record: undefined };
      const isNew = (await store.find(quote.id)) === undefined;
      if (isNew) await store.insert({ ...none, quote, sale: aSale(quote, { at, client }) });
      if (isHandedOver) await store.insert({ ...none, sale: aHandoffSale(quote, { at, client }) });
      if (isOpened) await store.insert({ ...none, sale: anOpeningSale(quote, { at }) });
      return quote;
    }

    const report = (by?: ReportGroup, period: { since?: Date; until?: Date } = {}) =>
      ledger.report({
        since: new Date("2026-11-01T00:00:00Z"),
        until: new Date("2026-12-01T00:00:00Z"),
        now: clock.now(),
        timeZone: "Europe/Zurich",
        by,
        ...period,
      });
    return { store, ledger, clock, sell, report };
  }
}

/** Totals whose sums are those of the first option of `aQuote()`. */
function totals(counts: Partial<SaleTotals> = {}): SaleTotals {
  const { quotes = 0, handedOver = 0, opened = 0, expired = 0 } = counts;
  const each = 98_765;
  return {
    ...{ quotes, handedOver, opened, expired },
    ...{ quotedRappen: quotes * each, handedOverRappen: handedOver * each, openedRappen: opened * each },
  };
}
