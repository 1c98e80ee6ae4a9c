import { type Config, publicUrlOf } from "../config/config.ts";
import type { FoundSettings } from "../config/found-settings.ts";
import { settings } from "../config/settings.ts";
import { columns } from "./columns.ts";
import { type Arguments, defineCommand } from "./command.ts";

const HIDDEN = "********";
const options = {};

/** The `config` command: every setting with the value that the other commands use and its source; secrets are hidden. */
async function run(config: Config, _args: Arguments<typeof options>, found: FoundSettings): Promise<number> {
  const publicUrl = publicUrlOf(config, config.httpPort);
  const rows = Object.entries(settings).map(([key, { variable, isSecret, shown }]) => {
    const source = found.sourceOf(variable);
    if (source !== undefined && isSecret) return [variable, `${HIDDEN}  (${source})`];
    const value = key === "publicUrl" ? publicUrl : config[key as keyof typeof settings];
    return [variable, `${value === undefined ? defaultOf(shown) : textOf(value)}  (${source ?? "default"})`];
  });
  process.stdout.write(columns(rows, 2).join(""));
  return 0;

  /** The default in the words of docs/settings.md. */
  function defaultOf(shown: string): string {
    return shown.replaceAll("`", "").replace("<public url>", publicUrl);
  }
}

export const config = defineCommand({ operands: [], options, run });

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(",") || "none";
  return value instanceof Date ? value.toISOString() : String(value);
}
