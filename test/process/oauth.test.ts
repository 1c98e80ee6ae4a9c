import assert from "node:assert/strict";
import { test } from "node:test";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { browse } from "../support/browser.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { connected } from "../support/mcp-client.ts";
import { anOAuthProvider } from "../support/oauth-provider.ts";
import { request } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const REAL_JOURNEY = aRealJourney();
const { publicUrl, welcome } = await startBuiltServer(wholeFile);
const printed = (name: string) => new RegExp(`${name} +([^\\s,]+)`).exec(welcome)?.[1] ?? "";
const credentials = { client_id: printed("client_id"), client_secret: printed("client_secret") };

test("issues a token that makes a quote to client credentials in JSON", async () => {
  const grant = { ...credentials, audience: printed("audience"), grant_type: "client_credentials" };
  const { status, body } = await request(`${publicUrl}/dev-auth/oauth/token`, { body: grant });
  assert.equal(status, 200);
  assert.equal(String(body.token_type).toLowerCase(), "bearer");
  const created = await request(`${publicUrl}/api/public/v1/quotes`, { token: body.access_token, body: REAL_JOURNEY });
  assert.equal(created.status, 201);
});

test("leads the official client from the 401 to a quote, by authorization code with PKCE", async (t) => {
  const provider = anOAuthProvider({ client: credentials });
  const transport = () => new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), { authProvider: provider });
  const first = transport();
  await assert.rejects(new Client({ name: "tests", version: "1" }).connect(first), UnauthorizedError);

  const asked = provider.authorizationUrl();
  assert.equal(asked.origin + asked.pathname, `${publicUrl}/dev-auth/authorize`);
  assert.equal(asked.searchParams.get("code_challenge_method"), "S256");
  const { location } = await browse(asked);
  assert.equal(location?.searchParams.get("state"), "state-1");
  await first.finishAuth(location?.searchParams.get("code") ?? "");

  const { value } = await connected(t, transport());
  const quote = await value("create_transfer_quote", REAL_JOURNEY);
  assert.deepEqual(await value("get_transfer_quote", { quote_id: quote.quote_id }), quote);
  const { fleet_id } = quote.options[0];
  const terms = { quote_id: quote.quote_id, fleet_id, traveler_approval: true };
  assert.match((await value("create_checkout_handoff", terms)).checkout_url, /^http/);
});
