import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { packagedCatalog } from "../../ops/package-root.ts";
import { ConfigError } from "../config/setting.ts";
import type { CommandCall } from "./command.ts";

export const options = {};

/** What every operator states: the packaged file as an example, which replaces the packaged one as a whole. */
const OWN = ["operator.json", "tariff.json", "vehicle-classes.json", "policies.json"];
/** Examples of the package that no other operator sells: the file says that there are none. */
const EMPTY = {
  "fares.json": ["fares"],
  "seasons.json": ["seasons"],
  "availability.json": ["stopSales", "bookingWindows"],
};
const EXPLAINING = ["README.md", "schemas"];

/** The `init` command: writes a catalog of one's own, with README and JSON Schemas, into a new or empty folder. */
export async function run({ operands }: CommandCall<typeof options>): Promise<undefined> {
  const folder = resolve(operands[0] ?? "");
  try {
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new ConfigError(`${folder} is not empty; allowed: a new or an empty folder`);
    writeOverlay(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined
      ? error
      : new ConfigError(`${folder} cannot be written (${code}); allowed: a new or an empty folder`);
  }
  const files = [...OWN, ...Object.keys(EMPTY)].join(", ");
  process.stdout.write(`${folder} has the files that every operator states: ${files}, with their translations.
All other files are those of the package, until you add your own; its README.md describes the files.

Edit it, then:
  transfer-quote-mcp check --catalog ${folder}
  transfer-quote-mcp prices --catalog ${folder}
  transfer-quote-mcp serve --catalog ${folder}
`);
}

function writeOverlay(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of EXPLAINING) cpSync(join(packagedCatalog, name), join(folder, name), { recursive: true });
  const own = new Set<unknown>();
  for (const file of OWN) {
    const text = readFileSync(join(packagedCatalog, file), "utf8");
    const replacing = text.replace(/"\$schema": .*\n/, (line) => `${line}  "replace": true,\n`);
    // The prices differ already, since the examples of the package are left out.
    const edited = file === "tariff.json" ? replacing.replace(/"version": ".*"/, '"version": "own-1"') : replacing;
    writeFileSync(join(folder, file), edited);
    JSON.parse(text, (_, value) => {
      own.add(value);
      return value;
    });
  }
  // An upgrade that rewords a text of the package takes away the translation of the earlier one.
  const { texts } = JSON.parse(readFileSync(join(packagedCatalog, "translations.json"), "utf8"));
  const copied = Object.entries(texts).filter(([english]) => own.has(english));
  writeJson(folder, "translations.json", { texts: Object.fromEntries(copied) });
  writeJson(folder, "catalog.json", { base: "packaged" });
  for (const [file, lists] of Object.entries(EMPTY))
    writeJson(folder, file, { replace: true, ...Object.fromEntries(lists.map((list) => [list, []])) });
}

function writeJson(folder: string, file: string, content: object): void {
  const $schema = `./schemas/${file.replace(".json", ".schema.json")}`;
  writeFileSync(join(folder, file), `${JSON.stringify({ $schema, ...content }, null, 2)}\n`);
}
