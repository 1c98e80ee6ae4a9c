import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { CatalogError } from "../catalog/catalog-folder.ts";
import { readConfig } from "../config/config.ts";
import { dotEnv, environment, findSettings } from "../config/found-settings.ts";
import { ConfigError } from "../config/setting.ts";
import { packageVersion } from "../ops/package-root.ts";
import { UnusableStorage } from "../stores/unusable-storage.ts";
import { commands } from "./commands.ts";
import { nearestName, readArguments, settingOptions } from "./read-arguments.ts";

/** Errors of whoever runs the program are shown in one line; any other is ours and keeps its stack. */
const OPERATOR_ERRORS = [ConfigError, CatalogError, UnusableStorage];

/** Modules are loaded in parallel, and the embedded store keeps a file open for each hour. */
const FILE_HANDLES = 150;
const TOO_FEW_FILE_HANDLES = "too few file handles; raise the limit, for example with: ulimit -n 1024\n";
const HELP = ["--help", "-h"];

/** Runs the command that the arguments name; the exit code, or nothing where the process lives on. */
export async function main(argv: readonly string[]): Promise<number | undefined> {
  const [first = "stdio", ...others] = argv;
  if (["--version", "-v"].includes(first)) return print(`${packageVersion}\n`);
  if (HELP.includes(first)) return printHelp();
  if (first === "help") return printHelp(others[0]);
  // MCP hosts may give options alone.
  const [name, args] = first.startsWith("-") ? ["stdio", argv] : [first, others];
  if (!Object.hasOwn(commands, name)) return unknownCommand(name);
  // Node would report modules that it cannot open as missing packages.
  if (!canOpenFiles(FILE_HANDLES)) return fail(2, TOO_FEW_FILE_HANDLES);
  if (args.some((each) => HELP.includes(each))) return printHelp(name);
  try {
    return await run(name, args);
  } catch (error) {
    if (!(error instanceof Error)) return fail(1, `${error}\n`);
    const isOperators = OPERATOR_ERRORS.some((each) => error instanceof each);
    return isOperators ? fail(2, `${error.message}\n`) : fail(1, `${error.stack}\n`);
  }
}

async function run(name: string, given: readonly string[]): Promise<number | undefined> {
  const command = await commands[name]?.load();
  if (!command) return unknownCommand(name);
  const { args, layer } = readArguments(name, given, command);
  // An MCP host starts the program in a folder that others may have filled: what is in there is not the operator's word.
  const file = name === "stdio" ? undefined : dotEnv(process.cwd());
  if (file) process.stderr.write(`settings of ${file.sourceOf("")}: ${Object.keys(file.texts).join(", ")}\n`);
  const found = findSettings([layer, environment(process.env), ...(file ? [file] : [])]);
  const config = readConfig(found.texts, found.sourceOf);
  for (const variable of config.unknownVariables) {
    const nearest = nearestName(variable, [...settingOptions.values()]);
    const hint = nearest === undefined ? "the README lists the settings" : `did you mean ${nearest}?`;
    process.stderr.write(`warning: unknown setting ${variable}; ${hint}\n`);
  }
  return command.run(config, args, found);
}

/** Of a command, or of all. */
async function printHelp(name?: string): Promise<number> {
  const { helpOf, overview } = await import("./help.ts");
  if (name === undefined) return print(overview());
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return row ? print(helpOf(name, (await row.load()).options)) : unknownCommand(name);
}

function unknownCommand(name: string): number {
  const nearest = nearestName(name, Object.keys(commands));
  const hint = nearest === undefined ? "; see" : `; did you mean ${nearest}? See`;
  return fail(2, `unknown command: ${name}${hint} transfer-quote-mcp help\n`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function fail(exitCode: number, message: string): number {
  process.stderr.write(message);
  return exitCode;
}

/** Whether this process may open so many more files. Takes less than a millisecond for a hundred. */
function canOpenFiles(count: number): boolean {
  const handles: number[] = [];
  try {
    while (handles.length < count) handles.push(openSync(devNull, "r"));
    return true;
  } catch {
    return false;
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}
