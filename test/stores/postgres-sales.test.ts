import assert from "node:assert/strict";
import { test } from "node:test";
import { openPostgresSales } from "../../src/stores/postgres/postgres-sales.ts";
import { salesContract } from "../ports/sales.contract.ts";
import { aSchema, openStore, withPostgres } from "../support/postgres.ts";

await withPostgres("PostgreSQL sales", () => {
  salesContract("PostgreSQL", async (t, { clock }) => {
    const url = await aSchema(t);
    return { store: await openStore(t, { url, clock }), sales: openPostgresSales(url) };
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
