import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { openLowdbSales } from "../stores/lowdb/lowdb-sales.ts";
import type { Sales } from "../stores/sales.ts";

/** The sales of the processes with these settings, to be read beside them. Throws ConfigError where none has run. */
export async function openSales({ databaseUrl, dataDir }: Config): Promise<Sales> {
  if (databaseUrl !== undefined) {
    const { openPostgresSales } = await import("../stores/postgres/postgres-sales.ts");
    return openPostgresSales(databaseUrl);
  }
  const parent = join(dataDir, "quotes");
  const folders = entriesOf(parent, dataDir).flatMap((entry) => (entry.isFile() ? [] : [join(parent, entry.name)]));
  return openLowdbSales(folders);
}

/** The folders of the server and of each process that served over stdio. */
function entriesOf(parent: string, dataDir: string): readonly Dirent[] {
  try {
    return readdirSync(parent, { withFileTypes: true });
  } catch (cause) {
    const fault = `TRANSFER_DATA_DIR is ${dataDir}; no server has stored quotes there`;
    throw new ConfigError(`${fault}; allowed: the data folder of a server, also with --data`, { cause });
  }
}
