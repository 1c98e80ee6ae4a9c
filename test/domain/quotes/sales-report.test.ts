import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { SaleEvent } from "../../../src/domain/sales/sale-event.ts";
import { joinSales, type ReportQuery, reportSales, type SaleTotals } from "../../../src/domain/sales/sales-report.ts";
import { aQuote } from "../../support/quote-fixture.ts";
import { aHandoffSale, anOpeningSale, aSale } from "../../support/sale-fixture.ts";

/** An evening on which the operator's day has ended and that of UTC has not. */
const EVENING = Date.parse("2026-11-20T22:50:00.000Z");
const MINUTE = 60_000;
const QUERY = {
  since: new Date("2026-11-01T00:00:00Z"),
  until: new Date("2026-12-01T00:00:00Z"),
  now: new Date(EVENING),
  timeZone: "Europe/Zurich",
  by: [],
} satisfies ReportQuery;

suite("a report of sales", () => {
  test("counts ten quotes, four handoffs and two openings, with their sums, and what has expired", async () => {
    const events = Array.from({ length: 10 }, (_, n) =>
      aStory(`${n}`, { minute: n, handedOver: n < 4, opened: n < 2 }),
    ).flat();
    const open = totals({ quotes: 10, handedOver: 4, opened: 2 });
    assert.deepEqual((await reportOf(events)).total, open);
    const later = new Date(EVENING + 60 * MINUTE);
    assert.deepEqual((await reportOf(events, { now: later })).total, { ...open, expired: 6 });
  });

  test("counts the quotes of a period with what became of them later, and an event once that is read twice", async () => {
    const stories = [0, 1, 2].map((minute) => aStory(`${minute}`, { minute, handedOver: true, opened: true }));
    const [before = [], own = [], after = []] = stories;
    const events = [...before, ...own.map((event, n) => ({ ...event, at: atMinute(1 + n) })), ...after];
    const period = { since: new Date(atMinute(1)), until: new Date(atMinute(2)) };
    const expected = totals({ quotes: 1, handedOver: 1, opened: 1 });
    assert.deepEqual((await reportOf([...events, ...events], period)).total, expected);
  });

  test("has the days on which nothing was sold, also around a change of the clocks", async () => {
    const period = { since: new Date("2026-10-23T22:00:00Z"), until: new Date("2026-10-26T23:00:00Z") };
    const { groups } = await reportOf([], { by: ["day"], ...period });
    const days = ["2026-10-24", "2026-10-25", "2026-10-26"];
    assert.deepEqual(
      groups,
      days.map((day) => ({ keys: [day], ...totals() })),
    );
  });

  test("groups by two things at once, by local days, those without a client together", async () => {
    const events = [
      ...aStory("a", { minute: 0, handedOver: true }),
      ...[aStory("b", { minute: 0, client: null }), aStory("c", { minute: 1, client: null })].flat(),
      ...[aStory("d", { minute: 20 }), aStory("e", { minute: 20, client: 'b "ü"' })].flat(),
    ];
    const { groups } = await reportOf(events, { by: ["client", "day"] });
    assert.deepEqual(groups, [
      { keys: [null, "2026-11-20"], ...totals({ quotes: 2 }) },
      { keys: ["agent", "2026-11-20"], ...totals({ quotes: 1, handedOver: 1 }) },
      { keys: ["agent", "2026-11-21"], ...totals({ quotes: 1 }) },
      { keys: ['b "ü"', "2026-11-21"], ...totals({ quotes: 1 }) },
    ]);
  });

  test("groups by corridor, or by the ends where there is none", async () => {
    const ends = [
      { corridor: "zurich-to-bern", origin: "zurich", destination: "bern" },
      { corridor: null, origin: "zurich", destination: null },
      { corridor: null, origin: null, destination: null },
    ];
    const events = ends.map((each, n) =>
      aSale(aQuote({ id: `q_${n}`, ends: { ...each, stops: [] } }), { at: atMinute(0) }),
    );
    const { groups } = await reportOf(events, { by: ["corridor"] });
    assert.equal(
      groups
        .map(({ keys, quotes }) => `${keys} ${quotes}`)
        .sort()
        .join(),
      "? > ? 1,zurich > ? 1,zurich-to-bern 1",
    );
  });

  test("counts a quote once that is handed over in two classes, with the total of the last", async () => {
    const [created, handoff] = aStory("a", { handedOver: true });
    assert.ok(created && handoff);
    const [, other] = created.options;
    const second = { ...handoff, id: "evt_other", options: created.options.slice(1), at: atMinute(1) };
    const expected = { ...totals({ quotes: 1, handedOver: 1 }), handedOverRappen: other?.totalRappen };
    assert.deepEqual((await reportOf([created, handoff, second])).total, expected);
  });

  test("counts what was paid in the class that was paid or, without a link, asked for", async () => {
    const [created, handoff] = aStory("a", { handedOver: true });
    assert.ok(created && handoff);
    const [first, other] = created.options.map((option) => ({ ...handoff, options: [option] }));
    assert.ok(first && other);
    const paidRappen = first.options[0]?.totalRappen ?? 0;
    for (const steps of [[first, other], [{ ...first, type: "handoff.requested" as const }]]) {
      const payment = { paidAt: "2026-12-01", paidRappen, rappen: paidRappen };
      const sale = { created, steps, payment };
      async function* sales() {
        yield sale;
      }
      const { groups } = await reportSales(sales(), { ...QUERY, by: ["class"] });
      const sold = groups.filter((each) => each.sold === 1).map(({ keys, soldRappen }) => [...keys, soldRappen]);
      assert.deepEqual(sold, [[first.options[0]?.vehicleClass, paidRappen]]);
    }
  });

  test("returns sales in the order of their creation, once nothing more can happen to them", async () => {
    const events = Array.from({ length: 50 }, (_, n) => aStory(`${n}`, { minute: 10 * n })).flat();
    let [read, mostOpen] = [0, 0];
    const source = {
      async *events() {
        for (const event of events) {
          read += 1;
          yield [event];
        }
      },
    };
    const ids: string[] = [];
    for await (const { created } of joinSales(source, QUERY)) {
      ids.push(created.quoteId);
      if (read < events.length) mostOpen = Math.max(mostOpen, read - ids.length);
    }
    assert.deepEqual(ids.join(), events.map(({ quoteId }) => quoteId).join());
    assert.ok(mostOpen > 0 && mostOpen < 20, `${mostOpen} are open`);
  });
});

