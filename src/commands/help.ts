import { optionOf } from "../config/found-settings.ts";
import { settings } from "../config/settings.ts";
import { packageVersion } from "../ops/package-root.ts";
import type { Options } from "./command.ts";
import { commands } from "./commands.ts";
import { wrapped } from "./wrapped.ts";

const OPERANDS_AT = 28;
const MEANING_AT = 6;

/** What `transfer-quote-mcp help` prints. */
export function overview(): string {
  const rows = Object.values(commands).map(({ usage, summary }) => paragraph(`  ${usage}`, summary, OPERANDS_AT));
  const last = "help [COMMAND], --version";
  return `transfer-quote-mcp ${packageVersion}: binding prices for passenger transfers, for AI agents

Usage: transfer-quote-mcp [COMMAND] [OPTIONS]

${rows.join("")}  ${last}

Settings are options of every command (--port 8080), environment variables
(TRANSFER_HTTP_PORT) or lines of .env in the working folder, in this order.
"COMMAND --help" lists the options of a command, "serve --help" all settings.
`;
}

/** What a command's `--help` prints; `serve` lists the settings too. */
export function helpOf(name: string, options: Options): string {
  const { usage = name, summary = "" } = commands[name] ?? {};
  const own = Object.entries(options).map(([option, { value, meaning, multiple }]) => {
    const repeated = multiple ? " (may be repeated)" : "";
    return paragraph(`  --${option}${value ? ` ${value}` : ""}`, `${meaning}${repeated}`, OPERANDS_AT);
  });
  const ofSettings = Object.values(settings).map(({ variable, meaning, shown, kind }) => {
    const text = `${meaning}; ${variable}; allowed: ${kind.allowed}; default: ${shown}`.replaceAll("`", "");
    return `  --${optionOf(variable)} VALUE\n${paragraph("", text, MEANING_AT)}`;
  });
  const rest = name === "serve" ? ofSettings.join("") : '  and every setting: see "transfer-quote-mcp serve --help"\n';
  return `Usage: transfer-quote-mcp ${usage} [OPTIONS]\n\n${paragraph("", summary, 0)}\nOptions:\n${own.join("")}${rest}`;
}

/** A term, and its explanation in a column of its own. */
function paragraph(term: string, explanation: string, column: number): string {
  const isLong = column > 0 && term.length >= column;
  const first = isLong ? `${term}\n${" ".repeat(column)}` : term.padEnd(column);
  return `${first}${wrapped(explanation, column)}`;
}
