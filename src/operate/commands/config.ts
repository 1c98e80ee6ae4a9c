import { type Config, publicUrlOf, readConfig } from "../config/config.ts";
import type { FoundSettings } from "../config/found-settings.ts";
import { settings } from "../config/settings.ts";
import { columns } from "./columns.ts";
import { colored } from "./terminal-text.ts";

const MARK = "*";
const HIDDEN = "********";

export const options = {};

/**
 * The `config` command: every setting with the value that the other commands use and its source, marked where that is
 * not the default; secrets are hidden.
 */
export async function run(config: Config, _args: unknown, found: FoundSettings): Promise<number> {
  const publicUrl = publicUrlOf(config, config.httpPort);
  const defaults = readConfig({});
  const rows = Object.entries(settings).map(([key, { variable, isSecret, shown }]) => {
    const source = found.sourceOf(variable);
    if (source !== undefined && isSecret) return [MARK, variable, `${HIDDEN}  (${source})`];
    const name = key as keyof typeof settings;
    const isOwn = source !== undefined && textOf(config[name]) !== textOf(defaults[name]);
    const value = key === "publicUrl" ? publicUrl : config[name];
    // The default in the words of docs/settings.md.
    const words = shown.replaceAll("`", "").replace("<public url>", publicUrl);
    const text = value === undefined ? words : textOf(value);
    return [isOwn ? MARK : "", variable, `${text}  (${source ?? "default"})`];
  });
  const lines = columns(rows, 3).map((line, n) => (rows[n]?.[0] === MARK ? colored("bold", line) : line));
  const legend = rows.some(([mark]) => mark === MARK) ? `\n${MARK} not the default\n` : "";
  process.stdout.write(`${lines.join("")}${legend}`);
  return 0;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(",") || "none";
  return value instanceof Date ? value.toISOString() : String(value);
}
