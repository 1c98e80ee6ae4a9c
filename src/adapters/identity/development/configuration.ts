import { randomBytes } from "node:crypto";
import dns from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { type Configuration, errors } from "oidc-provider";
import { HOUR } from "../../../ops/durations.ts";
import { LOOPBACK_HOSTS } from "../../../ops/loopback.ts";
import { DEVELOPMENT_CLIENT_ID } from "../../../service/calls/token-verifier.ts";
import type { DevelopmentIssuerOptions } from "./issuer.ts";

/** The library counts in seconds. */
const HOUR_SECONDS = HOUR / 1000;
/** Redirect addresses of the reference page, the MCP Inspector, Claude Code, VS Code, mcp-remote, opencode, Cline and most other clients on a desktop. */
const REDIRECT_PATHS = [
  ...["/", "/callback", "/oauth/callback", "/oauth/callback/debug", "/auth/callback", "/mcp/oauth/callback", "/docs"],
];
const CURSOR_REDIRECT = "cursor://anysphere.cursor-mcp/oauth/callback";

/**
 * Settings of oidc-provider mounted at `path`, with one resource and one registered client. The library keeps codes and
 * sessions in its own memory, which its documentation allows for development alone: it prints a line about it.
 */
export function developmentConfiguration(options: DevelopmentIssuerOptions, path: string): Configuration {
  const { audience, scopes, keys, registration } = options;
  const off = { enabled: false };
  const loopbackRedirects = LOOPBACK_HOSTS.flatMap((host) => REDIRECT_PATHS.map((at) => `http://${host}${at}`));
  return {
    clients: [
      {
        client_id: DEVELOPMENT_CLIENT_ID,
        client_secret: keys.clientSecret,
        token_endpoint_auth_method: "client_secret_post",
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
        redirect_uris: [...loopbackRedirects, CURSOR_REDIRECT],
      },
    ],
    clientDefaults: {
      // A loopback redirect is accepted on every port (RFC 8252, 7.3).
      application_type: "native",
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: "ES256",
    },
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
    jwks: { keys: [keys.signingKey] },
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
    cookies: { keys: [randomBytes(32).toString("base64url")], long: { path } },
    // The library writes a notice about each default that is used.
    ttl: {
      AccessToken: HOUR_SECONDS,
      ClientCredentials: HOUR_SECONDS,
      IdToken: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      RefreshToken: 24 * HOUR_SECONDS,
      Session: 24 * HOUR_SECONDS,
      Grant: 24 * HOUR_SECONDS,
    },
    clientBasedCORS: (_ctx, origin) => URL.canParse(origin) && LOOPBACK_HOSTS.includes(new URL(origin).hostname),
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
      // With a later draft the library refuses its settings instead of behaving differently.
      clientIdMetadataDocument: { enabled: true, ack: "draft-02", allowFetch: (_ctx, clientId) => isPublic(clientId) },
      registration: { enabled: registration, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        // Redeeming a code gives a token for what the code was asked for.
        useGrantedResource: () => true,
        defaultResource: (_ctx, _client, oneOf) => oneOf ?? unknownTarget("audience is required"),
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== audience) return unknownTarget("audience or resource is unknown");
          return { audience, scope: scopes.join(" "), accessTokenFormat: "jwt", jwt: { sign: { alg: "ES256" } } };
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
