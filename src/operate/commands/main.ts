import { UnusableStorage } from "../../adapters/stores/unusable-storage.ts";
import { CatalogError } from "../../domain/catalog/finding.ts";
import { createLog } from "../../ops/log.ts";
import { createOpened } from "../../ops/opened.ts";
import { readConfig } from "../config/config.ts";
import { dotEnv, findSettings, optionOf } from "../config/found-settings.ts";
import { ConfigError } from "../config/setting.ts";
import { CommandFailed, type CommandRow } from "./command.ts";
import type { RunCommand } from "./command-line.ts";
import { colored } from "./terminal-text.ts";

const STDIO: CommandRow = {
  isServer: true,
  ignoresDotEnv: true,
  usage: "stdio",
  summary: "MCP over stdin and stdout (the default)",
  load: () => import("./stdio.ts"),
};

/** Every command by its name; README's table is made from this. */
// biome-ignore format: a table reads by its columns
export const commands: Readonly<Record<string, CommandRow>> = {
  stdio: STDIO,
  serve: { isServer: true, listsSettings: true, usage: "serve", summary: "REST and MCP over HTTP", load: () => import("./serve.ts") },
  token: { usage: "token", summary: "prints a token of the development issuer, valid for a day", load: () => import("./token.ts") },
  credentials: { usage: "credentials ACTION [NAME]", summary: "adds, lists, renews and revokes credentials of the embedded issuer", load: () => import("./credentials.ts") },
  config: { usage: "config", summary: "prints every setting with its value and where it comes from", load: () => import("./config.ts") },
  init: { usage: "init FOLDER", summary: "starts a catalog of your own over the packaged one", load: () => import("./init.ts") },
  check: { usage: "check", summary: "checks settings, catalog and dependencies; exits with 1 on a fault", load: () => import("./check.ts") },
  places: { usage: "places [TEXT]", summary: "lists places with the zones that contain them, all or those of a name, code, postcode or zone", load: () => import("./places.ts") },
  translations: { usage: "translations", summary: "writes the texts that travelers read, with their translations, to fill in", load: () => import("./translations.ts") },
  reload: { usage: "reload", summary: "makes the running servers of the data folder read their catalog again", load: () => import("./reload.ts") },
  report: { usage: "report", summary: "prints what became of the quotes of a period", load: () => import("./report.ts") },
  find: { usage: "find ID", summary: "prints what is kept of a quote, by its id, reference, link, event or amount, or of a request", load: () => import("./find.ts") },
  confirm: { usage: "confirm QUOTE_ID", summary: "makes a quote that you have to confirm payable at its price; takes what find takes", load: () => import("./confirm.ts") },
  events: { usage: "events resend [EVENT_ID]", summary: "delivers events again: one, or all --since a time", load: () => import("./events.ts") },
  quote: { usage: "quote ORIGIN [DESTINATION]", summary: "prices a journey without storing a quote", load: () => import("./quote.ts") },
  prices: { usage: "prices", summary: "prints the price of every published corridor by vehicle class", load: () => import("./prices.ts") },
};

/** Errors that the operator can correct, shown in one line. Any other error is shown with its stack. */
const OPERATOR_ERRORS = [CommandFailed, ConfigError, CatalogError, UnusableStorage];

/** Runs the command that the arguments name. Resolves to the exit code, or `undefined` where the process keeps running. */
export async function main(argv: readonly string[]): Promise<number | undefined> {
  try {
    // What hosts start needs no parser, which takes 30 ms of CPU time (Node 24).
    if (argv.length === 0) return await run(STDIO, await STDIO.load(), { values: {}, operands: [] }, {});
    const { runCommandLine } = await import("./command-line.ts");
    return await runCommandLine(commands, argv, run);
  } catch (error) {
    if (!(error instanceof Error)) return fail(`${error}`, 1);
    if (!OPERATOR_ERRORS.some((each) => error instanceof each)) return fail(`${error.stack}\n`, 1);
    return fail(colored("red", `${error.message}\n`, process.stderr), error instanceof CommandFailed ? 1 : 2);
  }
}

const run: RunCommand = async ({ isServer, ignoresDotEnv }, { run }, args, texts) => {
  const layer = { texts, sourceOf: (variable: string) => `--${optionOf(variable)}` };
  const file = ignoresDotEnv ? undefined : dotEnv(process.cwd());
  const read = file && `settings of ${file.sourceOf("")}: ${Object.keys(file.texts).join(", ")}`;
  if (read && !isServer) process.stderr.write(`${read}\n`);
  const environment = { texts: process.env, sourceOf: () => "environment" };
  const found = findSettings([layer, environment, ...(file ? [file] : [])]);
  const config = readConfig(found.texts, found.sourceOf);
  const log = isServer ? createLog(config.logLevel) : undefined;
  if (read) log?.info({}, read);
  for (const { name, meant } of config.unknownVariables) {
    const text = `unknown setting ${name}; ${meant ? `did you mean ${meant}?` : "see transfer-quote-mcp config"}`;
    if (log) log.warn({}, text);
    else process.stderr.write(`warning: ${text}\n`);
  }
  const { opened, close } = createOpened();
  return await run({ config, ...args, sourceOf: found.sourceOf, opened }).finally(close);
};

function fail(text: string, exitCode: number): number {
  process.stderr.write(text);
  return exitCode;
}
