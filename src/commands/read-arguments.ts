import { type ParseArgsConfig, parseArgs } from "node:util";
import { ConfigError } from "../config/setting.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The options and operands of a command; throws ConfigError if one is unknown, missing or too many. */
export function readArguments<const O extends Options>(args: string[], options: O, operands: readonly string[] = []) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.length === operands.length) return { values, positionals };
    const expected = operands.length > 0 ? operands.join(" and ") : "no operands";
    throw new Error(`Expected ${expected}, got ${positionals.length}: ${positionals.join(", ") || "none"}`);
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : error}; see transfer-quote-mcp help`);
  }
}
