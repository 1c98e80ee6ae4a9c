import { fetchJson } from "../../adapters/identity/issuer-metadata.ts";
import { DAY } from "../../ops/durations.ts";
import { SCOPES } from "../../service/calls/operation.ts";
import { mintOffline } from "../compose/compose-identity.ts";
import { publicUrlOf } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { type CommandCall, wrongOption } from "./command.ts";

const LOOK_MILLISECONDS = 2_000;

export const options = {
  scope: { value: "SCOPES", meaning: `of ${SCOPES.join(", ")}; default: all` },
  subject: { value: "SUBJECT", meaning: "who it is for; default: local-developer" },
  client: { value: "ID", meaning: "issued to this client of clients.json; default: demo" },
} as const;

/**
 * The `token` command: prints a token of the development issuer, valid for a day, by default with all scopes. Stderr names
 * its issuer, and warns where the server at the configured address does not accept the token.
 */
export async function run({ config, values }: CommandCall<typeof options>): Promise<undefined> {
  const { scope, subject = "local-developer", client } = values;
  const { authIssuer, issuer: kind } = config;
  if (authIssuer !== undefined || kind !== undefined) {
    const from = authIssuer === undefined ? `TRANSFER_ISSUER is ${kind}` : `TRANSFER_AUTH_ISSUER is ${authIssuer}`;
    throw new ConfigError(`${from}; get a token there, since the development issuer does not run`);
  }
  for (const [name, value] of Object.entries({ subject, client }))
    if (value === "") throw wrongOption(name, "", "allowed: any other text, or leave it out");
  const scopes = scope?.split(/[\s,]+/).filter(Boolean) ?? [...SCOPES];
  if (scopes.length === 0 || scopes.some((each) => !(SCOPES as readonly string[]).includes(each)))
    throw wrongOption("scope", scope, `allowed: ${SCOPES.join(", ")}`);
  const server = publicUrlOf(config, config.httpPort);
  const { mint, issuer, keys } = await mintOffline(config, server);
  process.stdout.write(`${await mint(subject, scopes, DAY / 1000, client)}\n`);
  const doubt = await whyNotAccepted(server, issuer, keys.signingKey.kid);
  process.stderr.write(`issuer ${issuer}\n${doubt === undefined ? "" : `warning: ${doubt}\n`}`);
}

/** Why the server at this address would not accept tokens of this issuer and key, or `undefined` where it would. */
async function whyNotAccepted(server: string, issuer: string, keyId: string): Promise<string | undefined> {
  const metadata = await documentAt(`${server}/.well-known/oauth-protected-resource`);
  if (!metadata) {
    return `no server answers at ${server}; one on another address rejects this token: give token the same --host, --port, --public-url and --data`;
  }
  const { authorization_servers: issuers } = metadata as { authorization_servers?: unknown };
  const trusted: readonly unknown[] = Array.isArray(issuers) ? issuers : [];
  if (!trusted.includes(issuer))
    return `the server at ${server} accepts tokens of ${trusted.join(", ") || "no issuer"}`;
  const { keys } = ((await documentAt(`${issuer}/.well-known/jwks.json`)) ?? {}) as { keys?: unknown };
  const isItsKey = Array.isArray(keys) && keys.some(({ kid }) => kid === keyId);
  return isItsKey ? undefined : `the server at ${server} has other keys: give token the same --data as the server`;
}

async function documentAt(url: string): Promise<object | undefined> {
  const document = await fetchJson(url, AbortSignal.timeout(LOOK_MILLISECONDS)).catch(() => undefined);
  return typeof document === "object" && document !== null ? document : undefined;
}
