import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { StoredQuote } from "../../src/domain/quotes/quote.ts";
import type { QuoteStore } from "../../src/domain/sales/quote-store.ts";
import type { SaleEvent } from "../../src/domain/sales/sale-event.ts";
import type { Clock } from "../../src/ops/clock.ts";
import { HOUR } from "../../src/ops/durations.ts";
import { aClock } from "../support/fake-clock.ts";
import { anEntry, aQuote, aRecord, ISSUED_AT, purgedFrom } from "../support/quote-fixture.ts";
import { releases, storedQuotesOf } from "../support/released-data.ts";
import { aHandoffSale, anOpeningSale, aSale, sortedById } from "../support/sale-fixture.ts";

/** A store, and the events that it has saved, in any order. */
interface OpenedStore {
  readonly store: QuoteStore;
  readonly sales: () => Promise<readonly SaleEvent[]>;
}

/** Names that every object has, and others that a store might trip over. */
const ODD_NAMES = ["constructor", "__proto__", "toString", "", "*", "%", "'; drop table quotes; --", "\u0000"];

/** What every QuoteStore promises. `open` gives a fresh, empty store and registers its own clean-up on `t`. */
export function quoteStoreContract(
  name: string,
  open: (t: TestContext, parts: { readonly clock: Clock }) => Promise<OpenedStore>,
): void {
  suite(`QuoteStore contract: ${name}`, () => {
    test("finds what was inserted, every field unchanged, an answer byte for byte", async (t) => {
      const { store } = await opened(t);
      const record = aRecord({ answer: '{ "b":1.50,\r\n"a" : "\\u00fc ü \u{1f695}" , "b": 2}' });
      assert.equal(await store.insert({ quote: aQuote(), record }), undefined);
      assert.deepEqual(await store.find(aQuote().id), aQuote());
      assert.deepEqual(await store.findRecord(record.keyHash), record);
    });

    for (const release of releases) {
      test(`reads quotes that a release has stored, with a default for each later field: ${release}`, async (t) => {
        const { store } = await opened(t);
        for (const kept of storedQuotesOf(release)) {
          await store.insert({ quote: kept, record: undefined });
          const found = await store.find(kept.id);
          assert.deepEqual({ ...found, ...kept }, found, "what was stored is unchanged");
          const missing = missingIn(found, aQuote()).filter((path) => !path.includes(".values."));
          assert.deepEqual(missing, [], "fields without a default in src/domain/quotes/quote.ts");
        }
      });
    }

    test("rejects what is stored as a quote and is none", async (t) => {
      const { store } = await opened(t);
      const { id, expiresAt } = aQuote();
      await store.insert({ quote: { id, expiresAt } as StoredQuote, record: undefined });
      await assert.rejects(store.find(id), { code: "UPSTREAM_UNAVAILABLE" });
    });

    test("saves events with quote and record, with either, and alone, every field unchanged", async (t) => {
      const { store, sales } = await opened(t);
      const plain = aQuote({
        id: "quote_plain",
        ends: { corridor: null, origin: null, destination: null, stops: [null] },
      });
      const events = [aSale(), aSale(plain, { client: null }), aHandoffSale(), anOpeningSale()];
      const [first, second, handoff, opening] = events;
      await store.insert({ quote: aQuote(), record: aRecord(), sale: first });
      await store.insert({ quote: plain, record: undefined, sale: second });
      await store.insert({ quote: undefined, record: aRecord({ keyHash: "handoff" }), sale: handoff });
      await store.insert({ quote: undefined, record: undefined, sale: opening });
      assert.deepEqual(await store.find(aQuote().id), aQuote());
      assert.deepEqual(sortedById(await sales()), sortedById(events));
    });

    test("keeps the first event of an id, and the rest of the entry of a second", async (t) => {
      const { store, sales } = await opened(t);
      await store.insert({ quote: undefined, record: aRecord(), sale: aHandoffSale() });
      const later = { at: "2026-11-20T10:50:00.000Z", client: "other" };
      const again = aHandoffSale(aQuote(), later);
      assert.equal(await store.insert({ quote: undefined, record: aRecord({ keyHash: "b" }), sale: again }), undefined);
      for (const sale of [again, anOpeningSale(), anOpeningSale(aQuote(), later)])
        assert.equal(await store.insert({ quote: undefined, record: undefined, sale }), undefined);
      assert.deepEqual(await store.findRecord("b"), aRecord({ keyHash: "b" }));
      assert.deepEqual(sortedById(await sales()), sortedById([aHandoffSale(), anOpeningSale()]));
    });

    test("saves one of ten events of one id that arrive together, and every record", async (t) => {
      const { store, sales } = await opened(t);
      const records = Array.from({ length: 10 }, (_, n) => aRecord({ keyHash: `key_hash_${n}` }));
      const entries = records.map((record) => ({ quote: undefined, record, sale: aHandoffSale() }));
      assert.deepEqual(new Set(await Promise.all(entries.map((entry) => store.insert(entry)))), new Set([undefined]));
      for (const record of records) assert.deepEqual(await store.findRecord(record.keyHash), record);
      assert.deepEqual(await sales(), [aHandoffSale()]);
    });

    test("returns undefined for unknown ids and scopes, whatever their name", async (t) => {
      const { store } = await opened(t);
      for (const name of [aQuote().id, ...ODD_NAMES]) {
        assert.equal(await store.find(name), undefined);
        assert.equal(await store.findRecord(name), undefined);
      }
    });

    test("rejects a second quote of one id, keeps the first and saves nothing else", async (t) => {
      const { store, sales } = await opened(t);
      await store.insert({ quote: aQuote(), record: undefined });
      const second = { quote: aQuote({ origin: "Bern" }), record: aRecord(), sale: aHandoffSale() };
      await assert.rejects(store.insert(second));
      assert.deepEqual(await store.find(aQuote().id), aQuote());
      assert.equal(await store.findRecord(aRecord().keyHash), undefined);
      assert.deepEqual(await sales(), []);
    });

    test("saves one of two quotes of one id that arrive together", async (t) => {
      const { store } = await opened(t);
      const quotes = [aQuote(), aQuote({ origin: "Bern" })];
      const outcomes = await Promise.allSettled(quotes.map((quote) => store.insert({ quote, record: undefined })));
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      const won = quotes[outcomes.findIndex(({ status }) => status === "fulfilled")];
      assert.deepEqual(await store.find(aQuote().id), won);
    });

    test("returns the record that holds a key and saves nothing: no quote, no record, no event", async (t) => {
      const { store, sales } = await opened(t);
      await store.insert({ quote: aQuote(), record: aRecord(), sale: aSale() });
      const quote = aQuote({ id: "quote_late" });
      const late = { quote, record: aRecord({ answer: "{}", requestHash: "other" }), sale: aSale(quote) };
      assert.deepEqual(await store.insert(late), aRecord());
      assert.equal(await store.find("quote_late"), undefined);
      assert.deepEqual(await store.findRecord(aRecord().keyHash), aRecord());
      assert.deepEqual(await store.insert({ quote: undefined, record: aRecord(), sale: aHandoffSale() }), aRecord());
      assert.deepEqual(await sales(), [aSale()]);
    });

    test("accepts exactly one of ten concurrent entries of one key", async (t) => {
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

    test("finds a quote until 24 hours past its expiry and a record past its creation, to the millisecond", async (t) => {
      const { store, clock } = await opened(t);
      await store.insert({ quote: aQuote(), record: aRecord() });
      const before = (instant: string) => new Date(purgedFrom(instant).getTime() - 1);
      clock.set(before(ISSUED_AT));
      assert.deepEqual(await store.findRecord(aRecord().keyHash), aRecord());
      clock.set(purgedFrom(ISSUED_AT));
      assert.equal(await store.findRecord(aRecord().keyHash), undefined);
      clock.set(before(aQuote().expiresAt));
      assert.deepEqual(await store.find(aQuote().id), aQuote(), "an expired quote reads back");
      clock.set(purgedFrom(aQuote().expiresAt));
      assert.equal(await store.find(aQuote().id), undefined);
    });

    test("finds a quote as it was replaced, until 24 hours past its new expiry", async (t) => {
      const { store, clock } = await opened(t);
      const quote = aQuote();
      await store.insert({ quote, record: undefined });
      clock.set(new Date(Date.parse(quote.expiresAt) + HOUR));
      const replaced = { ...quote, expiresAt: new Date(Date.parse(quote.expiresAt) + 12 * HOUR).toISOString() };
      await store.replace(replaced);
      assert.deepEqual(await store.find(quote.id), replaced);
      await assert.rejects(store.insert({ quote, record: undefined }), { code: "UPSTREAM_UNAVAILABLE" });
      clock.set(new Date(Date.parse(replaced.expiresAt) + 24 * HOUR - 1));
      assert.deepEqual(await store.find(quote.id), replaced);
      clock.advance(1);
      assert.equal(await store.find(quote.id), undefined);
    });

    test("frees a key after 24 hours, and not before", async (t) => {
      const { store, clock } = await opened(t);
      await store.insert({ quote: undefined, record: aRecord() });
      const purged = purgedFrom(aRecord().createdAt);
      clock.set(new Date(purged.getTime() - 1));
      const next = aRecord({ answer: '{"next":true}', createdAt: purged.toISOString() });
      assert.deepEqual(await store.insert({ quote: undefined, record: next }), aRecord());
      clock.set(purged);
      assert.equal(await store.insert({ quote: undefined, record: next }), undefined);
      assert.deepEqual(await store.findRecord(aRecord().keyHash), next);
    });

    test("keeps big entries whole", async (t) => {
      const { store } = await opened(t);
      const big = "Zürich-\u{1f695}\n".repeat(100_000);
      const entries = [1, 2, 3].map((n) => ({
        quote: aQuote({ id: `quote_${n}`, destination: big }),
        record: aRecord({ keyHash: `key_hash_${n}`, answer: JSON.stringify({ n, big }) }),
      }));
      await Promise.all(entries.map((entry) => store.insert(entry)));
      for (const { quote, record } of entries) {
        assert.deepEqual(await store.find(quote.id), quote);
        assert.deepEqual(await store.findRecord(record.keyHash), record);
      }
    });

    test("finishes calls in flight when it closes, and rejects later ones", async (t) => {
      const { store } = await opened(t);
      const answers: unknown[] = [];
      const inFlight = Array.from({ length: 60 }, async (_, n) => {
        answers.push(await store.insert(anEntry(`n${n}`)));
      });
      const closed = store.close();
      await assert.rejects(store.insert(anEntry("late")), "while it closes");
      await closed;
      assert.equal(answers.length, inFlight.length);
      assert.deepEqual(new Set(answers), new Set([undefined]));
      const later = [
        store.insert(anEntry("later")),
        store.find("quote_n1"),
        store.findRecord("key_hash_n1"),
        store.ping(),
      ];
      await Promise.all(later.map((call) => assert.rejects(call)));
    });
  });

  async function opened(t: TestContext) {
    const clock = aClock(ISSUED_AT);
    return { ...(await open(t, { clock })), clock };
  }
}

/** Paths of the fields of `whole` that a value lacks; of a list, those of its first item. */
function missingIn(value: unknown, whole: unknown, path = ""): readonly string[] {
  if (Object(value) !== value || Object(whole) !== whole) return [];
  if (Array.isArray(whole)) return Array.isArray(value) ? missingIn(value[0], whole[0], `${path}[0]`) : [path];
  return Object.entries(whole as object).flatMap(([name, inner]) =>
    name in Object(value) ? missingIn(Object(value)[name], inner, `${path}.${name}`) : [`${path}.${name}`],
  );
}