interface StoryOptions {
  readonly minute?: number;
  readonly client?: string | null;
  readonly handedOver?: boolean;
  readonly opened?: boolean;
}

/** The events of a quote that is created at a minute after `EVENING`. */
function aStory(id: string, { minute = 0, client = "agent", handedOver, opened }: StoryOptions): readonly SaleEvent[] {
  const at = atMinute(minute);
  const quote = aQuote({ id: `q_${id}`, issuedAt: at, expiresAt: atMinute(minute + 30) });
  return [
    aSale(quote, { at, client }),
    ...(handedOver ? [aHandoffSale(quote, { at, client })] : []),
    ...(opened ? [anOpeningSale(quote, { at })] : []),
  ];
}

function atMinute(minute: number): string {
  return new Date(EVENING + minute * MINUTE).toISOString();
}

/** The events as a store returns them: of the period that is asked for, in two batches. */
function sourceOf(events: readonly SaleEvent[]) {
  return {
    async *events({ since, until }: Pick<ReportQuery, "since" | "until">) {
      const found = events.filter(({ at }) => new Date(at) >= since && new Date(at) < until);
      yield found.slice(0, 3);
      yield found.slice(3);
    },
  };
}

function reportOf(events: readonly SaleEvent[], overrides: Partial<ReportQuery> = {}) {
  const query = { ...QUERY, ...overrides };
  return reportSales(joinSales(sourceOf(events), query), query);
}

/** Totals whose sums are those of the first option of `aQuote()`. */
function totals(counts: Partial<SaleTotals> = {}): SaleTotals {
  const { quotes = 0, requested = 0, handedOver = 0, opened = 0, expired = 0 } = counts;
  const each = 98_765;
  return {
    ...{ quotes, requested, handedOver, opened, expired, sold: 0, soldRappen: 0, commissionRappen: 0 },
    ...{ quotedRappen: quotes * each, handedOverRappen: handedOver * each, openedRappen: opened * each },
  };
}
