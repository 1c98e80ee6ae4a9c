import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENTS_OF, openPostgresSales } from "../../../src/adapters/stores/postgres/postgres-sales.ts";
import { expiryOf } from "../../../src/domain/sales/outbox.ts";
import { outboxContract } from "../../ports/outbox.contract.ts";
import { salesContract } from "../../ports/sales.contract.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aSchema, asking, openStore, purge, withPostgres } from "../../support/postgres.ts";
import { aQuote, ISSUED_AT } from "../../support/quote-fixture.ts";
import { aHandoffSale, aSale } from "../../support/sale-fixture.ts";

const MINUTE = 60_000;

await withPostgres("PostgreSQL outbox", () => {
  outboxContract("PostgreSQL", async (t, clock) => {
    const store = await openStore(t, { url: await aSchema(t), clock, fillsOutbox: true });
    assert.ok(store.outbox);
    return { store, outbox: store.outbox };
  });

  test("several processes share the events: each is claimed by one", async (t) => {
    const url = await aSchema(t);
    const stores = await Promise.all([1, 2, 3].map(() => openStore(t, { url, fillsOutbox: true })));
    const ids = Array.from({ length: 60 }, (_, n) => `q${n}`);
    const sales = ids.map((id) => ({ quote: aQuote({ id }), sale: aSale(aQuote({ id }), { at: ISSUED_AT }) }));
    await Promise.all(sales.map((each, n) => stores[n % 3]?.insert({ ...each, record: undefined })));
    const until = new Date(Date.parse(ISSUED_AT) + MINUTE);
    const claimed: string[] = [];
    for (let round = 0; round < 30 && claimed.length < ids.length; round += 1) {
      const rounds = await Promise.all(stores.map(({ outbox }) => outbox?.claim(4, until)));
      claimed.push(...rounds.flatMap((events = []) => events.map(({ quoteId }) => quoteId)));
    }
    assert.deepEqual(claimed.sort(), ids.sort());
  });

  test("without events nothing is written for them", async (t) => {
    const url = await aSchema(t);
    const store = await openStore(t, { url });
    const quote = aQuote();
    await store.insert({ quote, record: undefined, sale: aSale(quote) });
    assert.equal(store.outbox, undefined);
    assert.deepEqual(await asking(url, "SELECT id FROM transfer_outbox"), []);
  });

  test("a sale is kept while one of its events waits, however old it is", async (t) => {
    const url = await aSchema(t);
    const clock = aClock(ISSUED_AT);
    const store = await openStore(t, { url, clock, fillsOutbox: true, ledgerDays: 0 });
    const sale = aHandoffSale(aQuote(), { at: ISSUED_AT });
    await store.insert({ quote: undefined, record: undefined, sale });
    clock.advance(48 * 60 * MINUTE);
    await purge(url, { ledgerDays: 0, clock });
    const [event] = (await store.outbox?.claim(1, clock.now())) ?? [];
    assert.ok(event);
    assert.deepEqual(event, { ...sale, failures: 0 });
    await store.outbox?.delivered(event);
    await purge(url, { ledgerDays: 0, clock });
    assert.deepEqual(await asking(url, "SELECT id FROM transfer_sales"), []);
  });
});

await withPostgres("PostgreSQL sales", () => {
  salesContract("PostgreSQL", async (t, { clock }) => {
    const url = await aSchema(t);
    return { store: await openStore(t, { url, clock }), sales: openPostgresSales(url) };
  });

  test("finds the events of a quote by each of its names, with indexes alone", async (t) => {
    const url = await aSchema(t);
    const store = await openStore(t, { url });
    const [created, handoff] = [
      aSale(),
      aHandoffSale(aQuote(), { requestId: "req_2", at: "2026-11-20T10:59:00.000Z" }),
    ];
    for (const sale of [created, handoff]) await store.insert({ quote: undefined, record: undefined, sale });
    await asking(
      url,
      `INSERT INTO transfer_sales (id, quote_id, request_id, occurred_at, sale)
       SELECT 'e' || n, 'q' || n, 'r' || n, now(), '{}' FROM generate_series(1, 20000) AS n`,
    );
    const sales = openPostgresSales(url);
    t.after(() => sales.close());
    for (const name of [created.quoteId, created.requestId, handoff.requestId, handoff.id, expiryOf(created).id]) {
      assert.deepEqual(await sales.eventsOf(name), [created, handoff], name);
    }
    assert.deepEqual(await sales.eventsOf("unknown"), []);
    await asking(url, "ANALYZE transfer_sales");
    const plan = await asking(url, `EXPLAIN ${EVENTS_OF}`, ["r77", "r77"]);
    assert.doesNotMatch(JSON.stringify(plan), /Seq Scan/);
  });

  test("says in a line why a database has no sales to read", async (t) => {
    const expected = [
      [await aSchema(t), /^TRANSFER_DATABASE_URL: the database has no tables of this version yet; start the server/],
      ["postgres://nobody@127.0.0.1:1/none", /^TRANSFER_DATABASE_URL: the database cannot be used: .*ECONNREFUSED/],
    ] as const;
    for (const [url, message] of expected) {
      const sales = openPostgresSales(url);
      t.after(() => sales.close());
      const events = sales.events({ since: new Date(0), until: new Date(1) })[Symbol.asyncIterator]();
      await assert.rejects(events.next(), { name: "UnusableStorage", message });
    }
  });
});
