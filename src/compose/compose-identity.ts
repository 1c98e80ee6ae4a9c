import type { Router } from "express";
import type { OAuthServer } from "../../rest-shim/openapi.ts";
import { SCOPES } from "../calls/operation.ts";
import type { Config } from "../config/config.ts";
import {
  createMint,
  DEVELOPMENT_CLIENT_ID,
  developmentKeySet,
  loadDevelopmentKeys,
  type MintToken,
} from "../identity/development/keys.ts";
import { createJwtVerifier, type Refusal } from "../identity/jwt-verifier.ts";
import { createRemoteKeys } from "../identity/remote-keys.ts";
import type { Principal, TokenVerifier } from "../identity/token-verifier.ts";
import { type Clock, systemClock } from "../ops/clock.ts";
import type { ServiceLog } from "../ops/log.ts";
import { originsOf } from "../ops/loopback.ts";

/** Where tokens come from and how they are verified. */
export interface Identity {
  readonly issuer: string;
  /** The audience that clients are told to ask for. Tokens for the MCP endpoint's address are accepted as well. */
  readonly audience: string;
  readonly tokens: TokenVerifier;
  /** The development issuer's HTTP endpoints; `undefined` with an external identity provider. */
  readonly server: DevelopmentServer | undefined;
  /** A token of the development issuer; `undefined` with an external identity provider. */
  readonly mint: MintToken | undefined;
  /** Who calls over stdio without a token; `undefined` with an external identity provider. */
  readonly localDeveloper: Principal | undefined;
  ping(): Promise<void>;
}

interface DevelopmentServer {
  /** To be mounted at the path of `issuer`, for requests from this machine only. */
  readonly router: Router;
  readonly clientSecret: string;
  /** Where it signs people in and issues tokens, and to whom. */
  readonly oauth: OAuthServer;
}

export interface IdentitySite {
  readonly publicUrl: string;
  /** Origin of the development issuer and of `/mcp` as tokens name them: the same for `token`, `serve` and `stdio`. */
  readonly issuerOrigin: string;
  /** Whether this process is the HTTP server: it has `/metrics`, and the development issuer where no other is set. */
  readonly servesHttp: boolean;
}

/** An identifier in the form of a URL; nothing is fetched from it. */
const DEVELOPMENT_AUDIENCE = "https://transfer-quote.example/api";

/** The external identity provider, or the development issuer where none is configured. */
export async function composeIdentity(
  config: Config,
  site: IdentitySite,
  clock: Clock,
  log: ServiceLog,
): Promise<Identity> {
  const { authIssuer } = config;
  if (authIssuer === undefined) return developmentIdentity(config, site, clock, log);
  const audiences = audiencesOf(config, site.issuerOrigin);
  const keys = createRemoteKeys({ issuer: authIssuer, url: config.authJwksUrl, log, clock });
  const { owner, authScopePrefix: scopePrefix } = config;
  const verifying = { issuer: authIssuer, audience: [...audiences], scopes: SCOPES, scopePrefix, owner };
  const tokens = createJwtVerifier({ ...verifying, keys, clock, onRefused: logRefusals(log) });
  return {
    issuer: authIssuer,
    audience: audiences[0],
    tokens,
    server: undefined,
    mint: undefined,
    localDeveloper: undefined,
    ping: keys.check,
  };
}

async function developmentIdentity(
  config: Config,
  site: IdentitySite,
  clock: Clock,
  log: ServiceLog,
): Promise<Identity> {
  const { publicUrl, issuerOrigin, servesHttp } = site;
  const keys = await loadDevelopmentKeys(config.dataDir);
  const audiences = audiencesOf(config, issuerOrigin);
  const [audience] = audiences;
  const issuer = developmentIssuerUrl(issuerOrigin);
  const verifying = { issuer, audience: [...audiences], scopes: SCOPES, owner: config.owner };
  return {
    issuer,
    audience,
    tokens: createJwtVerifier({ ...verifying, keys: developmentKeySet(keys), clock, onRefused: logRefusals(log) }),
    server: servesHttp ? await oauthServer() : undefined,
    mint: createMint(keys, issuer, audience, clock),
    localDeveloper: localDeveloper(config),
    async ping() {},
  };

  async function oauthServer(): Promise<DevelopmentServer> {
    // The OAuth server is heavy: only a process that offers it loads it.
    const { createDevelopmentIssuer } = await import("../identity/development/issuer.ts");
    const router = createDevelopmentIssuer({
      issuer,
      audience,
      acceptedResources: [...audiences, ...originsOf(publicUrl)],
      scopes: SCOPES,
      keys,
      registration: config.devRegistration,
      log,
    });
    const endpoints = { authorizationUrl: `${issuer}/authorize`, tokenUrl: `${issuer}/oauth/token` };
    const oauth = { ...endpoints, clientId: DEVELOPMENT_CLIENT_ID, audience };
    return { router, clientSecret: keys.clientSecret, oauth };
  }
}

/** Tells the operator alone why a token was refused: the caller gets the same answer for every reason. */
function logRefusals(log: ServiceLog) {
  return (refusal: Refusal) => log.debug(refusal, "A token was refused.");
}

/** The same as a token of `mint` for this subject names. */
function localDeveloper({ owner }: Config): Principal {
  const subject = "local-developer";
  const principal = { subject, client: DEVELOPMENT_CLIENT_ID, scopes: new Set(SCOPES) };
  if (owner === "subject") return principal;
  return { ...principal, owner: JSON.stringify([DEVELOPMENT_CLIENT_ID, subject]) };
}

/** Makes tokens that a server with this configuration accepts, without asking that server; `keyId` names their key. */
export async function mintOffline(config: Config, publicUrl: string) {
  const keys = await loadDevelopmentKeys(config.dataDir);
  const [audience] = audiencesOf(config, publicUrl);
  const issuer = developmentIssuerUrl(publicUrl);
  return { mint: createMint(keys, issuer, audience, systemClock), issuer, keyId: keys.signingKey.kid };
}

/** Every audience that is accepted, the one to ask for first, the MCP endpoint's addresses last. */
function audiencesOf({ authAudiences }: Config, origin: string): readonly [string, ...string[]] {
  const [first = DEVELOPMENT_AUDIENCE, ...others] = authAudiences ?? [];
  return [first, ...others, ...originsOf(origin).map((each) => `${each}/mcp`)];
}

function developmentIssuerUrl(publicUrl: string): string {
  return `${publicUrl}/dev-auth`;
}
