import dns from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { type Client, type ClientMetadata, type Configuration, errors } from "oidc-provider";
import { HOUR } from "../../../ops/durations.ts";
import type { IssuerOptions } from "./issuer.ts";
import { SIGNING_ALGORITHM } from "./signing-key.ts";

/** The library counts in seconds. */
const HOUR_SECONDS = HOUR / 1000;

/** In what an issuer differs from the other one. */
export interface Differences {
  /** Registered clients. Default: those of the adapter alone. */
  readonly clients?: ClientMetadata[];
  /** Signs the cookies of a sign-in. */
  readonly cookieKey: string;
  /** Where codes, grants and refresh tokens are kept. Default: the library's memory, which is for development alone. */
  readonly adapter?: Configuration["adapter"];
  /** In seconds: how long a sign-in may take, cookies stay, a refresh token waits for its use, and a sign-in holds. */
  readonly seconds: Readonly<Record<"interaction" | "session" | "refreshToken" | "grant", number>>;
  /** Whether a page of this origin may ask for tokens. */
  readonly allowsOrigin: (origin: string, client: Client) => boolean;
  /** Whether clients may name themselves by a metadata document at this address. Default: at every public one. */
  readonly admits?: (clientId: string) => Promise<boolean>;
  /** Whether clients may register themselves (RFC 7591). */
  readonly registration?: boolean;
  /** Further settings. */
  readonly more?: Configuration;
}

/** Settings of oidc-provider mounted at `path`, with one resource. */
export function issuerConfiguration(options: IssuerOptions, path: string): Configuration {
  const { audience, scopes, signingKey, differences } = options;
  const { clients = [], cookieKey, adapter, seconds, allowsOrigin, admits = async () => true } = differences;
  const off = { enabled: false };
  return {
    clients,
    ...(adapter && { adapter }),
    clientDefaults: {
      // A loopback redirect is accepted on every port (RFC 8252, 7.3).
      application_type: "native",
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: SIGNING_ALGORITHM,
    },
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
    jwks: { keys: [signingKey] },
    responseTypes: ["code"],
    scopes: [...scopes, "openid", "offline_access"],
    routes: {
      authorization: "/authorize",
      token: "/oauth/token",
      jwks: "/.well-known/jwks.json",
      registration: "/register",
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    cookies: { keys: [cookieKey], long: { path } },
    // The library writes a notice about each default that is used.
    ttl: {
      AccessToken: HOUR_SECONDS,
      ClientCredentials: HOUR_SECONDS,
      IdToken: HOUR_SECONDS,
      Interaction: seconds.interaction,
      RefreshToken: seconds.refreshToken,
      Session: seconds.session,
      Grant: seconds.grant,
    },
    clientBasedCORS: (_ctx, origin, client) => allowsOrigin(origin, client),
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_ctx, { uid }) => `${path}/interaction/${uid}` },
    renderError: (ctx, out) => {
      const { error, error_description: reason = error } = out;
      // A person whose browser a client sent here reads a sentence.
      if (ctx.accepts("json", "html") === "html") ctx.body = `This sign-in failed: ${reason} (${error}).\n`;
      else ctx.body = out;
    },
    features: {
      clientCredentials: { enabled: true },
      clientIdMetadataDocument: {
        enabled: true,
        // With a later draft the library refuses its settings instead of behaving differently.
        ack: "draft-02",
        allowFetch: async (_ctx, clientId) => (await admits(clientId)) && (await isPublic(clientId)),
        // Asked for a cached document too. Such a client is known by its redirects alone: it gets no token of its own.
        allowClient: async (_ctx, { clientId, grantTypes = [] }) =>
          !grantTypes.includes("client_credentials") && admits(clientId),
      },
      registration: { enabled: differences.registration ?? false, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        // Redeeming a code gives a token for what the code was asked for.
        useGrantedResource: () => true,
        defaultResource: (_ctx, _client, oneOf) => oneOf ?? unknownTarget("audience is required"),
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== audience) return unknownTarget("audience or resource is unknown");
          const sign = { alg: SIGNING_ALGORITHM } as const;
          return { audience, scope: scopes.join(" "), accessTokenFormat: "jwt", jwt: { sign } };
        },
      },
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      rpInitiatedLogout: off,
      userinfo: off,
    },
    ...differences.more,
  };
}

/**
 * Whether every address of the URL's host is public, so that no client makes this process connect to a service of the
 * machine or its network. The library checks the address again after it has connected, in case the name resolves
 * differently then.
 */
async function isPublic(clientId: string): Promise<boolean> {
  const { hostname } = new URL(clientId);
  const addresses = await dns.lookup(hostname.replace(/^\[|\]$/g, ""), { all: true }).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => ipaddr.process(address).range() === "unicast");
}

function unknownTarget(detail: string): never {
  throw new errors.InvalidTarget(detail);
}
