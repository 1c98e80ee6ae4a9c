import { cpSync, existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { packagedCatalog } from "../ops/package-root.ts";
import { type Arguments, defineCommand } from "./command.ts";

/** The `init` command: copies the packaged catalog with its README and JSON Schemas into a new or empty folder. */
async function run(_config: Config, { operands }: Arguments): Promise<number> {
  const folder = resolve(operands[0] ?? "");
  try {
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new ConfigError(`${folder} is not empty; allowed: a new or an empty folder`);
    cpSync(packagedCatalog, folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined
      ? error
      : new ConfigError(`${folder} cannot be written (${code}); allowed: a new or an empty folder`);
  }
  process.stdout.write(`${folder} is a copy of the packaged catalog; its README.md describes the files.

Edit it, then:
  transfer-quote-mcp check --catalog ${folder}
  transfer-quote-mcp prices --catalog ${folder}
  transfer-quote-mcp serve --catalog ${folder}
`);
  return 0;
}

export const init = defineCommand({ operands: ["FOLDER"], options: {}, run });
