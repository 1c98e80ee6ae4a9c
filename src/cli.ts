#!/usr/bin/env node
import { CatalogError } from "./catalog/catalog-folder.ts";
import { type Config, readConfig } from "./config/config.ts";
import { ConfigError } from "./config/setting.ts";
import { canOpenFiles } from "./ops/can-open-files.ts";
import { packageVersion } from "./ops/package-root.ts";
import { FolderInUse } from "./quotes/lowdb/claim-folder.ts";
import { ForeignCheckoutSecret, UnusableDatabase } from "./quotes/postgres/start-errors.ts";

const HELP = `transfer-quote-mcp ${packageVersion}: binding prices for passenger transfers, for AI agents

Usage: transfer-quote-mcp [command]

  stdio                              MCP over stdin and stdout (the default)
  serve                              REST and MCP over HTTP
  token [--scope S] [--subject S]    prints a token of the development issuer
  check                              checks configuration, catalog and dependencies; exits with 1 on a fault
  quote ORIGIN DESTINATION [--at T] [--via PLACE]… [--passengers N]
                                     prices a journey without storing a quote
  prices [--csv]                     lists every published corridor by vehicle class
  help, --version

Settings are environment variables (TRANSFER_…); the README lists them.
`;

/** Runs a command; the exit code, or nothing where the process lives on. */
type Command = (config: Config, args: string[]) => Promise<number | undefined>;

/** Each loads only what it needs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  stdio: async () => (await import("./commands/stdio.ts")).stdio,
  serve: async () => (await import("./commands/serve.ts")).serve,
  token: async () => (await import("./commands/token.ts")).token,
  check: async () => (await import("./commands/check.ts")).check,
  quote: async () => (await import("./commands/quote.ts")).quote,
  prices: async () => (await import("./commands/prices.ts")).prices,
};

/** Errors of whoever runs the program are shown in one line; any other is ours and keeps its stack. */
const OPERATOR_ERRORS = [ConfigError, CatalogError, FolderInUse, ForeignCheckoutSecret, UnusableDatabase];

/** Modules are loaded in parallel, and the embedded store keeps a file open for each hour. */
const FILE_HANDLES = 150;
const TOO_FEW_FILE_HANDLES = "too few file handles; raise the limit, for example with: ulimit -n 1024\n";

async function main([name = "stdio", ...args]: string[]): Promise<number | undefined> {
  if (["help", "--help", "-h"].includes(name)) return print(HELP);
  if (["--version", "-v"].includes(name)) return print(`${packageVersion}\n`);
  if (!Object.hasOwn(commands, name)) return fail(2, `unknown command: ${name}\n\n${HELP}`);
  // Node would report modules that it cannot open as missing packages.
  if (!canOpenFiles(FILE_HANDLES)) return fail(2, TOO_FEW_FILE_HANDLES);
  try {
    const config = readConfig(process.env);
    for (const variable of config.unknownVariables) {
      process.stderr.write(`warning: unknown setting ${variable}; the README lists the settings\n`);
    }
    const command = await commands[name]?.();
    return await command?.(config, args);
  } catch (error) {
    if (!(error instanceof Error)) return fail(1, `${error}\n`);
    const isOperators = OPERATOR_ERRORS.some((each) => error instanceof each);
    return isOperators ? fail(2, `${error.message}\n`) : fail(1, `${error.stack}\n`);
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function fail(exitCode: number, message: string): number {
  process.stderr.write(message);
  return exitCode;
}

process.exitCode = await main(process.argv.slice(2));
