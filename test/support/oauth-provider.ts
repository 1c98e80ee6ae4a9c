import assert from "node:assert/strict";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { REDIRECT } from "./development-issuer.ts";

export type ScriptedProvider = OAuthClientProvider & {
  /** Where the person was sent to sign in. */
  authorizationUrl(): URL;
};

/** What an MCP host keeps for the SDK, in memory. Without client information the SDK has to obtain some. */
export function anOAuthProvider(
  options: { readonly client?: OAuthClientInformationMixed; readonly clientMetadataUrl?: string } = {},
): ScriptedProvider {
  let { client } = options;
  let tokens: OAuthTokens | undefined;
  let verifier = "";
  let url: URL | undefined;
  return {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: "A host",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    },
    ...(options.clientMetadataUrl !== undefined && { clientMetadataUrl: options.clientMetadataUrl }),
    clientInformation: () => client,
    saveClientInformation(given) {
      client = given;
    },
    state: () => "state-1",
    tokens: () => tokens,
    saveTokens(given) {
      tokens = given;
    },
    redirectToAuthorization(to) {
      url = to;
    },
    saveCodeVerifier(given) {
      verifier = given;
    },
    codeVerifier: () => verifier,
    authorizationUrl: () => url ?? assert.fail("nobody was asked to sign in"),
  };
}
