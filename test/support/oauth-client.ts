import assert from "node:assert/strict";
import dns from "node:dns/promises";
import type { TestContext } from "node:test";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { REDIRECT } from "./development-issuer.ts";
import { aLoopbackServer } from "./loopback-server.ts";

let documents = 0;

/**
 * A client's metadata document on a loopback server, and how often it was fetched. Only TLS and what its name resolves to are made up: a public address,
 * unless `addresses` gives others.
 */
export async function aMetadataDocument(
  t: TestContext,
  fields: Readonly<Record<string, unknown>>,
  addresses: readonly string[] = ["93.184.215.14"],
) {
  documents += 1;
  const url = `https://client-${documents}.test/oauth/metadata.json`;
  const document = {
    client_id: url,
    client_name: "A client",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...fields,
  };
  let fetches = 0;
  const origin = await aLoopbackServer(t, (_request, response) => {
    fetches += 1;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(document));
  });
  const lookUp = dns.lookup;
  t.mock.method(dns, "lookup", async (name: string, options: object) =>
    name === new URL(url).hostname ? addresses.map((address) => ({ address })) : lookUp(name, options),
  );
  const real = globalThis.fetch;
  t.mock.method(globalThis, "fetch", (input: string | URL | Request, init?: RequestInit) => {
    if (String(input) !== url) return real(input, init);
    const { method, headers, signal, redirect } = init ?? {};
    return real(`${origin}/`, { method, headers, signal, redirect } as RequestInit);
  });
  return { url, fetches: () => fetches };
}

/** What an MCP host keeps for the SDK, in memory. Without client information the SDK has to obtain some. */
export function anOAuthProvider(
  options: { readonly client?: OAuthClientInformationMixed; readonly clientMetadataUrl?: string } = {},
) {
  let { client } = options;
  let tokens: OAuthTokens | undefined;
  let verifier = "";
  let url: URL | undefined;
  const provider: OAuthClientProvider = {
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
  };
  /** `authorizationUrl` is where the person was sent to sign in. */
  return { ...provider, authorizationUrl: () => url ?? assert.fail("nobody was asked to sign in") };
}
