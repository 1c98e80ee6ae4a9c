import { mintOffline } from "../compose-identity.ts";
import type { Config } from "../config.ts";
import { ConfigMistake } from "../config-setting.ts";
import { SCOPES } from "../engine/operation.ts";
import { publicUrlOf } from "./public-url.ts";

export interface TokenOptions {
  /** Space- or comma-separated; all scopes where absent. */
  readonly scope: string | undefined;
  readonly subject: string | undefined;
}

const DAY_SECONDS = 24 * 60 * 60;

/** The `token` command: prints a token of the development issuer, good for a day. */
export async function token(
  config: Config,
  { scope, subject = "local-developer" }: TokenOptions,
): Promise<void> {
  if (config.authIssuer !== undefined) {
    throw new ConfigMistake(
      `TRANSFER_AUTH_ISSUER is ${config.authIssuer}; tokens come from there, the development issuer does not run`,
    );
  }
  const scopes = scope?.split(/[\s,]+/).filter(Boolean) ?? [...SCOPES];
  const unknown = scopes.find((each) => !(SCOPES as readonly string[]).includes(each));
  if (unknown !== undefined || scopes.length === 0) {
    throw new ConfigMistake(`--scope is ${JSON.stringify(scope)}; allowed: ${SCOPES.join(", ")}`);
  }
  const mint = await mintOffline(config, publicUrlOf(config, config.httpPort));
  process.stdout.write(`${await mint(subject, scopes, DAY_SECONDS)}\n`);
}
