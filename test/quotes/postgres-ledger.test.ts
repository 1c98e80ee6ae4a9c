import { openPostgresLedger } from "../../src/quotes/postgres/postgres-ledger.ts";
import { ledgerContract } from "../ports/ledger.contract.ts";
import { aSchema, openStore, withPostgres } from "../support/postgres.ts";

await withPostgres("PostgreSQL ledger", () => {
  ledgerContract("PostgreSQL", async (t, { clock }) => {
    const url = await aSchema(t);
    return { store: await openStore(t, { url, clock }), ledger: openPostgresLedger(url) };
  });
});
