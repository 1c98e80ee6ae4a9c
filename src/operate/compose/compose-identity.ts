import type { RequestHandler } from "express";
import type { OAuthServer } from "../../../rest-shim/openapi.ts";
import type { DevelopmentKeys, MintToken } from "../../adapters/identity/development/keys.ts";
import { cachedFor } from "../../ops/cached-for.ts";
import { type Clock, systemClock } from "../../ops/clock.ts";
import type { ServiceLog } from "../../ops/log.ts";
import { originsOf } from "../../ops/loopback.ts";
import { SCOPES } from "../../service/calls/operation.ts";
import {
  DEVELOPMENT_CLIENT_ID,
  ownerOf,
  type Principal,
  type TokenVerifier,
} from "../../service/calls/token-verifier.ts";
import type { Config } from "../config/config.ts";
import type { Site } from "./compose.ts";
import { inDataFolder } from "./compose-storage.ts";

/** Where tokens come from and how they are verified. */
export interface Identity {
  readonly issuer: string;
  /** The audience that clients are told to ask for. Tokens for the MCP endpoint's address are accepted as well. */
  readonly audience: string;
  readonly tokens: TokenVerifier;
  /** The development issuer's HTTP endpoints, in a process that serves HTTP. Absent with an external identity provider. */
  readonly server?: {
    /** To be mounted at the path of `issuer`, for requests from this machine only. */
    readonly handler: RequestHandler;
    readonly clientSecret: string;
    /** Its endpoints and its registered client. */
    readonly oauth: OAuthServer;
  };
  /** Makes a token of the development issuer. Absent with an external identity provider, and over stdio without a token. */
  readonly mint?: MintToken;
  /** Who calls over stdio without a token. Absent with an external identity provider. */
  readonly localDeveloper?: Principal;
  ping(): Promise<void>;
}

/** An identifier in the form of a URL; nothing is fetched from it. */
const DEVELOPMENT_AUDIENCE = "https://transfer-quote.example/api";

/** The external identity provider, or the development issuer where none is configured. */
export async function composeIdentity(config: Config, site: Site, clock: Clock, log: ServiceLog): Promise<Identity> {
  const { authIssuer, authScopePrefix: scopePrefix, owner } = config;
  const audiences = audiencesOf(config, site.issuerOrigin);
  const [audience] = audiences;
  const verifying = { audience: [...audiences], scopes: SCOPES, scopePrefix, owner, clock };
  // What verifies and signs is imported where a caller may have a token: most processes over stdio have none.
  if (authIssuer !== undefined) {
    const { createJwtVerifier } = await import("../../adapters/identity/jwt-verifier.ts");
    const { createRemoteKeys } = await import("../../adapters/identity/remote-keys.ts");
    const keys = createRemoteKeys({ issuer: authIssuer, url: config.authJwksUrl, log, clock });
    const tokens = createJwtVerifier({ ...verifying, issuer: authIssuer, keys });
    return { issuer: authIssuer, audience, tokens, ping: keys.check };
  }
  const issuer = developmentIssuerUrl(site.issuerOrigin);
  const [subject, client] = ["local-developer", DEVELOPMENT_CLIENT_ID];
  const localDeveloper = { subject, owner: ownerOf(owner, subject, client), client, scopes: new Set(SCOPES) };
  const own = { issuer, audience, localDeveloper, async ping() {} };
  // Over stdio callers have no token, nor has the browser that opens the traveler's page.
  if (!site.servesHttp && config.accessToken === undefined)
    return { ...own, tokens: { verify: async () => undefined, isGenuine: async () => false } };
  const { createJwtVerifier } = await import("../../adapters/identity/jwt-verifier.ts");
  const { developmentKeySet } = await import("../../adapters/identity/development/keys.ts");
  const { keys, mint } = await mintOffline(config, site.issuerOrigin, clock);
  const tokens = createJwtVerifier({ ...verifying, issuer, keys: developmentKeySet(keys) });
  return { ...own, tokens, mint, ...(site.servesHttp && { server: developmentServer(keys) }) };

  function developmentServer(keys: DevelopmentKeys): Identity["server"] {
    /** Imported at the first request, because the library takes 10 MB and most processes never give a token. */
    const load = cachedFor(0, async () => {
      const { createDevelopmentIssuer } = await import("../../adapters/identity/development/issuer.ts");
      return createDevelopmentIssuer({
        issuer,
        audience,
        acceptedResources: [...audiences, ...originsOf(site.publicUrl)],
        scopes: SCOPES,
        keys,
        registration: config.devRegistration,
        log,
      });
    });
    const handler: RequestHandler = async (...request) => (await load())(...request);
    const endpoints = { authorizationUrl: `${issuer}/authorize`, tokenUrl: `${issuer}/oauth/token` };
    const oauth = { ...endpoints, clientId: DEVELOPMENT_CLIENT_ID, audience };
    return { handler, clientSecret: keys.clientSecret, oauth };
  }
}

/** Makes tokens that a server with this configuration accepts, without asking that server. */
export async function mintOffline(config: Config, publicUrl: string, clock = systemClock) {
  const { createMint, loadDevelopmentKeys } = await import("../../adapters/identity/development/keys.ts");
  const keys = await inDataFolder(config.dataDir, () => loadDevelopmentKeys(config.dataDir));
  const [audience] = audiencesOf(config, publicUrl);
  const issuer = developmentIssuerUrl(publicUrl);
  return { mint: createMint(keys, issuer, audience, clock), issuer, keys };
}

/** Every audience that is accepted, the one to ask for first, the MCP endpoint's addresses last. */
function audiencesOf({ authAudiences }: Config, origin: string): readonly [string, ...string[]] {
  const [first = DEVELOPMENT_AUDIENCE, ...others] = authAudiences ?? [];
  return [first, ...others, ...originsOf(origin).map((each) => `${each}/mcp`)];
}

function developmentIssuerUrl(publicUrl: string): string {
  return `${publicUrl}/dev-auth`;
}
