import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { Clock } from "../../src/ops/clock.ts";
import { anEntry, aQuote, aRecord, ISSUED_AT, purgedFrom } from "../support/quote-fixture.ts";
import { type OpenedStore, savedSalesContract } from "./saved-sales.contract.ts";

/** Names that every object has, and others that a store might trip over. */
const ODD_NAMES = ["constructor", "__proto__", "toString", "", "*", "%", "'; drop table quotes; --", "\u0000"];

/** What every QuoteStore promises. `open` gives a fresh, empty store and registers its own clean-up on `t`. */
export function quoteStoreContract(
  name: string,
  open: (t: TestContext, parts: { readonly clock: Clock }) => Promise<OpenedStore>,
): void {
  suite(`QuoteStore contract: ${name}`, () => {
    savedSalesContract(opened);

    test("finds what was inserted, every field unchanged", async (t) => {
      const { store } = await opened(t);
      assert.equal(await store.insert({ quote: aQuote(), record: aRecord() }), undefined);
      assert.deepEqual(await store.find(aQuote().id), aQuote());
      assert.deepEqual(await store.findRecord(aRecord().scope), aRecord());
    });

    test("keeps an answer byte for byte", async (t) => {
      const { store } = await opened(t);
      const answer = '{ "b":1.50,\r\n"a" : "\\u00fc ü \u{1f695}" , "b": 2}';
      await store.insert({ quote: undefined, record: aRecord({ answer }) });
      assert.equal((await store.findRecord(aRecord().scope))?.answer, answer);
    });

    test("returns undefined for unknown ids and scopes, whatever their name", async (t) => {
      const { store } = await opened(t);
      for (const name of [aQuote().id, ...ODD_NAMES]) {
        assert.equal(await store.find(name), undefined);
        assert.equal(await store.findRecord(name), undefined);
      }
    });

    test("rejects a second quote of one id and keeps the first", async (t) => {
      const { store } = await opened(t);
      await store.insert({ quote: aQuote(), record: undefined });
      const second = { quote: aQuote({ origin: "Bern" }), record: aRecord() };
      await assert.rejects(store.insert(second));
      assert.deepEqual(await store.find(aQuote().id), aQuote());
      assert.equal(await store.findRecord(aRecord().scope), undefined, "nothing of a rejected entry is kept");
    });

    test("saves one of two quotes of one id that arrive together", async (t) => {
      const { store } = await opened(t);
      const quotes = [aQuote(), aQuote({ origin: "Bern" })];
      const outcomes = await Promise.allSettled(quotes.map((quote) => store.insert({ quote, record: undefined })));
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      const won = quotes[outcomes.findIndex(({ status }) => status === "fulfilled")];
      assert.deepEqual(await store.find(aQuote().id), won);
    });

    test("returns the record that holds a scope and saves nothing", async (t) => {
      const { store } = await opened(t);
      await store.insert({ quote: aQuote(), record: aRecord() });
      const late = { quote: aQuote({ id: "quote_late" }), record: aRecord({ answer: "{}", fingerprint: "other" }) };
      assert.deepEqual(await store.insert(late), aRecord());
      assert.equal(await store.find("quote_late"), undefined);
      assert.deepEqual(await store.findRecord(aRecord().scope), aRecord());
    });

    test("accepts exactly one of ten concurrent entries of one scope", async (t) => {
      const { store } = await opened(t);
      const entries = Array.from({ length: 10 }, (_, n) => ({
        quote: aQuote({ id: `quote_${n}` }),
        record: aRecord({ answer: `{"quote_id":"quote_${n}"}` }),
      }));
      const answers = await Promise.all(entries.map((entry) => store.insert(entry)));
      const winners = entries.filter((_, n) => answers[n] === undefined);
      assert.equal(winners.length, 1);
      for (const answer of answers) if (answer) assert.deepEqual(answer, winners[0]?.record);
      const found = await Promise.all(entries.map(({ quote }) => store.find(quote.id)));
      assert.deepEqual(
        found.filter((quote) => quote !== undefined),
        [winners[0]?.quote],
      );
    });

    test("finds a quote until 24 hours past its expiry, to the millisecond", async (t) => {
      const { store, setNow } = await opened(t);
      await store.insert({ quote: aQuote(), record: undefined });
      const purged = purgedFrom(aQuote().expiresAt);
      setNow(new Date(aQuote().expiresAt));
      assert.deepEqual(await store.find(aQuote().id), aQuote(), "an expired quote reads back");
      setNow(new Date(purged.getTime() - 1));
      assert.deepEqual(await store.find(aQuote().id), aQuote());
      setNow(purged);
      assert.equal(await store.find(aQuote().id), undefined);
    });

    test("finds a record until 24 hours past its creation, to the millisecond", async (t) => {
      const { store, setNow } = await opened(t);
      await store.insert({ quote: aQuote(), record: aRecord() });
      const purged = purgedFrom(aRecord().createdAt);
      setNow(new Date(purged.getTime() - 1));
      assert.deepEqual(await store.findRecord(aRecord().scope), aRecord());
      setNow(purged);
      assert.equal(await store.findRecord(aRecord().scope), undefined);
      assert.deepEqual(await store.find(aQuote().id), aQuote(), "its quote outlives it by the half hour");
    });

    test("frees a scope after 24 hours, and not before", async (t) => {
      const { store, setNow } = await opened(t);
      await store.insert({ quote: undefined, record: aRecord() });
      const purged = purgedFrom(aRecord().createdAt);
      setNow(new Date(purged.getTime() - 1));
      const next = aRecord({ answer: '{"next":true}', createdAt: purged.toISOString() });
      assert.deepEqual(await store.insert({ quote: undefined, record: next }), aRecord());
      setNow(purged);
      assert.equal(await store.insert({ quote: undefined, record: next }), undefined);
      assert.deepEqual(await store.findRecord(aRecord().scope), next);
    });

    test("keeps big entries whole", async (t) => {
      const { store } = await opened(t);
      const big = "Zürich-\u{1f695}\n".repeat(100_000);
      const entries = [1, 2, 3].map((n) => ({
        quote: aQuote({ id: `quote_${n}`, limitations: [big, String(n)] }),
        record: aRecord({ scope: `scope_${n}`, answer: JSON.stringify({ n, big }) }),
      }));
      await Promise.all(entries.map((entry) => store.insert(entry)));
      for (const { quote, record } of entries) {
        assert.deepEqual(await store.find(quote.id), quote);
        assert.deepEqual(await store.findRecord(record.scope), record);
      }
    });

    test("finishes calls in flight when it closes, and rejects later ones", async (t) => {
      const { store } = await opened(t);
      const answers: unknown[] = [];
      const inFlight = Array.from({ length: 300 }, async (_, n) => {
        answers.push(await store.insert(anEntry(`n${n}`)));
      });
      const closed = store.close();
      await assert.rejects(store.insert(anEntry("late")), "while it closes");
      await closed;
      assert.equal(answers.length, inFlight.length);
      assert.deepEqual(new Set(answers), new Set([undefined]));
      await assert.rejects(store.insert(anEntry("later")));
      await assert.rejects(store.find("quote_n1"));
      await assert.rejects(store.findRecord("scope_n1"));
      await assert.rejects(store.ping());
    });
  });

  async function opened(t: TestContext) {
    let now = new Date(ISSUED_AT);
    const { store, sales } = await open(t, { clock: { now: () => now } });
    const setNow = (instant: Date) => {
      now = instant;
    };
    return { store, sales, setNow };
  }
}
