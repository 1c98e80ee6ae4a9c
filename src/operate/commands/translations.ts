import { readCatalog } from "../../domain/catalog/catalog.ts";
import { translationsOf } from "../audit/texts.ts";
import type { CommandCall } from "./command.ts";
import { jsonText } from "./terminal-text.ts";

export const options = { missing: { meaning: "only texts that lack a language which operator.json offers" } } as const;

/**
 * The `translations` command: every text that travelers read, as translations.json has it, with its translations into
 * the languages that the operator offers, empty where there is none. It writes no file, which a redirect may do.
 */
export async function run({ config, values }: CommandCall<typeof options>): Promise<undefined> {
  const all = Object.entries(translationsOf(readCatalog(config.catalogDir)));
  const texts = values.missing ? all.filter(([, of]) => Object.values(of).includes("")) : all;
  process.stdout.write(`${jsonText({ texts: Object.fromEntries(texts) })}\n`);
}
