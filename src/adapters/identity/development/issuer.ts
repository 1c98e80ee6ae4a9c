import { randomBytes } from "node:crypto";
import type { Request, Router } from "express";
import type { ClientMetadata } from "oidc-provider";
import { DAY, HOUR } from "../../../ops/durations.ts";
import { LOOPBACK_HOSTS } from "../../../ops/loopback.ts";
import { DEVELOPMENT_CLIENT_ID } from "../../../service/calls/token-verifier.ts";
import { createIssuer, type IssuerOptions } from "../issuer/issuer.ts";
import type { DevelopmentKeys } from "./keys.ts";

export interface DevelopmentIssuerOptions
  extends Pick<IssuerOptions, "issuer" | "audience" | "acceptedResources" | "scopes" | "log"> {
  readonly keys: DevelopmentKeys;
  /** Whether clients may register themselves (RFC 7591). */
  readonly registration: boolean;
}

/** Redirect addresses of the reference page, the MCP Inspector, Claude Code, VS Code, mcp-remote, opencode, Cline and most other clients on a desktop. */
const REDIRECT_PATHS = [
  ...["/", "/callback", "/oauth/callback", "/oauth/callback/debug", "/auth/callback", "/mcp/oauth/callback", "/docs"],
];
const CURSOR_REDIRECT = "cursor://anysphere.cursor-mcp/oauth/callback";
/** The user of every sign-in, which succeeds without a question. */
const PERSON = "demo-traveler-agent";

/**
 * The issuer of one machine, for the demo client and for clients with a metadata document. It gives a token to everybody,
 * so that it must be reachable from this machine only. The library keeps codes and sessions in its own memory, which its
 * documentation allows for development alone: it prints a line about it.
 */
export function createDevelopmentIssuer(options: DevelopmentIssuerOptions): Router {
  const { keys, registration } = options;
  const { signingKey, clientSecret } = keys;
  const loopbackRedirects = LOOPBACK_HOSTS.flatMap((host) => REDIRECT_PATHS.map((at) => `http://${host}${at}`));
  const demo: ClientMetadata = {
    client_id: DEVELOPMENT_CLIENT_ID,
    client_secret: clientSecret,
    token_endpoint_auth_method: "client_secret_post",
    grant_types: ["authorization_code", "refresh_token", "client_credentials"],
    redirect_uris: [...loopbackRedirects, CURSOR_REDIRECT],
  };
  const { router, signInOf, approve } = createIssuer({
    ...options,
    signingKey,
    differences: {
      clients: [demo],
      cookieKey: randomBytes(32).toString("base64url"),
      seconds: { interaction: HOUR / 1000, session: DAY / 1000, refreshToken: DAY / 1000, grant: DAY / 1000 },
      allowsOrigin: (origin) => URL.canParse(origin) && LOOPBACK_HOSTS.includes(new URL(origin).hostname),
      registration,
    },
    noRegistration: `use the client id ${DEVELOPMENT_CLIENT_ID}, or start the server with TRANSFER_DEV_REGISTRATION=true`,
    completeToken,
  });
  // Finishes sign-in and consent at once.
  router.get("/interaction/:uid", async (request, response) => {
    const signIn = await signInOf(request, response);
    if (signIn) await approve(signIn, PERSON, request, response);
  });
  return router;

  /** PKCE already ties a code to the client that asked for it: the demo client may redeem it without its secret. */
  function completeToken(fields: URLSearchParams, { headers }: Request): void {
    const isPublic = fields.get("client_id") === DEVELOPMENT_CLIENT_ID && !fields.get("client_secret");
    const isForClient = fields.get("grant_type") === "client_credentials";
    if (isPublic && !isForClient && !headers.authorization) fields.set("client_secret", clientSecret);
  }
}
