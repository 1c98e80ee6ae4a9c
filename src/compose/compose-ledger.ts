import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import type { Ledger } from "../ledger/ledger.ts";

/** The ledger that the processes with these settings keep, to be read beside them. Throws ConfigError where none has run. */
export async function openLedger({ databaseUrl, dataDir }: Config): Promise<Ledger> {
  if (databaseUrl !== undefined) {
    const { openPostgresLedger } = await import("../quotes/postgres/postgres-ledger.ts");
    return openPostgresLedger(databaseUrl);
  }
  const { openLowdbLedger } = await import("../quotes/lowdb/lowdb-ledger.ts");
  const parent = join(dataDir, "quotes");
  const folders = entriesOf(parent, dataDir).flatMap((entry) => (entry.isFile() ? [] : [join(parent, entry.name)]));
  return openLowdbLedger(folders);
}

/** Of the server, and of each process that served over stdio. */
function entriesOf(parent: string, dataDir: string): readonly Dirent[] {
  try {
    return readdirSync(parent, { withFileTypes: true });
  } catch (cause) {
    const fault = `TRANSFER_DATA_DIR is ${dataDir}; no server has stored quotes there`;
    throw new ConfigError(`${fault}; allowed: the data folder of a server, also with --data`, { cause });
  }
}
