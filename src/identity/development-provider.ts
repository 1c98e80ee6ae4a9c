import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import type { Log } from "../ops/log.ts";
import {
  type DevelopmentConfigurationOptions,
  developmentConfiguration,
} from "./development-configuration.ts";

export interface DevelopmentProviderOptions extends DevelopmentConfigurationOptions {
  readonly log: Log;
}

let library: Promise<typeof import("oidc-provider")> | undefined;

/** oidc-provider with one client, one resource and nothing else switched on. Keeps at most some 1,000 entries in memory. */
export async function createDevelopmentProvider(options: DevelopmentProviderOptions): Promise<Provider> {
  const { issuer, scopes, log } = options;
  library ??= quietly(() => import("oidc-provider"));
  const { default: OidcProvider, errors } = await library;
  const configuration = developmentConfiguration(options, (detail) => new errors.InvalidTarget(detail));
  const provider = quietly(() => new OidcProvider(issuer, configuration));

  provider.use(async (ctx, next) => {
    await next();
    if ((ctx as KoaContextWithOIDC).oidc?.route === "discovery")
      describe(ctx.body as Record<string, unknown>);
  });
  provider.onerror = failed;
  provider.on("server_error", (_ctx, error) => failed(error));
  return provider;

  function failed({ message }: Error): void {
    log.error({ reason: message }, "The development issuer failed.");
  }

  /** Clients compare the addresses with the issuer; the library takes them from the Host header of the request. */
  function describe(metadata: Record<string, unknown>): void {
    for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"]) {
      metadata[name] = new URL(new URL(String(metadata[name])).pathname, issuer).href;
    }
    metadata.scopes_supported = [...scopes, "openid", "offline_access"];
  }
}

/**
 * The library writes its advice for production (another store, another Node) to the console when it is loaded and built,
 * and part of it to stdout, where over stdio only the protocol may stand. It offers no switch.
 */
function quietly<T>(action: () => T): T {
  const { info, warn } = globalThis.console;
  const restore = () => Object.assign(globalThis.console, { info, warn });
  Object.assign(globalThis.console, { info() {}, warn() {} });
  try {
    const result = action();
    if (result instanceof Promise) result.finally(restore).catch(() => {});
    else restore();
    return result;
  } catch (error) {
    restore();
    throw error;
  }
}
