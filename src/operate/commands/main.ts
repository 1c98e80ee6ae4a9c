import { Command, CommanderError, Option } from "commander";
import { UnusableStorage } from "../../adapters/stores/unusable-storage.ts";
import { CatalogError } from "../../domain/catalog/finding.ts";
import { didYouMean } from "../../domain/catalog/nearest-name.ts";
import { createLog } from "../../ops/log.ts";
import { packageVersion } from "../../ops/package-root.ts";
import { readConfig } from "../config/config.ts";
import { dotEnv, findSettings, optionOf } from "../config/found-settings.ts";
import { ConfigError } from "../config/setting.ts";
import { settings } from "../config/settings.ts";
import type { Arguments, CommandModule, Options } from "./command.ts";
import { shownError } from "./terminal-text.ts";

interface CommandRow {
  /** The name with its operands; those in brackets are optional. */
  readonly usage: string;
  readonly summary: string;
  /** Imports the command, so that no command loads the modules of another. */
  load(): Promise<CommandModule>;
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

const PROGRAM = "transfer-quote-mcp";

/** Errors that the operator can correct, shown in one line. Any other error is shown with its stack. */
const OPERATOR_ERRORS = [ConfigError, CatalogError, UnusableStorage];

/** Runs the command that the arguments name. Resolves to the exit code, or `undefined` where the process keeps running. */
export async function main(argv: readonly string[]): Promise<number | undefined> {
  const [name = "", ...given] = named(argv);
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined;
  let exitCode: number | undefined = 0;
  const program = new Command(PROGRAM)
    .description("Binding prices for passenger transfers, for AI agents.")
    .version(packageVersion, "-v, --version")
    .helpCommand("help [COMMAND]", "describes a command and its options")
    .addHelpText("after", SETTINGS_HELP)
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  for (const each of Object.values(commands))
    program.command(each.usage.replace(/ (\w+)/g, " <$1>")).description(each.summary);
  try {
    const command = program.commands.find((each) => each.name() === name);
    if (row && command) {
      const loaded = await row.load();
      addOptions(command, row, loaded.options);
      command.action(async () => {
        exitCode = await run(row, loaded, command);
      });
    }
    await program.parseAsync(row ? [name, ...given] : [name], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof Error)) return fail(`${error}`, 1);
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : fail(shownUsageError(error, row && name), 2);
    const isOperators = OPERATOR_ERRORS.some((each) => error instanceof each);
    return isOperators ? fail(shownError(`${error.message}\n`), 2) : fail(`${error.stack}\n`, 1);
  }
}

/** The arguments with the name of the command first. */
function named([first = "stdio", ...others]: readonly string[]): readonly string[] {
  if (first === "help") return others.length === 0 ? ["--help"] : [others[0] ?? "", "--help"];
  const isOfProgram = ["-h", "--help", "-v", "--version"].includes(first);
  // MCP hosts may start the program with options alone.
  return first.startsWith("-") && !isOfProgram ? ["stdio", first, ...others] : [first, ...others];
}

const SETTINGS_HELP = `
Settings are options of every command (--port 8080), environment variables
(TRANSFER_HTTP_PORT) or lines of .env in the working folder, in this order:
"${PROGRAM} serve --help" lists them.`;

/** A command's own options, and every setting as one. */
function addOptions(command: Command, { usage, listsSettings }: CommandRow, options: Options): void {
  command.usage([...usage.split(" ").slice(1), "[OPTIONS]"].join(" "));
  for (const [name, { value, meaning, multiple }] of Object.entries(options)) {
    const flags = value === undefined ? `--${name}` : `--${name} <${value}>`;
    const option = new Option(flags, multiple ? `${meaning} (may be repeated)` : meaning);
    if (multiple) option.argParser((text, all: readonly string[] = []) => [...all, text]);
    if (name === "json") option.conflicts(["csv", "excel"]);
    command.addOption(option);
  }
  const ofSettings = Object.values(settings).map(({ variable, meaning, shown, schema }) => {
    const text = `${meaning}; ${variable}; allowed: ${schema.description}; default: ${shown}`;
    return new Option(`--${optionOf(variable)} <VALUE>`, text.replaceAll("`", ""));
  });
  for (const option of ofSettings) command.addOption(option);
  if (listsSettings) return;
  // Hidden in the help alone: what an unknown option misspells is looked for among those that are shown.
  const hide = () => {
    for (const option of ofSettings) option.hideHelp();
    return "";
  };
  command.addHelpText("before", hide).addHelpText("after", SETTINGS_HELP);
}

async function run(row: CommandRow, { options, run }: CommandModule, command: Command): Promise<number | undefined> {
  const { isServer } = row;
  const given = new Map(
    command.options.map((option) => [option.long, command.getOptionValue(option.attributeName())] as const),
  );
  const givenAs = (option: string) => given.get(`--${option}`);
  const layer = {
    texts: Object.fromEntries(Object.values(settings).map(({ variable }) => [variable, givenAs(optionOf(variable))])),
    sourceOf: (variable: string) => `--${optionOf(variable)}`,
  };
  const values = Object.fromEntries(Object.keys(options).map((name) => [name, givenAs(name)]));
  const file = row.ignoresDotEnv ? undefined : dotEnv(process.cwd());
  const read = file && `settings of ${file.sourceOf("")}: ${Object.keys(file.texts).join(", ")}`;
  if (read && !isServer) process.stderr.write(`${read}\n`);
  const environment = { texts: process.env, sourceOf: () => "environment" };
  const found = findSettings([layer, environment, ...(file ? [file] : [])]);
  const config = readConfig(found.texts, found.sourceOf);
  const log = isServer ? createLog(config.logLevel) : undefined;
  if (read) log?.info({}, read);
  const variables = Object.values(settings).map(({ variable }) => variable);
  for (const variable of config.unknownVariables) {
    const text = `unknown setting ${variable}${didYouMean(variable, variables) || `; see ${PROGRAM} config`}`;
    if (log) log.warn({}, text);
    else process.stderr.write(`warning: ${text}\n`);
  }
  return run(config, { values, operands: command.args } as Arguments, found);
}

/** The library's two lines, the mistake and what was probably meant, in one, and where to read on. */
function shownUsageError({ message }: CommanderError, name: string | undefined): string {
  const text = message.replace(/^error: |\.$/g, "").replace("\n", " ");
  return `${text}; see ${PROGRAM} ${name === undefined ? "help" : `${name} --help`}\n`;
}

function fail(text: string, exitCode: number): number {
  process.stderr.write(text);
  return exitCode;
}
