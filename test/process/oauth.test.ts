import assert from "node:assert/strict";
import { test } from "node:test";
import { type OAuthClientProvider, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { startBuiltServer } from "../support/built-process.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { anMcpClient, connected } from "../support/mcp-client.ts";
import { request } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const REDIRECT = "http://127.0.0.1:33418/callback";
const REAL_JOURNEY = aQuoteRequest({
  pickup_datetime: new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString(),
});
const { publicUrl, welcome } = await startBuiltServer(wholeFile);
const printed = (name: string) => new RegExp(`${name} +([^\\s,]+)`).exec(welcome)?.[1] ?? "";
const credentials = { client_id: printed("client_id"), client_secret: printed("client_secret") };

test("client credentials in JSON, as the document shows them, give a token that makes a quote", async () => {
  const grant = { ...credentials, audience: printed("audience"), grant_type: "client_credentials" };
  const { status, body } = await request(`${publicUrl}/dev-auth/oauth/token`, { body: grant });
  assert.equal(status, 200);
  assert.equal(String(body.token_type).toLowerCase(), "bearer");
  const created = await request(`${publicUrl}/api/public/v1/quotes`, {
    token: body.access_token,
    body: REAL_JOURNEY,
  });
  assert.equal(created.status, 201);
});

test("without an audience, or with a wrong secret, there is no token", async () => {
  const grant = { ...credentials, audience: printed("audience"), grant_type: "client_credentials" };
  for (const wrong of [
    { audience: undefined },
    { client_secret: "wrong" },
    { audience: "https://other.example" },
  ]) {
    const { status, body } = await request(`${publicUrl}/dev-auth/oauth/token`, {
      body: { ...grant, ...wrong },
    });
    assert.ok(status === 400 || status === 401, JSON.stringify(wrong));
    assert.equal(body.access_token, undefined);
  }
});

test("a token for discovery alone connects over MCP and makes no quote over REST", async (t) => {
  const grant = {
    ...credentials,
    audience: printed("audience"),
    grant_type: "client_credentials",
    scope: "discovery",
  };
  const { body } = await request(`${publicUrl}/dev-auth/oauth/token`, { body: grant });
  const { value } = await anMcpClient(t, publicUrl, body.access_token);
  await value("list_transfer_services");
  const refused = await request(`${publicUrl}/api/public/v1/quotes`, {
    token: body.access_token,
    body: REAL_JOURNEY,
  });
  assert.equal(refused.status, 401);
});

test("the official client finds its way from the 401 to a quote, by authorization code with PKCE", async (t) => {
  const provider = aProvider();
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), { authProvider: provider });
  const first = transport();
  await assert.rejects(new Client({ name: "tests", version: "1" }).connect(first), UnauthorizedError);

  const asked = provider.authorizationUrl();
  assert.equal(asked.origin + asked.pathname, `${publicUrl}/dev-auth/authorize`);
  assert.equal(asked.searchParams.get("code_challenge_method"), "S256");
  const back = await browse(asked);
  assert.equal(back.searchParams.get("state"), "state-1");
  await first.finishAuth(back.searchParams.get("code") ?? "");

  const { value } = await connected(t, transport());
  const quote = await value("create_transfer_quote", REAL_JOURNEY);
  assert.deepEqual(await value("get_transfer_quote", { quote_id: quote.quote_id }), quote);
  const { fleet_id } = quote.options[0];
  const terms = { quote_id: quote.quote_id, fleet_id, traveler_approval: true };
  assert.match((await value("create_checkout_handoff", terms)).checkout_url, /^http/);
});

/** What a browser does: it follows redirects and keeps cookies, until it is sent back to the client. */
async function browse(start: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let step = 0; step < 10; step += 1) {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { Cookie } });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    assert.ok(location, `${response.status} at ${url.pathname}: ${await response.text()}`);
    url = new URL(location, url);
    if (url.href.startsWith(REDIRECT)) return url;
  }
  throw new Error("the redirects lead nowhere");
}

/** A host with the demo client's registration; it keeps what it is given in memory. */
function aProvider(): OAuthClientProvider & { authorizationUrl(): URL } {
  let tokens: OAuthTokens | undefined;
  let verifier = "";
  let url: URL | undefined;
  return {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "tests", redirect_uris: [REDIRECT] },
    clientInformation: () => credentials,
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
    authorizationUrl() {
      assert.ok(url);
      return url;
    },
  };
}
