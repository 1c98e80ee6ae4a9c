import type { Config } from "./config.ts";
import { SCOPES } from "./engine/operation.ts";
import type { DevelopmentIssuer } from "./identity/development-issuer.ts";
import { developmentKeySet, loadDevelopmentKeys, mintDevelopmentToken } from "./identity/development-keys.ts";
import { createJwtVerifier } from "./identity/jwt-verifier.ts";
import { createRemoteKeys } from "./identity/remote-keys.ts";
import type { TokenVerifier } from "./identity/token-verifier.ts";
import { type Clock, systemClock } from "./ops/clock.ts";
import type { Log } from "./ops/log.ts";

/** Who decides who calls. */
export interface Identity {
  readonly issuer: string;
  readonly audience: string;
  readonly tokens: TokenVerifier;
  /** The development issuer's HTTP face; `undefined` with an external identity provider. */
  readonly server: DevelopmentIssuer | undefined;
  /** A token of the development issuer; `undefined` with an external identity provider. */
  readonly mint: MintToken | undefined;
  ping(): Promise<void>;
}

export type MintToken = (
  subject: string,
  scopes: readonly string[],
  lifetimeSeconds: number,
) => Promise<string>;

export interface IdentitySite {
  readonly publicUrl: string;
  /** Origin of the development issuer: what `token` makes holds for `serve` and `stdio` alike. */
  readonly issuerOrigin: string;
  /** Whether the development issuer is to answer over HTTP. */
  readonly servesIssuer: boolean;
}

/** Looks like an address and is never called. */
const DEVELOPMENT_AUDIENCE = "https://transfer-quote.example/api";

/** The external identity provider, or the development issuer where none is configured. */
export async function composeIdentity(
  config: Config,
  site: IdentitySite,
  clock: Clock,
  log: Log,
): Promise<Identity> {
  const { authIssuer, authAudience } = config;
  if (authIssuer === undefined || authAudience === undefined)
    return developmentIdentity(config, site, clock, log);
  const url = config.authJwksUrl ?? `${authIssuer.replace(/\/+$/, "")}/.well-known/jwks.json`;
  const keys = createRemoteKeys({ url, log, clock });
  const tokens = createJwtVerifier({ issuer: authIssuer, audience: authAudience, keys, clock });
  return {
    issuer: authIssuer,
    audience: authAudience,
    tokens,
    server: undefined,
    mint: undefined,
    ping: keys.check,
  };
}

async function developmentIdentity(
  config: Config,
  site: IdentitySite,
  clock: Clock,
  log: Log,
): Promise<Identity> {
  const { publicUrl, issuerOrigin, servesIssuer } = site;
  const keys = await loadDevelopmentKeys(config.dataDir);
  const audience = config.authAudience ?? DEVELOPMENT_AUDIENCE;
  const issuer = developmentIssuerUrl(issuerOrigin);
  return {
    issuer,
    audience,
    tokens: createJwtVerifier({ issuer, audience, keys: developmentKeySet(keys), clock }),
    server: servesIssuer ? await oauthServer() : undefined,
    mint: (subject, scopes, lifetimeSeconds) =>
      mintDevelopmentToken({ keys, issuer, audience, subject, scopes, clock, lifetimeSeconds }),
    async ping() {},
  };

  async function oauthServer(): Promise<DevelopmentIssuer> {
    // The OAuth server is heavy: only a process that offers it loads it.
    const { createDevelopmentIssuer } = await import("./identity/development-issuer.ts");
    const acceptedResources = [publicUrl, `${publicUrl}/mcp`];
    return createDevelopmentIssuer({ publicUrl, audience, acceptedResources, scopes: SCOPES, keys, log });
  }
}

/** A token as a server with this configuration would accept it, made without asking that server. */
export async function mintOffline(config: Config, publicUrl: string): Promise<MintToken> {
  const keys = await loadDevelopmentKeys(config.dataDir);
  const audience = config.authAudience ?? DEVELOPMENT_AUDIENCE;
  const issuer = developmentIssuerUrl(publicUrl);
  return (subject, scopes, lifetimeSeconds) =>
    mintDevelopmentToken({ keys, issuer, audience, subject, scopes, clock: systemClock, lifetimeSeconds });
}

function developmentIssuerUrl(publicUrl: string): string {
  return `${publicUrl}/dev-auth`;
}
