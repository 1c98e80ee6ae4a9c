import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Ledger } from "../ledger/ledger.ts";

/** The ledger that the processes with these settings keep, to be read beside them. */
export async function openLedger({ databaseUrl, dataDir }: Config): Promise<Ledger> {
  if (databaseUrl !== undefined) {
    const { openPostgresLedger } = await import("../quotes/postgres/postgres-ledger.ts");
    return openPostgresLedger(databaseUrl);
  }
  const { openLowdbLedger } = await import("../quotes/lowdb/lowdb-ledger.ts");
  const parent = join(dataDir, "quotes");
  // One of the server, and one of each process that served over stdio.
  const entries = existsSync(parent) ? readdirSync(parent, { withFileTypes: true }) : [];
  return openLowdbLedger(entries.flatMap((entry) => (entry.isFile() ? [] : [join(parent, entry.name)])));
}
