import { openLowdbSales } from "../../src/stores/lowdb/lowdb-sales.ts";
import { salesContract } from "../ports/sales.contract.ts";
import { openStore } from "../support/lowdb-store.ts";
import { aFolder } from "../support/temporary-folder.ts";

salesContract("lowdb", async (t, { clock }) => {
  const folder = aFolder(t);
  return { store: await openStore(t, { folder, clock, ledgerDays: 400 }), sales: openLowdbSales([folder]) };
});
