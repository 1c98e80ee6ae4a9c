import type { Command } from "./command.ts";

export interface CommandRow {
  /** The name with its operands, as in the help. */
  readonly usage: string;
  readonly summary: string;
  /** Imports the command, so that no command loads the modules of another. */
  load(): Promise<Command>;
}

/** Every command by its name; README's table is made from this. */
// biome-ignore format: a table reads by its columns
export const commands: Readonly<Record<string, CommandRow>> = {
  stdio: { usage: "stdio", summary: "MCP over stdin and stdout (the default)", load: async () => (await import("./stdio.ts")).stdio },
  serve: { usage: "serve", summary: "REST and MCP over HTTP", load: async () => (await import("./serve.ts")).serve },
  token: { usage: "token", summary: "prints a token of the development issuer, valid for a day", load: async () => (await import("./token.ts")).token },
  config: { usage: "config", summary: "prints every setting with its value and where it comes from", load: async () => (await import("./config.ts")).config },
  init: { usage: "init FOLDER", summary: "starts a catalog of your own over the packaged one, or with --full a copy of it", load: async () => (await import("./init.ts")).init },
  check: { usage: "check", summary: "checks settings, catalog and dependencies; exits with 1 on a fault", load: async () => (await import("./check.ts")).check },
  reload: { usage: "reload", summary: "makes the running servers of the data folder read their catalog again", load: async () => (await import("./reload.ts")).reload },
  report: { usage: "report", summary: "prints what became of the quotes of a period", load: async () => (await import("./report.ts")).report },
  find: { usage: "find ID", summary: "prints what is kept of a quote, by its id, reference, link or event, or of a request", load: async () => (await import("./find.ts")).find },
  events: { usage: "events resend [EVENT_ID]", summary: "delivers events again: one, or all --since a time", load: async () => (await import("./events.ts")).events },
  quote: { usage: "quote ORIGIN [DESTINATION]", summary: "prices a journey without storing a quote", load: async () => (await import("./quote.ts")).quote },
  prices: { usage: "prices", summary: "prints the price of every published corridor by vehicle class", load: async () => (await import("./prices.ts")).prices },
};
