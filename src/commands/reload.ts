import type { Config } from "../config/config.ts";
import { defineCommand } from "./command.ts";
import { reloadAll } from "./control.ts";

/** The `reload` command: exits with 1 where a server keeps its old catalog, and where none is there to be asked. */
async function run({ dataDir }: Config): Promise<number> {
  const answers = await reloadAll(dataDir);
  if (answers.length === 0) {
    process.stderr.write(`no server uses the data folder ${dataDir}; give reload the same --data as the server\n`);
    return 1;
  }
  for (const { pid, version, tariffVersion, mistake, warnings = [] } of answers) {
    const inUse = `catalog ${version} (tariff ${tariffVersion})`;
    if (mistake === undefined) process.stdout.write(`process ${pid} uses ${inUse}\n`);
    else process.stderr.write(`process ${pid} keeps ${inUse}: ${mistake}\n`);
    for (const warning of warnings) process.stderr.write(`process ${pid} warns: ${warning}\n`);
  }
  return answers.every(({ mistake }) => mistake === undefined) ? 0 : 1;
}

export const reload = defineCommand({ operands: [], options: {}, run });
