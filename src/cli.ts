#!/usr/bin/env node
import { parseArgs } from "node:util";
import type { Config } from "./config.ts";
import { readConfig } from "./config.ts";
import { ConfigMistake } from "./config-setting.ts";
import { packageVersion } from "./ops/package-root.ts";
import { CatalogueMistake } from "./published/catalogue-folder.ts";
import { FolderInUse } from "./quotes/lowdb/store-lock.ts";
import { ForeignCheckoutSecret, UnusableDatabase } from "./quotes/postgres/start-errors.ts";

const HELP = `transfer-quote-mcp ${packageVersion}: binding prices for passenger transfers, for AI agents

Usage: transfer-quote-mcp [command]

  stdio                              MCP over stdin and stdout (without a command)
  serve                              REST and MCP over HTTP
  token [--scope S] [--subject S]    a token of the development issuer
  check                              asks configuration, catalogue and dependencies; exits 1 on a fault
  quote ORIGIN DESTINATION [--at T] [--via PLACE]… [--passengers N]
                                     prices a journey; nothing is stored
  prices [--csv]                     every published corridor by vehicle class
  help, --version

Settings are environment variables (TRANSFER_…); the README lists them.
`;

type Command = (config: Config, args: string[]) => Promise<number | undefined>;

/** Each command loads what it needs only then. */
const commands: Readonly<Record<string, Command>> = {
  async stdio(config, args) {
    options(args, {});
    await (await import("./commands/stdio.ts")).stdio(config);
    return undefined;
  },
  async serve(config, args) {
    options(args, {});
    await (await import("./commands/serve.ts")).serve(config);
    return undefined;
  },
  async token(config, args) {
    const { scope, subject } = options(args, {
      scope: { type: "string" },
      subject: { type: "string" },
    }).values;
    await (await import("./commands/token.ts")).token(config, { scope: text(scope), subject: text(subject) });
    return 0;
  },
  async check(config, args) {
    options(args, {});
    return (await import("./commands/check.ts")).check(config);
  },
  async quote(config, args) {
    const { values, positionals } = options(
      args,
      { at: { type: "string" }, via: { type: "string", multiple: true }, passengers: { type: "string" } },
      2,
    );
    const passengers = text(values.passengers) ?? "1";
    if (!/^\d{1,2}$/.test(passengers) || Number(passengers) < 1 || Number(passengers) > 50) {
      throw new ConfigMistake(`--passengers is ${JSON.stringify(passengers)}; allowed: 1 to 50`);
    }
    const [origin = "", destination = ""] = positionals;
    const via = Array.isArray(values.via) ? values.via.map(String) : [];
    const { quote } = await import("./commands/quote.ts");
    return quote(config, { origin, destination, at: text(values.at), via, passengers: Number(passengers) });
  },
  async prices(config, args) {
    const { csv } = options(args, { csv: { type: "boolean" } }).values;
    (await import("./commands/prices.ts")).prices(config, { csv: csv === true });
    return 0;
  },
};

async function main([name = "stdio", ...args]: string[]): Promise<number | undefined> {
  if (["help", "--help", "-h"].includes(name)) return said(HELP);
  if (["--version", "-v"].includes(name)) return said(`${packageVersion}\n`);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(`${name} is no command.\n\n${HELP}`);
    return 2;
  }
  const config = readConfig(process.env);
  for (const variable of config.unknownVariables)
    process.stderr.write(`warning: ${variable} is no setting of this program\n`);
  return command(config, args);
}

function options(
  args: string[],
  known: NonNullable<Parameters<typeof parseArgs>[0]>["options"],
  positionals = 0,
) {
  try {
    const parsed = parseArgs({ args, options: known ?? {}, allowPositionals: positionals > 0 });
    if (parsed.positionals.length !== positionals) throw new Error(`${positionals} places are needed`);
    return parsed;
  } catch (error) {
    throw new ConfigMistake(`${error instanceof Error ? error.message : error}; see transfer-quote-mcp help`);
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function said(output: string): number {
  process.stdout.write(output);
  return 0;
}

const MISTAKES = [ConfigMistake, CatalogueMistake, FolderInUse, ForeignCheckoutSecret, UnusableDatabase];

/** Mistakes of whoever runs the program are one line; anything else is a fault of ours and keeps its stack. */
function exitCodeOf(error: unknown): number {
  if (error instanceof Error && MISTAKES.some((mistake) => error instanceof mistake)) {
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  return 1;
}

process.exitCode = await main(process.argv.slice(2)).catch(exitCodeOf);
