import { parseArgs } from "node:util";
import { closestMatch } from "leven";
import { optionOf, type SettingLayer } from "../config/found-settings.ts";
import { ConfigError } from "../config/setting.ts";
import { settings } from "../config/settings.ts";
import type { Arguments, Command, Options } from "./command.ts";

/** The variable of each option that is a setting. Every command accepts all of them. */
export const settingOptions: ReadonlyMap<string, string> = new Map(
  Object.values(settings).map(({ variable }) => [optionOf(variable), variable]),
);

/**
 * Separates the arguments of a command from settings. `usage` names its operands; those in brackets are optional. Throws
 * ConfigError for unknown arguments.
 */
export function readArguments(usage: string, args: readonly string[], { options }: Command) {
  const [name = "", ...operands] = usage.split(" ");
  const required = operands.filter((each) => !each.startsWith("[")).length;
  const known = { ...options, ...Object.fromEntries([...settingOptions.keys()].map((option) => [option, TEXT])) };
  const { values, positionals } = parsed(name, args, known);
  if (positionals.length < required || positionals.length > operands.length) {
    const expected = operands.length > 0 ? operands.join(" and ") : "no operands";
    const got = `${positionals.length}: ${positionals.join(", ") || "none"}`;
    throw new ConfigError(`Expected ${expected}, got ${got}${seeHelp(name)}`);
  }
  if (values.csv && values.json) throw new ConfigError("--csv and --json exclude each other; leave out one");
  const texts = Object.entries(values).flatMap(([option, value]) => {
    const variable = Object.hasOwn(options, option) ? undefined : settingOptions.get(option);
    return variable === undefined ? [] : [[variable, String(value)]];
  });
  const layer: SettingLayer = { texts: Object.fromEntries(texts), sourceOf: (variable) => `--${optionOf(variable)}` };
  return { args: { values, operands: positionals } as Arguments, layer };
}

const TEXT = { type: "string" } as const;

function parsed(
  name: string,
  args: readonly string[],
  options: Readonly<Record<string, { type: Options[""]["type"] }>>,
) {
  const given = { args: [...args], options, allowPositionals: true };
  const { tokens } = parseArgs({ ...given, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== "option" || Object.hasOwn(options, token.name)) continue;
    const nearest = nearestOption(token.name, Object.keys(options));
    throw new ConfigError(`unknown option of ${name}: ${token.rawName}${seeHelp(name, nearest && `--${nearest}`)}`);
  }
  try {
    return parseArgs(given);
  } catch (error) {
    // The first line of Node's message names the mistake; the others explain the syntax.
    const [mistake] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new ConfigError(`${mistake}${seeHelp(name)}`);
  }
}

function seeHelp(name: string, nearest?: string): string {
  const command = `transfer-quote-mcp ${name} --help`;
  return nearest ? `; did you mean ${nearest}? See ${command}` : `; see ${command}`;
}

/** The known name that an unknown one misspells. */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  return closestMatch(unknown, known, { maxDistance: unknown.length < 4 ? 1 : 2 });
}

/** Also the option that ends with the same word: `--http-port` for `--port`. */
function nearestOption(unknown: string, known: readonly string[]): string | undefined {
  const lastOf = (option: string) => option.split("-").at(-1);
  return nearestName(unknown, known) ?? known.find((option) => lastOf(option) === lastOf(unknown));
}
