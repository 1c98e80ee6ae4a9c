import {
  CREDENTIAL_NAME,
  type Credential,
  credentialsOf,
  issueCredential,
  type NewCredential,
  renewSecret,
  revokeCredential,
} from "../../adapters/identity/embedded/credentials.ts";
import type { IssuerStore } from "../../adapters/identity/embedded/issuer-store.ts";
import { counted } from "../../contract/notices.ts";
import { isLoopback } from "../../ops/loopback.ts";
import { openIssuerStore } from "../compose/compose-embedded-issuer.ts";
import { type Config, publicUrlOf } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { type CommandCall, CommandFailed, wrongOption } from "./command.ts";
import { print } from "./print.ts";

export const options = {
  machine: { meaning: "add: for a partner's server, which gets tokens with a secret (client credentials)" },
  redirect: {
    value: "URL",
    multiple: true,
    meaning: "add: for a host that sends people to sign in (authorization code with PKCE) and is told the client id",
  },
  host: {
    value: "HOST",
    meaning: "add: for hosts that name themselves by a metadata document there, such as claude.ai",
  },
  json: { meaning: "list: JSON" },
} as const;

type Values = CommandCall<typeof options>["values"];

/**
 * The `credentials` command: issues, lists, renews and revokes credentials of the embedded issuer, beside a running server or
 * before its start. A secret is printed once, and kept as a hash.
 */
export async function run({ config, values, operands, opened }: CommandCall<typeof options>): Promise<undefined> {
  const [action, name = ""] = operands;
  if (action !== "add" && action !== "list" && action !== "renew" && action !== "revoke") {
    throw new ConfigError(
      `the action of credentials is ${JSON.stringify(action)}; allowed: add NAME, list, renew NAME, revoke NAME`,
    );
  }
  if (config.issuer === undefined)
    throw new ConfigError("TRANSFER_ISSUER is not set; credentials are those of TRANSFER_ISSUER=embedded");
  if ((name === "") !== (action === "list"))
    throw new ConfigError(`credentials ${action} ${action === "list" ? "takes no" : "needs a"} NAME`);
  const asked = action === "add" ? askedFor(name, values) : undefined;
  const store = opened(await openIssuerStore(config));
  if (asked) await add(store, name, asked, config);
  else if (action === "renew") await renew(store, name, config);
  else await (action === "list" ? list(store, values) : revoke(store, name));
}

async function add(store: IssuerStore, name: string, asked: NewCredential, config: Config): Promise<void> {
  const issued = await issueCredential(store, name, asked, new Date());
  if (!issued) {
    const taken = asked.kind === "host" ? ` or ${asked.host} is admitted already` : "";
    throw new CommandFailed(`${name} has been issued before${taken}; see credentials list, and use another name`);
  }
  show(name, asked, issued.secret, config);
}

async function renew(store: IssuerStore, name: string, config: Config): Promise<void> {
  const renewed = await renewSecret(store, name);
  if (!renewed) throw new CommandFailed(`no machine ${JSON.stringify(name)} is in force; see credentials list`);
  show(name, { kind: "machine" }, renewed.secret, config);
}

function show(name: string, asked: NewCredential, secret: string | undefined, config: Config): void {
  const url = publicUrlOf(config, config.httpPort);
  const lines = [
    ...(asked.kind === "host" ? [`admitted   ${asked.host}`] : [`client_id      ${name}`]),
    ...(secret === undefined ? [] : [`client_secret  ${secret}   (shown once)`]),
    ...(asked.kind === "redirect" ? asked.redirects.map((each) => `redirect       ${each}`) : []),
    ...(asked.kind === "machine" ? [`token_url      ${url}/auth/oauth/token`] : []),
    `mcp            ${url}/mcp`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

async function list(store: IssuerStore, { json }: Values): Promise<void> {
  const columns = ({ name, purpose, createdAt, revokedAt }: Credential) => ({
    name,
    kind: purpose.kind,
    for: purpose.kind === "redirect" ? purpose.redirects.join(", ") : purpose.kind === "host" ? purpose.host : null,
    since: createdAt,
    revoked: revokedAt,
  });
  await print(await credentialsOf(store), columns, json ? "json" : "table");
}

async function revoke(store: IssuerStore, name: string): Promise<void> {
  const ended = await revokeCredential(store, name, new Date());
  if (ended === undefined)
    throw new CommandFailed(`no credential ${JSON.stringify(name)} is in force; see credentials list`);
  const tokens = "access tokens that it has got end within the hour";
  process.stdout.write(`${name} is revoked, with ${counted(ended, "sign-in")}; ${tokens}\n`);
}

/** Throws ConfigError where it is not exactly one thing. */
function askedFor(name: string, { machine, redirect, host }: Values): NewCredential {
  const allowed = "1 to 64 lower-case letters, digits, dots, underscores and hyphens";
  if (!CREDENTIAL_NAME.test(name)) throw new ConfigError(`NAME is ${JSON.stringify(name)}; allowed: ${allowed}`);
  const given = [machine, redirect, host].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw new ConfigError("credentials add NAME needs one of --machine, --redirect URL (repeated) and --host HOST");
  if (host !== undefined) return { kind: "host", host: hostOf(host) };
  const [first, ...others] = redirect ?? [];
  if (first === undefined) return { kind: "machine" };
  return { kind: "redirect", redirects: [redirectOf(first), ...others.map(redirectOf)] };
}

/** As `URL.host` writes it. */
function hostOf(text: string): string {
  const isName = /^[a-z\d-]+(\.[a-z\d-]+)+(:\d{1,5})?$/i.test(text) && URL.canParse(`https://${text}`);
  const url = isName ? new URL(`https://${text}`) : undefined;
  if (!url || isLoopback(url.hostname))
    throw wrongOption("host", text, "allowed: a public host name such as claude.ai, without a path");
  return url.host;
}

/** Schemes that run or show content of their own. */
const UNSAFE = ["javascript:", "vbscript:", "data:", "blob:", "file:", "about:", "ws:", "wss:", "ftp:"];

function redirectOf(text: string): string {
  const { protocol = "", hostname = "", hash = "", username = "" } = URL.canParse(text) ? new URL(text) : {};
  const isAllowed =
    protocol === "http:" ? isLoopback(hostname) : text.startsWith(`${protocol}//`) && !UNSAFE.includes(protocol);
  if (isAllowed && hostname && !hash && !username && !/[\s\\*]/.test(text)) return text;
  const allowed = "an https URL, an http one on a loopback address, or that of an app such as cursor://…";
  throw wrongOption("redirect", text, `allowed: ${allowed}, without user and fragment`);
}
