import { nearestName } from "../../domain/catalog/nearest-name.ts";
import { DAY } from "../../ops/durations.ts";
import { isLoopback } from "../../ops/loopback.ts";
import { ConfigError, type Setting, settingValue } from "./setting.ts";
import { settings } from "./settings.ts";

type Settings = typeof settings;

/** Every setting's value; `undefined` where it is unset and has no default of its own. */
export type Config = {
  readonly [K in keyof Settings]: Settings[K] extends Setting<infer V, infer D> ? V | D : never;
} & {
  /** Variables that are set and named like settings, but unknown, with the setting that each misspells, if any. */
  readonly unknownVariables: readonly { readonly name: string; readonly meant: string | undefined }[];
};

const NINETY_DAYS = 90 * DAY;

/**
 * Reads the settings from texts by variable; an empty text counts as unset. `sourceOf` names the source of a text for error
 * messages, by default the environment. Throws ConfigError.
 */
export function readConfig(env: NodeJS.ProcessEnv, sourceOf?: (variable: string) => string | undefined): Config {
  const rows = Object.entries<Setting<unknown>>(settings);
  const known = rows.map(([, { variable }]) => variable);
  const unknown = Object.keys(env).filter((name) => name.startsWith("TRANSFER_") && !known.includes(name));
  const values = Object.fromEntries(
    rows.map(([key, each]) => [key, settingValue(each, env, sourceOf?.(each.variable))]),
  );
  const found = values as Omit<Config, "unknownVariables">;
  const config = {
    ...found,
    sandbox: found.sandbox ?? issuerOf(found) === "development",
    unknownVariables: unknown.map((name) => ({ name, meant: nearestName(name, known) })),
  };
  requireWith("TRANSFER_AUTH_AUDIENCE", config.authAudiences, config.authIssuer && "TRANSFER_AUTH_ISSUER");
  requireWith("TRANSFER_AUTH_ISSUER", config.authIssuer, config.authScopePrefix && "TRANSFER_AUTH_SCOPE_PREFIX");
  if (config.issuer && config.authIssuer)
    throw new ConfigError(`TRANSFER_ISSUER is ${config.issuer}; allowed: that or TRANSFER_AUTH_ISSUER, not both`);
  const shared = config.databaseUrl && "TRANSFER_DATABASE_URL (the same for all processes)";
  requireWith("TRANSFER_CHECKOUT_SECRET", config.checkoutSecrets, shared);
  requireWith("TRANSFER_EVENTS_SECRET", config.eventsSecrets, config.eventsUrl && "TRANSFER_EVENTS_URL");
  requireWith("TRANSFER_EVENTS_URL", config.eventsUrl, config.eventsSecrets && "TRANSFER_EVENTS_SECRET");
  const { router, geocoder } = config;
  requireWith("TRANSFER_ROUTER_URL", config.routerUrl, router !== "embedded" && `TRANSFER_ROUTER=${router}`);
  requireWith("TRANSFER_GEOCODER_URL", config.geocoderUrl, geocoder !== "embedded" && `TRANSFER_GEOCODER=${geocoder}`);
  requireWith("TRANSFER_V1_DEPRECATED_AT", config.v1DeprecatedAt, config.v1SunsetAt && "TRANSFER_V1_SUNSET_AT");
  const { v1DeprecatedAt: deprecated, v1SunsetAt: sunset } = config;
  if (deprecated && sunset && sunset.getTime() - deprecated.getTime() < NINETY_DAYS)
    throw new ConfigError(
      `TRANSFER_V1_SUNSET_AT is ${sunset.toISOString()}; allowed: at least 90 days after TRANSFER_V1_DEPRECATED_AT (${deprecated.toISOString()})`,
    );
  return config;
}

/** Who signs tokens. */
export function issuerOf({ authIssuer, issuer }: Pick<Config, "authIssuer" | "issuer">) {
  return authIssuer === undefined ? (issuer ?? "development") : "external";
}

/**
 * Rejects settings under which a server would offer the development issuer, which gives a token to anybody, to other
 * machines, or the embedded one without https. Throws ConfigError.
 */
export function checkListening(config: Config): void {
  const { httpHost, publicUrl, trustProxy } = config;
  if (issuerOf(config) === "external") return;
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (issuerOf(config) === "embedded") {
    const required = "TRANSFER_ISSUER=embedded";
    requireWith("TRANSFER_PUBLIC_URL", url, required);
    requireWith("TRANSFER_TRUST_PROXY (the proxy that ends TLS)", trustProxy, required);
    if (url && url.protocol !== "https:")
      throw new ConfigError(`TRANSFER_PUBLIC_URL is ${publicUrl}; allowed with ${required}: an https origin`);
    return;
  }
  const given = isLoopback(httpHost) ? `TRANSFER_PUBLIC_URL is ${publicUrl}` : `TRANSFER_HTTP_HOST is ${httpHost}`;
  if (!isLoopback(httpHost) || (url && !isLoopback(url.hostname)))
    throw new ConfigError(
      `${given}; without TRANSFER_AUTH_ISSUER or TRANSFER_ISSUER=embedded the development issuer runs, which is allowed on a loopback address only (127.0.0.1, ::1, localhost)`,
    );
}

function requireWith(variable: string, value: unknown, requiredBy: string | false | undefined): void {
  if (requiredBy && value === undefined)
    throw new ConfigError(`${variable} is not set; it is required with ${requiredBy}`);
}

/** The origin under which a server with this configuration is reached once it listens on `port`. */
export function publicUrlOf({ publicUrl, httpHost }: Pick<Config, "publicUrl" | "httpHost">, port: number): string {
  if (publicUrl !== undefined) return publicUrl;
  const isWildcard = httpHost === "0.0.0.0" || httpHost === "::";
  const host = isWildcard ? "localhost" : httpHost;
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}
