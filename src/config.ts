import { join } from "node:path";
import envPaths from "env-paths";
import { ConfigMistake, type Setting, settingValue } from "./config-setting.ts";
import { settings } from "./config-settings.ts";
import * as values from "./config-values.ts";
import { packageRoot } from "./ops/package-root.ts";

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
  if (raw.databaseUrl && !raw.checkoutSecrets) {
    throw new ConfigMistake(
      "TRANSFER_CHECKOUT_SECRET is not set; with TRANSFER_DATABASE_URL it is needed, the same for all processes",
    );
  }
  checkEngine("TRANSFER_ROUTER", raw.router, raw.routerUrl);
  checkEngine("TRANSFER_GEOCODER", raw.geocoder, raw.geocoderUrl);
  checkEndOfV1(raw);
  const known = new Set<string>(Object.values(settings).map(({ variable }) => variable));
  return {
    ...raw,
    httpHost: raw.httpHost ?? "127.0.0.1",
    httpPort: raw.httpPort ?? 3000,
    dataDir: raw.dataDir ?? envPaths("transfer-quote-mcp", { suffix: "" }).data,
    catalogDir: raw.catalogDir ?? join(packageRoot, "fixtures", "catalog"),
    blockedSubjects: raw.blockedSubjects ?? [],
    checkoutEnabled: raw.checkoutEnabled ?? true,
    logLevel: raw.logLevel ?? "info",
    unknownVariables: Object.keys(env).filter((name) => name.startsWith("TRANSFER_") && !known.has(name)),
  };
}

/** What only a program that listens must not be told to do. Throws ConfigMistake. */
export function checkListening({ authIssuer, httpHost }: Config): void {
  if (authIssuer || values.isLoopback(httpHost)) return;
  throw new ConfigMistake(
    `TRANSFER_HTTP_HOST is ${httpHost}; without TRANSFER_AUTH_ISSUER the development issuer runs, which is allowed on a loopback address only (127.0.0.1, ::1, localhost)`,
  );
}

function checkEngine(variable: string, engine: string | undefined, url: string | undefined): void {
  const isForeign = engine !== undefined && engine !== "embedded";
  if (isForeign && url === undefined)
    throw new ConfigMistake(`${variable}_URL is not set; with ${variable} ${engine} it is needed`);
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
