import { randomBytes } from "node:crypto";
import type { Configuration } from "oidc-provider";
import { DEVELOPMENT_CLIENT_ID, type DevelopmentKeys } from "./development-keys.ts";

export interface DevelopmentConfigurationOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly keys: DevelopmentKeys;
}

/** Of access tokens. */
const TOKEN_SECONDS = 3_600;
const DAY_SECONDS = 24 * 3_600;
const REDIRECT_HOSTS = ["127.0.0.1", "localhost", "[::1]"];
/** Where the MCP Inspector, Claude Code and most desktop clients listen. */
const REDIRECT_PATHS = ["/", "/callback", "/oauth/callback", "/oauth/callback/debug", "/auth/callback"];

/**
 * One client, one resource, and every feature off that a laptop does not need. All defaults that the library would
 * complain about at run time are replaced. `invalidTarget` makes the library's own OAuth error of that name.
 */
export function developmentConfiguration(
  { audience, scopes, keys, issuer }: DevelopmentConfigurationOptions,
  invalidTarget: (detail: string) => Error,
): Configuration {
  const path = new URL(issuer).pathname;
  const off = { enabled: false };
  return {
    clients: [
      {
        client_id: DEVELOPMENT_CLIENT_ID,
        client_secret: keys.clientSecret,
        // Native: a loopback redirect is accepted on every port (RFC 8252, 7.3).
        application_type: "native",
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
        redirect_uris: REDIRECT_HOSTS.flatMap((host) =>
          REDIRECT_PATHS.map((path) => `http://${host}${path}`),
        ),
      },
    ],
    jwks: { keys: [keys.signingKey] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
    responseTypes: ["code"],
    scopes: ["openid", "offline_access"],
    routes: { authorization: "/authorize", token: "/oauth/token", jwks: "/.well-known/jwks.json" },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    cookies: { keys: [randomBytes(32).toString("base64url")], long: { path } },
    ttl: {
      AccessToken: TOKEN_SECONDS,
      ClientCredentials: TOKEN_SECONDS,
      IdToken: TOKEN_SECONDS,
      AuthorizationCode: 60,
      Interaction: 600,
      RefreshToken: DAY_SECONDS,
      Session: DAY_SECONDS,
      Grant: DAY_SECONDS,
    },
    clientBasedCORS: (_ctx, origin) =>
      URL.canParse(origin) && REDIRECT_HOSTS.includes(new URL(origin).hostname),
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_ctx, { uid }) => `${path}/interaction/${uid}` },
    renderError: (ctx, out) => {
      ctx.body = out;
    },
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        // Redeeming a code gives a token for what the code was asked for.
        useGrantedResource: () => true,
        defaultResource: (_ctx, _client, oneOf) => {
          if (oneOf) return oneOf;
          throw invalidTarget("audience is required");
        },
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== audience) throw invalidTarget("audience or resource is not known here");
          const jwt = { sign: { alg: "ES256" as const } };
          return {
            audience,
            scope: scopes.join(" "),
            accessTokenFormat: "jwt",
            accessTokenTTL: TOKEN_SECONDS,
            jwt,
          };
        },
      },
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      rpInitiatedLogout: off,
      userinfo: off,
    },
  };
}
