import assert from "node:assert/strict";
import { test } from "node:test";
import type { PublicError } from "../../src/contract/errors.ts";
import { aSchema, asking, openStore, proxied, savedSales, withPostgres } from "../support/postgres.ts";
import { anEntry, aQuote, aRecord } from "../support/quote-fixture.ts";
import { aSale } from "../support/sale-fixture.ts";

const entries = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => {
    const entry = anEntry(`${prefix}_${n}`);
    return { ...entry, ...(n % 2 === 0 && { record: undefined }), sale: entry.quote && aSale(entry.quote) };
  });

await withPostgres("saving in groups", () => {
  test("saves entries that arrive together in few statements", async (t) => {
    const { url, proxy } = await proxied(t, await aSchema(t));
    const store = await openStore(t, { url });
    const statements = proxy.counting("save-");
    const together = entries(61, "together");
    assert.deepEqual(new Set(await Promise.all(together.map((entry) => store.insert(entry)))), new Set([undefined]));
    assert.ok(statements() < 30, `${statements()} statements`);
    for (const { quote, record } of together) {
      assert.deepEqual(await store.find(quote?.id ?? ""), quote);
      if (record) assert.deepEqual(await store.findRecord(record.scope), record);
    }
    assert.equal((await savedSales(url)).length, together.length);
  });

  test("rejects of a group only the entry that cannot be saved", async (t) => {
    const url = await aSchema(t);
    const store = await openStore(t, { url });
    await store.insert(anEntry("taken"));
    const good = entries(8, "good");
    const bad = { quote: aQuote({ id: "quote_taken" }), record: aRecord({ scope: "scope_of_the_bad" }) };
    const inserting = [...good.slice(0, 4), bad, ...good.slice(4)].map((entry) => store.insert(entry));
    const outcomes = await Promise.allSettled(inserting);
    assert.deepEqual(
      outcomes.map(({ status }, n) => (status === "rejected" ? n : undefined)).filter((n) => n !== undefined),
      [4],
    );
    for (const { quote } of good) assert.deepEqual(await store.find(quote?.id ?? ""), quote);
    assert.equal(await store.findRecord("scope_of_the_bad"), undefined, "whole or not at all");
  });

  test("saves one of the entries of a group that share a scope, and returns it to the others", async (t) => {
    const store = await openStore(t, { url: await aSchema(t) });
    const sharing = Array.from({ length: 5 }, (_, n) => ({
      quote: aQuote({ id: `quote_${n}` }),
      record: aRecord({ scope: "shared", answer: `{"n":${n}}` }),
    }));
    const answers = await Promise.all(sharing.map((entry) => store.insert(entry)));
    const [winner, ...others] = sharing.filter((_, n) => answers[n] === undefined);
    assert.ok(winner && others.length === 0);
    for (const answer of answers) if (answer) assert.deepEqual(answer, winner.record);
    const stored = await Promise.all(sharing.map(({ quote }) => store.find(quote.id)));
    assert.deepEqual(
      stored.filter((quote) => quote !== undefined),
      [winner.quote],
    );
  });

  for (const when of ["before", "answered"] as const) {
    test(`a connection that breaks ${when === "before" ? "before" : "after"} a group was saved fails all of it`, async (t) => {
      const direct = await aSchema(t);
      const { url, proxy } = await proxied(t, direct);
      const store = await openStore(t, { url });
      proxy.breakAt("save-8-entries", when);
      // Time stands still: the first is sent alone, the others together while it is in flight.
      t.mock.method(performance, "now", () => 0);
      const [alone, ...group] = entries(8, "cut");
      assert.ok(alone);
      const outcomes = await Promise.allSettled([alone, ...group].map((entry) => store.insert(entry)));
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.status === "rejected" ? (outcome.reason as PublicError).code : "saved")),
        ["saved", ...group.map(() => "UPSTREAM_UNAVAILABLE")],
      );
      const [row] = await asking<{ n: number }>(direct, "SELECT count(*)::int AS n FROM transfer_quotes");
      assert.equal(row?.n, when === "before" ? 1 : 8);
      const [held] = group;
      assert.ok(held?.record);
      const expected = when === "before" ? undefined : held.record;
      assert.deepEqual(
        await store.insert({ ...held, quote: aQuote({ id: "quote_again" }), sale: undefined }),
        expected,
      );
    });
  }
});
