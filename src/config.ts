import { join } from "node:path";
import envPaths from "env-paths";
import { ConfigMistake, type Setting, setting, settingValue } from "./config-setting.ts";
import * as values from "./config-values.ts";
import { packageRoot } from "./ops/package-root.ts";

/** Every setting, in the order of the README's table, which is made from this. */
export const settings = {
  httpHost: setting(
    "TRANSFER_HTTP_HOST",
    "127.0.0.1",
    "listening address",
    "a host name or IP address",
    (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  ),
  httpPort: setting(
    "TRANSFER_HTTP_PORT",
    "3000",
    "listening port; 0 takes a free one",
    "an integer from 0 to 65535",
    values.portOf,
  ),
  publicUrl: setting(
    "TRANSFER_PUBLIC_URL",
    "from host and port",
    "origin under which callers reach the server",
    "an http or https origin such as https://quotes.example.com",
    values.originOf,
  ),
  dataDir: setting(
    "TRANSFER_DATA_DIR",
    "per-user state folder of the platform",
    "embedded store, development keys",
    "a folder's path",
    (text) => text,
  ),
  catalogDir: setting(
    "TRANSFER_CATALOG_DIR",
    "the packaged `fixtures/catalog`",
    "corridors, vehicle classes, luggage, policies, tariff, budgets, requirements, road network, places",
    "a folder's path",
    (text) => text,
  ),
  databaseUrl: setting(
    "TRANSFER_DATABASE_URL",
    "none",
    "PostgreSQL; without it the lowdb store in the data folder",
    "not available in this version: unset it",
    () => undefined,
    // It may hold a password.
    { secret: true },
  ),
  redisUrl: setting(
    "TRANSFER_REDIS_URL",
    "none",
    "Redis or Valkey for the budgets; without it in memory",
    "not available in this version: unset it",
    () => undefined,
    // It may hold a password.
    { secret: true },
  ),
  authIssuer: setting(
    "TRANSFER_AUTH_ISSUER",
    "none",
    "external identity provider; without it the embedded development issuer runs, on a loopback address only",
    "an http or https URL, exactly as in the tokens' iss",
    values.httpUrlOf,
  ),
  authAudience: setting(
    "TRANSFER_AUTH_AUDIENCE",
    "none",
    "audience of the tokens; needed with an issuer",
    "1 to 512 characters",
    (text) => (text.length <= 512 ? text : undefined),
  ),
  authJwksUrl: setting(
    "TRANSFER_AUTH_JWKS_URL",
    "`<issuer>/.well-known/jwks.json`",
    "the issuer's keys",
    "an http or https URL",
    values.httpUrlOf,
  ),
  blockedSubjects: setting(
    "TRANSFER_BLOCKED_SUBJECTS",
    "none",
    "comma-separated subjects answered FORBIDDEN",
    "comma-separated subjects",
    values.listOf,
  ),
  router: setting("TRANSFER_ROUTER", "`embedded`", "routing engine", "embedded", values.oneOf("embedded")),
  routerUrl: setting(
    "TRANSFER_ROUTER_URL",
    "none",
    "address of the routing engine",
    "not available in this version: unset it",
    () => undefined,
  ),
  geocoder: setting("TRANSFER_GEOCODER", "`embedded`", "geocoder", "embedded", values.oneOf("embedded")),
  geocoderUrl: setting(
    "TRANSFER_GEOCODER_URL",
    "none",
    "address of the geocoder",
    "not available in this version: unset it",
    () => undefined,
  ),
  checkoutEnabled: setting(
    "TRANSFER_CHECKOUT_ENABLED",
    "true",
    "the deployment switch of checkout",
    "true or false",
    values.booleanOf,
  ),
  checkoutUrl: setting(
    "TRANSFER_CHECKOUT_URL",
    "`<public url>/checkout`",
    "the operator's hosted checkout",
    "an http or https URL",
    values.httpUrlOf,
  ),
  checkoutSecrets: setting(
    "TRANSFER_CHECKOUT_SECRET",
    "made once in the data folder",
    "signs continuation links; comma-separated, the first signs, all verify",
    "secrets of at least 32 characters, comma-separated",
    values.secretsOf,
    { secret: true },
  ),
  docsBase: setting(
    "TRANSFER_DOCS_BASE",
    "`<public url>/docs`",
    "base of problem `type`",
    "an http or https URL",
    (text) => values.httpUrlOf(text)?.replace(/\/+$/, ""),
  ),
  trustProxy: setting(
    "TRANSFER_TRUST_PROXY",
    "none",
    "proxies whose X-Forwarded-For is believed",
    "loopback, linklocal, uniquelocal, addresses or CIDRs, comma-separated",
    (text) => (values.listOf(text)?.every(values.isProxyRange) ? text : undefined),
  ),
  allowedOrigins: setting(
    "TRANSFER_ALLOWED_ORIGINS",
    "the public url's",
    "browser origins that `/mcp` accepts",
    "http or https origins, comma-separated",
    values.originsOf,
  ),
  allowedHosts: setting(
    "TRANSFER_ALLOWED_HOSTS",
    "the public url's",
    "Host headers that `/mcp` accepts",
    "host or host:port, comma-separated",
    values.hostsOf,
  ),
  accessToken: setting(
    "TRANSFER_ACCESS_TOKEN",
    "none",
    "over stdio: whose calls these are; without it the local developer, if the development issuer runs",
    "a bearer token without spaces",
    (text) => (/^\S+$/.test(text) ? text : undefined),
    { secret: true },
  ),
  v1DeprecatedAt: setting(
    "TRANSFER_V1_DEPRECATED_AT",
    "none",
    "announces the end of v1: `Deprecation` on every v1 response",
    "an RFC 3339 date-time",
    values.dateTimeOf,
  ),
  v1SunsetAt: setting(
    "TRANSFER_V1_SUNSET_AT",
    "none",
    "`Sunset` on every v1 response, at least 90 days after the deprecation",
    "an RFC 3339 date-time",
    values.dateTimeOf,
  ),
  logLevel: setting(
    "TRANSFER_LOG_LEVEL",
    "info",
    "pino level; logs go to stderr",
    "fatal, error, warn, info, debug, trace or silent",
    values.oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
  ),
} as const;

type Settings = typeof settings;
type Raw = { [K in keyof Settings]: Settings[K] extends Setting<infer V> ? V | undefined : never };

/** The settings with their defaults, as far as these do not hang on the port that the server gets. */
export type Config = Raw & {
  readonly httpHost: string;
  readonly httpPort: number;
  readonly dataDir: string;
  readonly catalogDir: string;
  readonly blockedSubjects: readonly string[];
  readonly checkoutEnabled: boolean;
  readonly logLevel: string;
  /** Set variables that look like ours and are not. */
  readonly unknownVariables: readonly string[];
};

const NINETY_DAYS = 90 * 24 * 60 * 60 * 1000;

/** Reads the settings from the environment; empty variables count as unset. Throws ConfigMistake. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const raw = Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([key, each]) => [key, settingValue(each, env)]),
  ) as Raw;
  if (raw.authIssuer && !raw.authAudience) {
    throw new ConfigMistake("TRANSFER_AUTH_AUDIENCE is not set; with TRANSFER_AUTH_ISSUER it is needed");
  }
  const host = raw.httpHost ?? "127.0.0.1";
  if (!raw.authIssuer && !values.isLoopback(host)) {
    throw new ConfigMistake(
      `TRANSFER_HTTP_HOST is ${host}; without TRANSFER_AUTH_ISSUER the development issuer runs, which is allowed on a loopback address only (127.0.0.1, ::1, localhost)`,
    );
  }
  checkEndOfV1(raw);
  const known = new Set<string>(Object.values(settings).map(({ variable }) => variable));
  return {
    ...raw,
    httpHost: host,
    httpPort: raw.httpPort ?? 3000,
    dataDir: raw.dataDir ?? envPaths("transfer-quote-mcp", { suffix: "" }).data,
    catalogDir: raw.catalogDir ?? join(packageRoot, "fixtures", "catalog"),
    blockedSubjects: raw.blockedSubjects ?? [],
    checkoutEnabled: raw.checkoutEnabled ?? true,
    logLevel: raw.logLevel ?? "info",
    unknownVariables: Object.keys(env).filter((name) => name.startsWith("TRANSFER_") && !known.has(name)),
  };
}

function checkEndOfV1({ v1DeprecatedAt, v1SunsetAt }: Raw): void {
  if (!v1SunsetAt) return;
  if (!v1DeprecatedAt)
    throw new ConfigMistake("TRANSFER_V1_DEPRECATED_AT is not set; with TRANSFER_V1_SUNSET_AT it is needed");
  if (v1SunsetAt.getTime() - v1DeprecatedAt.getTime() >= NINETY_DAYS) return;
  throw new ConfigMistake(
    `TRANSFER_V1_SUNSET_AT is ${v1SunsetAt.toISOString()}; allowed: at least 90 days after TRANSFER_V1_DEPRECATED_AT (${v1DeprecatedAt.toISOString()})`,
  );
}
