import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { auth, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { decodeJwt } from "jose";
import { browse } from "../../support/browser.ts";
import { ALL_SCOPES, AUDIENCE, aDevelopmentIssuer } from "../../support/development-issuer.ts";
import { aRealJourney } from "../../support/journey-fixture.ts";
import { anMcpClient, connected } from "../../support/mcp-client.ts";
import { aMetadataDocument, anOAuthProvider } from "../../support/oauth-client.ts";
import { request } from "../../support/service.ts";
import { wholeFile } from "../../support/whole-file.ts";

const { authorizeUrl, clientSecret, issuer, mcp, publicUrl } = await aDevelopmentIssuer(wholeFile);
/** As Claude Code publishes them: without a port, which the client chooses when it listens. */
const REDIRECTS = { redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"] };

test("connects from the /mcp URL alone with a client ID metadata document, and makes a quote", async (t) => {
  const document = await aMetadataDocument(t, REDIRECTS);
  const provider = anOAuthProvider({ clientMetadataUrl: document.url });
  await makeQuote(t, provider);
  const asked = provider.authorizationUrl().searchParams;
  assert.equal(asked.get("client_id"), document.url);
  assert.equal(asked.get("code_challenge_method"), "S256");
  assert.equal(asked.get("resource"), mcp);
  assert.equal(document.fetches(), 1, "the document is cached");
  const { iss, aud, sub, client_id, scope } = decodeJwt((await provider.tokens())?.access_token ?? "");
  assert.deepEqual({ iss, aud, sub }, { iss: issuer, aud: AUDIENCE, sub: "demo-traveler-agent" });
  assert.deepEqual([client_id, scope], [document.url, ALL_SCOPES]);
});

test("accepts a client metadata document that states its redirects only", async (t) => {
  const unstated = { grant_types: undefined, response_types: undefined, token_endpoint_auth_method: undefined };
  const document = await aMetadataDocument(t, { ...REDIRECTS, ...unstated });
  await makeQuote(t, anOAuthProvider({ clientMetadataUrl: document.url }));
});

for (const client of [{ client_id: "demo" }, { client_id: "demo", client_secret: clientSecret }]) {
  test(`connects with the demo client ${client.client_secret ? "and" : "without"} its secret`, async (t) => {
    await makeQuote(t, anOAuthProvider({ client }));
  });
}

test("gets a token by client credentials", async () => {
  const provider = new ClientCredentialsProvider({ clientId: "demo", clientSecret, expectedIssuer: issuer });
  assert.equal(await auth(provider, { serverUrl: mcp }), "AUTHORIZED");
  assert.equal(provider.tokens()?.scope, ALL_SCOPES);
});

test("signs in at http://localhost, and the token is accepted under every name", async (t) => {
  const url = mcp.replace("127.0.0.1", "localhost");
  const provider = anOAuthProvider({ client: { client_id: "demo" } });
  await makeQuote(t, provider, url);
  assert.equal(provider.authorizationUrl().searchParams.get("resource"), url);
  const token = (await provider.tokens())?.access_token ?? "";
  await (await anMcpClient(t, publicUrl, token)).value("list_vehicle_classes");
});

test("tells who registers to use the demo client or to allow registration", async () => {
  for (const url of [`${issuer}/register`, `${publicUrl}/register`]) {
    const { status, body } = await request(url, { body: REDIRECTS });
    assert.equal(status, 404);
    assert.match(body.error_description, /demo.*TRANSFER_DEV_REGISTRATION=true/);
  }
});

test("rejects dynamic registration", async () => {
  await assert.rejects(auth(anOAuthProvider(), { serverUrl: mcp }), /registration/);
});

test("allows dynamic registration with TRANSFER_DEV_REGISTRATION", async (t) => {
  const open = await aDevelopmentIssuer(t, { TRANSFER_DEV_REGISTRATION: "true" });
  const provider = anOAuthProvider();
  await makeQuote(t, provider, open.mcp);
  const clientId = (await provider.clientInformation())?.client_id;
  assert.ok(clientId && clientId !== "demo");
});

const unacceptable: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "with another client_id": { ...REDIRECTS, client_id: "https://else.test/oauth/metadata.json" },
  "with a shared secret": { ...REDIRECTS, token_endpoint_auth_method: "client_secret_post" },
  "without the redirect that is asked for": { redirect_uris: ["http://127.0.0.1/other"] },
  "with an http redirect to another machine": { redirect_uris: ["http://else.test/callback"] },
};
for (const [name, fields] of Object.entries(unacceptable)) {
  test(`rejects a client metadata document ${name}`, async (t) => {
    const { url } = await aMetadataDocument(t, fields);
    const { status, location } = await browse(authorizeUrl({ client_id: url }));
    assert.deepEqual({ status, location }, { status: 400, location: undefined });
  });
}

test("fetches no client metadata document from this machine or over http", async (t) => {
  const document = await aMetadataDocument(t, REDIRECTS);
  const port = new URL(mcp).port;
  for (const client_id of [`https://127.0.0.1:${port}/metadata.json`, document.url.replace("https:", "http:")]) {
    const { status, location } = await browse(authorizeUrl({ client_id }));
    assert.deepEqual({ status, location }, { status: 400, location: undefined }, client_id);
  }
  assert.equal(document.fetches(), 0);
});

const internal = ["127.0.0.1", "::1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"];
for (const address of [...internal, "0.0.0.0", "fd00::1", "fe80::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]) {
  test(`fetches no client metadata document from a name that resolves to ${address}`, async (t) => {
    const document = await aMetadataDocument(t, REDIRECTS, ["93.184.215.14", address]);
    const { status, location } = await browse(authorizeUrl({ client_id: document.url }));
    assert.deepEqual({ status, location }, { status: 400, location: undefined });
    assert.equal(document.fetches(), 0);
  });
}

/** Connects as a host does that knows the address alone: 401, discovery, sign-in, code, token, quote. */
async function makeQuote(t: TestContext, authProvider: ReturnType<typeof anOAuthProvider>, url = mcp): Promise<void> {
  const transport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider });
  const first = transport();
  await assert.rejects(new Client({ name: "tests", version: "1" }).connect(first), UnauthorizedError);
  const { location, text } = await browse(authProvider.authorizationUrl());
  assert.equal(location?.searchParams.get("state"), "state-1", text);
  await first.finishAuth(location?.searchParams.get("code") ?? "");

  const { value } = await connected(t, transport());
  const quote = await value("create_transfer_quote", aRealJourney());
  assert.equal((await value("get_transfer_quote", { quote_id: quote.quote_id })).total_price, quote.total_price);
}
