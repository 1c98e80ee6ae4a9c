import assert from "node:assert/strict";
import { test } from "node:test";
import { openPostgresLedger } from "../../src/quotes/postgres/postgres-ledger.ts";
import { ledgerContract } from "../ports/ledger.contract.ts";
import { aSchema, openStore, withPostgres } from "../support/postgres.ts";

await withPostgres("PostgreSQL ledger", () => {
  ledgerContract("PostgreSQL", async (t, { clock }) => {
    const url = await aSchema(t);
    return { store: await openStore(t, { url, clock }), ledger: openPostgresLedger(url) };
  });

  test("says in a line why a database has no ledger to report", async (t) => {
    const query = { since: new Date(0), until: new Date(1), now: new Date(1), timeZone: "UTC", by: undefined };
    const expected = [
      [await aSchema(t), /^TRANSFER_DATABASE_URL: the database has no ledger of this version yet; start the server/],
      ["postgres://nobody@127.0.0.1:1/none", /^TRANSFER_DATABASE_URL: the database cannot be used: .*ECONNREFUSED/],
    ] as const;
    for (const [url, message] of expected) {
      const ledger = openPostgresLedger(url);
      t.after(() => ledger.close());
      await assert.rejects(ledger.report(query), { name: "UnusableDatabase", message });
      await assert.rejects(ledger.counts("2026-11-20", "2026-11-21"), { name: "UnusableDatabase", message });
    }
  });
});
