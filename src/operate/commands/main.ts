import { UnusableStorage } from "../../adapters/stores/unusable-storage.ts";
import { CatalogError } from "../../domain/catalog/finding.ts";
import { createLog } from "../../ops/log.ts";
import { packageVersion } from "../../ops/package-root.ts";
import { readConfig } from "../config/config.ts";
import { dotEnv, findSettings, optionOf } from "../config/found-settings.ts";
import { ConfigError } from "../config/setting.ts";
import { settings } from "../config/settings.ts";
import type { Command, Options } from "./command.ts";
import { nearestName, readArguments, settingOptions } from "./read-arguments.ts";
import { shownError, wrapped } from "./terminal-text.ts";

interface CommandRow {
  /** The name with its operands; those in brackets are optional. */
  readonly usage: string;
  readonly summary: string;
  /** Imports the command, so that no command loads the modules of another. */
  load(): Promise<Command>;
  /** Writes only its log to stderr. */
  readonly isServer?: true;
  /** An MCP host starts it in a folder that others may have filled, so that its .env is not the operator's. */
  readonly ignoresDotEnv?: true;
  /** Its help lists the settings. */
  readonly listsSettings?: true;
}

/** Every command by its name; README's table is made from this. */
// biome-ignore format: a table reads by its columns
export const commands: Readonly<Record<string, CommandRow>> = {
  stdio: { isServer: true, ignoresDotEnv: true, usage: "stdio", summary: "MCP over stdin and stdout (the default)", load: () => import("./stdio.ts") },
  serve: { isServer: true, listsSettings: true, usage: "serve", summary: "REST and MCP over HTTP", load: () => import("./serve.ts") },
  token: { usage: "token", summary: "prints a token of the development issuer, valid for a day", load: () => import("./token.ts") },
  config: { usage: "config", summary: "prints every setting with its value and where it comes from", load: () => import("./config.ts") },
  init: { usage: "init FOLDER", summary: "starts a catalog of your own over the packaged one", load: () => import("./init.ts") },
  check: { usage: "check", summary: "checks settings, catalog and dependencies; exits with 1 on a fault", load: () => import("./check.ts") },
  reload: { usage: "reload", summary: "makes the running servers of the data folder read their catalog again", load: () => import("./reload.ts") },
  report: { usage: "report", summary: "prints what became of the quotes of a period", load: () => import("./report.ts") },
  find: { usage: "find ID", summary: "prints what is kept of a quote, by its id, reference, link or event, or of a request", load: () => import("./find.ts") },
  events: { usage: "events resend [EVENT_ID]", summary: "delivers events again: one, or all --since a time", load: () => import("./events.ts") },
  quote: { usage: "quote ORIGIN [DESTINATION]", summary: "prices a journey without storing a quote", load: () => import("./quote.ts") },
  prices: { usage: "prices", summary: "prints the price of every published corridor by vehicle class", load: () => import("./prices.ts") },
};

/** Errors that the operator can correct, shown in one line. Any other error is shown with its stack. */
const OPERATOR_ERRORS = [ConfigError, CatalogError, UnusableStorage];

const HELP = ["--help", "-h"];

/** Runs the command that the arguments name. Resolves to the exit code, or `undefined` where the process keeps running. */
export async function main(argv: readonly string[]): Promise<number | undefined> {
  const [first = "stdio", ...others] = argv;
  if (["--version", "-v"].includes(first)) return say(`${packageVersion}\n`);
  if (HELP.includes(first)) return printHelp();
  if (first === "help") return printHelp(others[0]);
  // MCP hosts may start the program with options alone.
  const [name, args] = first.startsWith("-") ? ["stdio", argv] : [first, others];
  if (args.some((each) => HELP.includes(each))) return printHelp(name);
  const row = rowOf(name);
  try {
    return row ? await run(row, args) : unknownCommand(name);
  } catch (error) {
    if (!(error instanceof Error)) return say(`${error}\n`, 1);
    const isOperators = OPERATOR_ERRORS.some((each) => error instanceof each);
    return isOperators ? say(shownError(`${error.message}\n`), 2) : say(`${error.stack}\n`, 1);
  }
}

function rowOf(name: string) {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

async function run(row: CommandRow, given: readonly string[]): Promise<number | undefined> {
  const { isServer } = row;
  const command = await row.load();
  const { args, layer } = readArguments(row.usage, given, command);
  const file = row.ignoresDotEnv ? undefined : dotEnv(process.cwd());
  const read = file && `settings of ${file.sourceOf("")}: ${Object.keys(file.texts).join(", ")}`;
  if (read && !isServer) process.stderr.write(`${read}\n`);
  const environment = { texts: process.env, sourceOf: () => "environment" };
  const found = findSettings([layer, environment, ...(file ? [file] : [])]);
  const config = readConfig(found.texts, found.sourceOf);
  const log = isServer ? createLog(config.logLevel) : undefined;
  if (read) log?.info({}, read);
  for (const variable of config.unknownVariables) {
    const nearest = nearestName(variable, [...settingOptions.values()]);
    const hint = nearest === undefined ? "see transfer-quote-mcp config" : `did you mean ${nearest}?`;
    const text = `unknown setting ${variable}; ${hint}`;
    if (log) log.warn({}, text);
    else process.stderr.write(`warning: ${text}\n`);
  }
  return command.run(config, args, found);
}

/** The help of a command, or of all. */
async function printHelp(name?: string): Promise<number> {
  if (name === undefined) return say(overview());
  const row = rowOf(name);
  return row ? say(helpOf(row, (await row.load()).options)) : unknownCommand(name);
}

function unknownCommand(name: string): number {
  const nearest = nearestName(name, Object.keys(commands));
  const hint = nearest === undefined ? "; see" : `; did you mean ${nearest}? See`;
  return say(`unknown command: ${name}${hint} transfer-quote-mcp help\n`, 2);
}

/** Prints a result, or on stderr a failure; returns the exit code. */
function say(text: string, exitCode = 0): number {
  (exitCode === 0 ? process.stdout : process.stderr).write(text);
  return exitCode;
}

const OPERANDS_AT = 28;
const MEANING_AT = 6;

/** What `transfer-quote-mcp help` prints. */
function overview(): string {
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

/** What a command's `--help` prints. */
function helpOf({ usage, summary, listsSettings }: CommandRow, options: Options): string {
  const own = Object.entries(options).map(([option, { value, meaning, multiple }]) => {
    const repeated = multiple ? " (may be repeated)" : "";
    return paragraph(`  --${option}${value ? ` ${value}` : ""}`, `${meaning}${repeated}`, OPERANDS_AT);
  });
  const ofSettings = Object.values(settings).map(({ variable, meaning, shown, schema }) => {
    const text = `${meaning}; ${variable}; allowed: ${schema.description}; default: ${shown}`.replaceAll("`", "");
    return `  --${optionOf(variable)} VALUE\n${paragraph("", text, MEANING_AT)}`;
  });
  const rest = listsSettings ? ofSettings.join("") : '  and every setting: see "transfer-quote-mcp serve --help"\n';
  return `Usage: transfer-quote-mcp ${usage} [OPTIONS]\n\n${paragraph("", summary, 0)}\nOptions:\n${own.join("")}${rest}`;
}

/** A term, and its explanation in a second column. */
function paragraph(term: string, explanation: string, column: number): string {
  const isLong = column > 0 && term.length >= column;
  const first = isLong ? `${term}\n${" ".repeat(column)}` : term.padEnd(column);
  return `${first}${wrapped(explanation, column)}`;
}
