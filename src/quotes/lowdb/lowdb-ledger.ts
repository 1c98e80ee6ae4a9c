import { existsSync } from "node:fs";
import { summed } from "../../ledger/day-counts.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { reportSales } from "../../ledger/report-sales.ts";
import { countsBetween } from "./count-files.ts";
import { createLedgerFolder } from "./ledger-folder.ts";

/** The ledgers of folders. Only reads, so that it can run beside the process that writes them. */
export function openLowdbLedger(folders: readonly string[]): Ledger {
  const existing = () => folders.filter(existsSync);
  return {
    report: (query) =>
      reportSales(
        query,
        existing().map((folder) => createLedgerFolder(folder)),
      ),
    counts: async (from, to) => summed(existing().flatMap((folder) => countsBetween(folder, from, to))),
    close: async () => {},
  };
}
