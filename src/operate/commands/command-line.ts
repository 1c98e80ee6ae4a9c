import { Command, CommanderError, Option } from "commander";
import { packageVersion } from "../../ops/package-root.ts";
import { optionOf } from "../config/found-settings.ts";
import { ConfigError } from "../config/setting.ts";
import { settings } from "../config/settings.ts";
import type { Arguments, CommandModule, CommandRow, Options } from "./command.ts";

const PROGRAM = "transfer-quote-mcp";

/** Runs a command; `texts` are of options that are settings, by their variable. */
export type RunCommand = (
  row: CommandRow,
  loaded: CommandModule,
  args: Arguments,
  texts: Readonly<Record<string, string | undefined>>,
) => Promise<number | undefined>;

/** Resolves to the exit code of the command, 0 where help or the version was asked for. Throws ConfigError. */
export async function runCommandLine(
  commands: Readonly<Record<string, CommandRow>>,
  argv: readonly string[],
  run: RunCommand,
): Promise<number | undefined> {
  const [name = "", ...given] = named(argv);
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined;
  let code: number | undefined = 0;
  const program = new Command(PROGRAM)
    .description("Binding prices for passenger transfers, for AI agents.")
    .version(packageVersion, "-v, --version")
    .helpCommand("help [COMMAND]", "describes a command and its options")
    .addHelpText("after", SETTINGS_HELP)
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  for (const each of Object.values(commands))
    program.command(each.usage.replace(/ (\w+)/g, " <$1>")).description(each.summary);
  const command = program.commands.find((each) => each.name() === name);
  if (row && command) {
    const loaded = await row.load();
    addOptions(command, row, loaded.options);
    command.action(async () => {
      code = await run(row, loaded, ...givenTo(command, loaded.options));
    });
  }
  try {
    await program.parseAsync(row ? [name, ...given] : [name], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new ConfigError(shownUsageError(error, row && name));
  }
  return code;
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

/** A command's own options, and every setting as one, unless the command has an option of its name. */
function addOptions(command: Command, { usage, listsSettings }: CommandRow, options: Options): void {
  command.usage([...usage.split(" ").slice(1), "[OPTIONS]"].join(" "));
  for (const [name, { value, meaning, multiple }] of Object.entries(options)) {
    const flags = value === undefined ? `--${name}` : `--${name} <${value}>`;
    const option = new Option(flags, multiple ? `${meaning} (may be repeated)` : meaning);
    if (multiple) option.argParser((text, all: readonly string[] = []) => [...all, text]);
    if (name === "json") option.conflicts(["csv", "excel"]);
    command.addOption(option);
  }
  const ofSettings = settingsBeside(options).map(({ variable, meaning, shown, schema }) => {
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

function settingsBeside(options: Options) {
  return Object.values(settings).filter(({ variable }) => !Object.hasOwn(options, optionOf(variable)));
}

function givenTo(command: Command, options: Options) {
  const given = (name: string) => command.getOptionValue(new Option(`--${name}`).attributeName());
  const values = Object.fromEntries(Object.keys(options).map((name) => [name, given(name)]));
  const texts = settingsBeside(options).map(({ variable }) => [variable, given(optionOf(variable))]);
  return [{ values, operands: command.args } as Arguments, Object.fromEntries(texts)] as const;
}

/** The library's two lines, the mistake and what was probably meant, in one, and where to read on. */
function shownUsageError({ message }: CommanderError, name: string | undefined): string {
  const text = message.replace(/^error: |\.$/g, "").replace("\n", " ");
  return `${text}; see ${PROGRAM} ${name === undefined ? "help" : `${name} --help`}`;
}
