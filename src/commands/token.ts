import { SCOPES } from "../calls/operation.ts";
import { mintOffline } from "../compose/compose-identity.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { publicUrlOf } from "./public-url.ts";
import { readArguments } from "./read-arguments.ts";

const DAY_SECONDS = 24 * 60 * 60;

/** The `token` command: prints a token of the development issuer, valid for a day, by default with all scopes. */
export async function token(config: Config, args: string[]): Promise<number> {
  const { values } = readArguments(args, { scope: { type: "string" }, subject: { type: "string" } });
  const { scope, subject = "local-developer" } = values;
  if (config.authIssuer !== undefined) {
    throw new ConfigError(
      `TRANSFER_AUTH_ISSUER is ${config.authIssuer}; get a token there, since the development issuer does not run`,
    );
  }
  const scopes = scope?.split(/[\s,]+/).filter(Boolean) ?? [...SCOPES];
  const unknown = scopes.find((each) => !(SCOPES as readonly string[]).includes(each));
  if (unknown !== undefined || scopes.length === 0) {
    throw new ConfigError(`--scope is ${JSON.stringify(scope)}; allowed: ${SCOPES.join(", ")}`);
  }
  const mint = await mintOffline(config, publicUrlOf(config, config.httpPort));
  process.stdout.write(`${await mint(subject, scopes, DAY_SECONDS)}\n`);
  return 0;
}
