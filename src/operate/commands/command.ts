import type { Opened } from "../../ops/opened.ts";
import type { Config } from "../config/config.ts";
import type { FoundSettings } from "../config/found-settings.ts";
import { ConfigError } from "../config/setting.ts";

/** An option of a command as `--help` shows it; its name is the key in the command's table. */
interface CommandOption {
  /** Name of its value in the help: `DATE`. Absent where it takes none. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly meaning: string;
}
export type Options = Readonly<Record<string, CommandOption>>;

type ValueOf<O extends CommandOption> = O extends { readonly value: string }
  ? O extends { readonly multiple: true }
    ? readonly string[]
    : string
  : true;

/** What a command is called with: options and operands that were given after its name, and the settings. */
export interface CommandCall<O extends Options = Options> {
  readonly config: Config;
  readonly values: { readonly [K in keyof O]?: ValueOf<O[K]> };
  readonly operands: readonly string[];
  /** Where the text of a setting is from. */
  readonly sourceOf: FoundSettings["sourceOf"];
  /** Closes what the command opens when it ends. */
  readonly opened: Opened;
}
export type Arguments = Pick<CommandCall, "values" | "operands">;

/** A module of a command. */
export interface CommandModule {
  readonly options: Options;
  /** Returns the exit code, or `undefined` for 0 and where the process keeps running. Throws ConfigError or CommandFailed. */
  run(call: CommandCall): Promise<number | undefined>;
}

/** What the command line knows of a command before it is loaded. */
export interface CommandRow {
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

/** What a command was rightly asked for and could not do; it exits with 1. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
}

/** The error of an option with a wrong value; `remedy` says which are allowed. */
export function wrongOption(option: string, text: string | undefined, remedy: string): ConfigError {
  return new ConfigError(`--${option} is ${JSON.stringify(text)}; ${remedy}`);
}
