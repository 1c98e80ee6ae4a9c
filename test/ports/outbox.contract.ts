import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { EXPIRY_DELAY_MILLISECONDS, expiryOf, type Outbox, type OutboxEvent } from "../../src/domain/sales/outbox.ts";
import type { QuoteStore } from "../../src/domain/sales/quote-store.ts";
import type { SaleEvent } from "../../src/domain/sales/sale-event.ts";
import { aClock, type FakeClock } from "../support/fake-clock.ts";
import { aQuote, aRecord, ISSUED_AT } from "../support/quote-fixture.ts";
import { aHandoffSale, anOpeningSale, aSale } from "../support/sale-fixture.ts";

interface Opened {
  readonly store: QuoteStore;
  readonly outbox: Outbox;
}

const MINUTE = 60_000;
const A = aQuote({ id: "a" });
const ORDER = ["quote.created", "handoff.created", "handoff.opened", "quote.expired"];

/** What every Outbox promises. `open` gives a fresh, empty store with its outbox, and registers its own clean-up on `t`. */
export function outboxContract(name: string, open: (t: TestContext, clock: FakeClock) => Promise<Opened>): void {
  suite(`Outbox contract: ${name}`, () => {
    test("has each event of a sale, every fact unchanged, and the end of its quote when that has come", async (t) => {
      const { outbox, clock, sell, claimAll } = await opened(t);
      await sell("a");
      const created = { ...aSale(aQuote({ id: "a" }), { at: ISSUED_AT }), failures: 0 };
      assert.deepEqual(await claimAll(), [created]);
      await outbox.delivered(created);
      const due = Date.parse(created.expiresAt) + EXPIRY_DELAY_MILLISECONDS;
      clock.set(new Date(due - 1));
      assert.deepEqual(await claimAll(), []);
      clock.set(new Date(due));
      const expired = { ...expiryOf(created), failures: 0 };
      assert.deepEqual(await claimAll(), [expired]);
      assert.notEqual(expired.id, created.id);
      await outbox.delivered(expired);
      clock.advance(48 * 60 * MINUTE);
      assert.deepEqual(await claimAll(), []);
    });

    test("gives the events of one quote in order, each once the one before is delivered or set aside", async (t) => {
      const { outbox, clock, sell, note, claimAll } = await opened(t);
      await sell("a");
      await note(aHandoffSale(A, { at: atMinute(1) }));
      await note(anOpeningSale(A, { at: atMinute(2) }));
      clock.set(atMinute(40));
      for (const [turn, type] of ORDER.entries()) {
        const [next, ...others] = await claimAll();
        assert.deepEqual([next?.type, others], [type, []]);
        assert.deepEqual(await claimAll(), []);
        await outbox[turn === 1 ? "setAside" : "delivered"](next as OutboxEvent);
      }
      assert.deepEqual(await claimAll(), []);
    });

    test("puts a handoff that was checked in time and saved after the expiry before the end of its quote", async (t) => {
      const { clock, sell, note, deliverAll } = await opened(t);
      await sell("a");
      assert.deepEqual(typesOf(await deliverAll()), ["quote.created"]);
      clock.set(new Date(Date.parse(A.expiresAt) + 3_000));
      assert.deepEqual(await deliverAll(), []);
      await note(aHandoffSale(A, { at: new Date(Date.parse(A.expiresAt) - 1).toISOString() }));
      clock.advance(MINUTE);
      assert.deepEqual(typesOf(await deliverAll()), ["handoff.created", "quote.expired"]);
    });

    test("puts a quote first and its end last, however the clocks of processes differ", async (t) => {
      const { clock, sell, note, deliverAll } = await opened(t);
      await sell("a");
      await note(aHandoffSale(A, { at: atMinute(-1) }));
      await note(anOpeningSale(A, { at: atMinute(31) }));
      clock.set(atMinute(31));
      assert.deepEqual(typesOf(await deliverAll()), ORDER);
    });

    test("claims nothing twice before the time is over, also when claims race", async (t) => {
      const { outbox, clock, sell } = await opened(t);
      await Promise.all(["a", "b", "c", "d", "e", "f"].map(sell));
      const until = new Date(clock.now().getTime() + MINUTE);
      const claims = await Promise.all([1, 2, 3, 4].map(() => outbox.claim(3, until)));
      const quotes = quotesOf(claims.flat());
      assert.equal(new Set(quotes).size, quotes.length);
      // A claim that meets another one's may find less than there is.
      quotes.push(...quotesOf(await outbox.claim(6, until)));
      assert.deepEqual(quotes.sort(), ["a", "b", "c", "d", "e", "f"]);
      assert.deepEqual(await outbox.claim(6, until), []);
      clock.set(until);
      assert.equal((await outbox.claim(9, new Date(until.getTime() + MINUTE))).length, 6);
    });

    test("gives at most as many as are asked for, those due longest first", async (t) => {
      const { outbox, clock, sell } = await opened(t);
      for (const id of ["late", "later", "latest"]) {
        await sell(id);
        clock.advance(MINUTE);
      }
      const until = new Date(clock.now().getTime() + MINUTE);
      assert.deepEqual(await outbox.claim(0, until), []);
      for (const [most, id] of [
        [1, "late"],
        [1, "later"],
        [5, "latest"],
      ] as const)
        assert.deepEqual(quotesOf(await outbox.claim(most, until)), [id]);
    });

    test("gives a postponed event again when its time has come, and nothing of its quote before", async (t) => {
      const { outbox, clock, sell, note, claimAll } = await opened(t);
      await sell("a");
      const [event] = await claimAll();
      assert.ok(event);
      await note(aHandoffSale(A, { at: ISSUED_AT }));
      const until = new Date(clock.now().getTime() + 5 * MINUTE);
      await outbox.postpone(event, until);
      clock.set(new Date(until.getTime() - 1));
      assert.deepEqual(await claimAll(), []);
      clock.set(until);
      assert.deepEqual(await claimAll(), [{ ...event, failures: 1 }]);
      await outbox.postpone(event, until);
      const [third] = await claimAll();
      assert.equal(third?.failures, 2);
      await outbox.delivered(event);
      assert.deepEqual(typesOf(await claimAll()), ["handoff.created"]);
    });

    test("has nothing of an entry that is not saved, nor an event twice", async (t) => {
      const { store, sell, note, claimAll, deliverAll } = await opened(t);
      await sell("a");
      await assert.rejects(sell("a"));
      const record = aRecord();
      const handoff = aHandoffSale(A, { at: ISSUED_AT });
      await store.insert({ quote: undefined, record, sale: handoff });
      const quote = aQuote({ id: "b" });
      assert.deepEqual(await store.insert({ quote, record, sale: aSale(quote) }), record);
      await note(handoff);
      const types = (await deliverAll()).map(({ quoteId, type }) => `${quoteId} ${type}`);
      assert.deepEqual(types, ["a quote.created", "a handoff.created"]);
      await note(handoff);
      assert.deepEqual(await claimAll(), [], "what is delivered is not added again");
    });

    test("measures what has happened and is not delivered", async (t) => {
      const { outbox, clock, sell, note, claimAll } = await opened(t);
      assert.deepEqual(await outbox.backlog(), { length: 0, oldestAt: null, setAside: 0 });
      await sell("a");
      clock.advance(MINUTE);
      await sell("b");
      // Saved late: it is the oldest nevertheless.
      await note(aHandoffSale(aQuote({ id: "c" }), { at: atMinute(-1) }));
      assert.deepEqual(await outbox.backlog(), { length: 3, oldestAt: atMinute(-1), setAside: 0 });
      const claimed = await claimAll();
      const [a, b, c] = ["a", "b", "c"].map((id) => claimed.find(({ quoteId }) => quoteId === id));
      assert.ok(a && b && c);
      for (const event of [a, c]) await outbox.delivered(event);
      await outbox.postpone(b, new Date(clock.now().getTime() + MINUTE));
      assert.deepEqual(await outbox.backlog(), { length: 1, oldestAt: b.at, setAside: 0 });
      await outbox.setAside(b);
      assert.deepEqual(await outbox.backlog(), { length: 0, oldestAt: null, setAside: 1 });
    });

    async function opened(t: TestContext) {
      const clock = aClock(ISSUED_AT);
      const parts = await open(t, clock);
      const claimAll = () => parts.outbox.claim(100, new Date(clock.now().getTime() + MINUTE));
      const deliverAll = async () => {
        const delivered: OutboxEvent[] = [];
        for (let events = await claimAll(); events.length > 0; events = await claimAll()) {
          for (const event of events) await parts.outbox.delivered(event);
          delivered.push(...events);
        }
        return delivered;
      };
      const sell = async (id: string) => {
        const at = clock.now();
        const quote = aQuote({ id, expiresAt: new Date(at.getTime() + 30 * MINUTE).toISOString() });
        await parts.store.insert({ quote, record: undefined, sale: aSale(quote, { at: at.toISOString() }) });
      };
      const note = (sale: SaleEvent) => parts.store.insert({ quote: undefined, record: undefined, sale });
      return { ...parts, clock, sell, note, claimAll, deliverAll };
    }
  });
}

function atMinute(minute: number): string {
  return new Date(Date.parse(ISSUED_AT) + minute * MINUTE).toISOString();
}

function typesOf(events: readonly OutboxEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}

function quotesOf(events: readonly OutboxEvent[]): string[] {
  return events.map(({ quoteId }) => quoteId);
}
