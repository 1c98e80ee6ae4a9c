import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { auth, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { decodeJwt } from "jose";
import { browse, type CookieJar } from "../../support/browser.ts";
import { ALL_SCOPES, AUDIENCE, aDevelopmentIssuer, type Fields, redeem } from "../../support/development-issuer.ts";
import { aRealJourney } from "../../support/journey-fixture.ts";
import { wholeFile } from "../../support/lifetime.ts";
import { connected } from "../../support/mcp-client.ts";
import { aMetadataDocument, anOAuthProvider } from "../../support/oauth-client.ts";
import { send } from "../../support/raw-http.ts";
import { request } from "../../support/service.ts";

const { issuer, clientSecret, mcp, publicUrl, verifier, ask, token, code, authorizeUrl } =
  await aDevelopmentIssuer(wholeFile);

suite("client credentials of the development issuer", () => {
  for (const form of [false, true])
    test(`give the demo client a token for an hour, asked for by ${form ? "form" : "JSON"}`, async () => {
      const { status, body } = await ask({}, form);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.token_type, body.expires_in, body.scope], ["Bearer", 3600, ALL_SCOPES]);
      const scopes = new Set(ALL_SCOPES.split(" "));
      const principal = await verifier.verify(body.access_token ?? "");
      assert.deepEqual(principal, { subject: "demo", owner: "demo", client: "demo", scopes });
    });

  // biome-ignore format: a table reads by its columns
  const ASKED: readonly (readonly [what: string, changes: Fields, error?: string])[] = [
    ["the endpoint of MCP as the resource", { audience: "", resource: mcp }],
    ["resource and audience", { resource: mcp }],
    ["the service's address as the audience", { audience: publicUrl }],
    ["neither audience nor resource", { audience: "" }, "invalid_target"],
    ["an unknown audience", { audience: "https://else.test/" }, "invalid_target"],
    ["an unknown resource beside the audience", { resource: "https://else.test/" }, "invalid_target"],
    ["a wrong secret", { client_secret: "wrong" }, "invalid_client"],
    ["no secret", { client_secret: "" }, "invalid_client"],
    ["an unknown client", { client_id: "other" }, "invalid_client"],
    ["another grant", { grant_type: "password" }, "unsupported_grant_type"],
    ["no grant", { grant_type: "" }, "invalid_request"],
  ];
  for (const [what, changes, error] of ASKED)
    test(`${error ? `are refused as ${error} for` : "are accepted for"} ${what}`, async () => {
      const { body } = await ask(changes);
      assert.equal(body.error, error, JSON.stringify(body));
      assert.equal(body.access_token && decodeJwt(body.access_token).aud, error ? undefined : AUDIENCE);
    });

  test("give no scope that is unknown or was not asked for", async () => {
    assert.equal((await ask({ scope: "quote:create admin" })).body.scope, "quote:create");
  });

  test("may be in the Authorization header", async () => {
    const basic = (secret: string) => ({ authorization: `Basic ${btoa(`demo:${secret}`)}` });
    const inHeader = { client_id: "", client_secret: "" };
    for (const form of [true, false]) assert.equal((await ask(inHeader, form, basic(clientSecret))).status, 200);
    assert.equal((await ask(inHeader, true, basic("wrong"))).status, 401);
  });

  test("in a body that cannot be read are an OAuth error", async () => {
    // biome-ignore format: several fit on a line
    const bodies = [
      ["application/json", "{"], ["application/json", "[]"], ["application/json", "7"], ["text/plain", "grant_type=x"],
      ["application/json", JSON.stringify({ grant_type: "x".repeat(20_000) })], ["application/x-www-form-urlencoded", ""],
    ] as const;
    for (const [type, body] of bodies) {
      const init = { method: "POST", body, headers: { "content-type": type } };
      const response = await fetch(`${issuer}/oauth/token`, init);
      assert.equal(response.status, 400, body.slice(0, 20));
      assert.equal(((await response.json()) as Fields).error, "invalid_request");
    }
  });
});

suite("a sign-in at the development issuer", () => {
  test("succeeds without a question, and its code is redeemed without the secret of the demo client", async () => {
    const { location } = await browse(authorizeUrl());
    assert.deepEqual(
      ["state", "iss"].map((name) => location?.searchParams.get(name)),
      ["as it was", issuer],
    );
    const { status, body } = await token(redeem(location?.searchParams.get("code") ?? ""));
    assert.equal(status, 200, JSON.stringify(body));
    const subject = "demo-traveler-agent";
    const scopes = new Set(["quote:create", "discovery"]);
    const principal = await verifier.verify(body.access_token ?? "");
    assert.deepEqual(principal, { subject, owner: subject, client: "demo", scopes });
    const all = await token(redeem(await code({ scope: "", audience: "" })));
    assert.deepEqual([all.status, all.body.scope], [200, ALL_SCOPES]);
  });

  test("succeeds again in the same browser, and in two windows at once", async () => {
    const jar: CookieJar = new Map();
    const again = [await browse(authorizeUrl({ state: "a" }), jar), await browse(authorizeUrl({ state: "b" }), jar)];
    const windows = await Promise.all(["a", "b"].map((state) => browse(authorizeUrl({ state }))));
    for (const pages of [again, windows])
      assert.deepEqual(
        pages.map(({ location }) => location?.searchParams.get("state")),
        ["a", "b"],
      );
  });

  test("names the resource or the audience at either step", async () => {
    const resource = { audience: "", resource: mcp };
    // biome-ignore format: several fit on a line
    const steps = [
      [resource, { resource: mcp }], [resource, {}], [{}, { audience: AUDIENCE }],
      [{ audience: "", resource: publicUrl }, { resource: `${publicUrl}/` }],
    ] as const;
    for (const [atAuthorize, atToken] of steps) {
      const { body } = await token(redeem(await code(atAuthorize), atToken));
      assert.equal(decodeJwt(body.access_token ?? "").aud, AUDIENCE, JSON.stringify(body));
    }
    const unknown = await token(redeem(await code(), { resource: "https://else.test/" }));
    assert.equal(unknown.body.error, "invalid_target");
  });

  for (const redirect_uri of [
    ...[
      "http://127.0.0.1:9/callback",
      "http://localhost:6274/oauth/callback/debug",
      "http://[::1]:65000/auth/callback",
    ],
    ...["http://localhost/", "http://127.0.0.1/oauth/callback", "http://localhost:3334/mcp/oauth/callback"],
  ])
    test(`returns to ${redirect_uri}, a known path of this machine`, async () => {
      assert.equal((await token(redeem(await code({ redirect_uri }), { redirect_uri }))).status, 200);
    });

  for (const redirect_uri of [
    "https://else.test/callback",
    "http://127.0.0.1:43117/callback/more",
    "http://127.0.0.1.else.test/callback",
    "http://192.168.1.2:43117/callback",
  ])
    test(`never returns to ${redirect_uri}`, async () => {
      const { status, location, text } = await browse(authorizeUrl({ redirect_uri }));
      assert.deepEqual({ status, location }, { status: 400, location: undefined });
      assert.match(text, /^This sign-in failed: .* \(invalid_redirect_uri\)\.$/m);
    });
});

/** As Claude Code publishes them: without a port, which the client chooses when it listens. */
const REDIRECTS = { redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"] };

suite("the official client that knows the address of MCP alone", () => {
  test("signs in with a metadata document, and makes a quote", async (t) => {
    const document = await aMetadataDocument(t, REDIRECTS);
    const provider = anOAuthProvider({ clientMetadataUrl: document.url });
    await makeQuote(t, provider);
    const asked = provider.authorizationUrl().searchParams;
    assert.deepEqual(
      ["client_id", "code_challenge_method", "resource"].map((name) => asked.get(name)),
      [document.url, "S256", mcp],
    );
    assert.equal(document.fetches(), 1, "the document is cached");
    const { iss, aud, client_id, scope } = decodeJwt((await provider.tokens())?.access_token ?? "");
    assert.deepEqual([iss, aud, client_id, scope], [issuer, AUDIENCE, document.url, ALL_SCOPES]);
  });

  test("may state its redirects only", async (t) => {
    const unstated = { grant_types: undefined, response_types: undefined, token_endpoint_auth_method: undefined };
    const document = await aMetadataDocument(t, { ...REDIRECTS, ...unstated });
    await makeQuote(t, anOAuthProvider({ clientMetadataUrl: document.url }));
  });

  for (const client of [{ client_id: "demo" }, { client_id: "demo", client_secret: clientSecret }])
    test(`signs in at localhost as the demo client ${client.client_secret ? "and" : "without"} its secret`, async (t) => {
      await makeQuote(t, anOAuthProvider({ client }), mcp.replace("127.0.0.1", "localhost"));
    });

  test("gets a token by client credentials", async () => {
    const provider = new ClientCredentialsProvider({ clientId: "demo", clientSecret, expectedIssuer: issuer });
    assert.equal(await auth(provider, { serverUrl: mcp }), "AUTHORIZED");
  });

  test("registers with TRANSFER_DEV_REGISTRATION alone, and is otherwise told what to do instead", async (t) => {
    for (const url of [`${issuer}/register`, `${publicUrl}/register`]) {
      const { status, body } = await request(url, { body: REDIRECTS });
      assert.equal(status, 404);
      assert.match(body.error_description, /demo.*TRANSFER_DEV_REGISTRATION=true/);
    }
    await assert.rejects(auth(anOAuthProvider(), { serverUrl: mcp }), /registration/);
    const open = await aDevelopmentIssuer(t, { TRANSFER_DEV_REGISTRATION: "true" });
    await makeQuote(t, anOAuthProvider(), open.mcp);
  });
});

suite("addresses of the development issuer", () => {
  test("have one metadata document, wherever clients look for it", async () => {
    const addresses = [
      `${issuer}/.well-known/openid-configuration`,
      `${issuer}/.well-known/oauth-authorization-server`,
      `${publicUrl}/.well-known/oauth-authorization-server/dev-auth`,
      // Where MCP 2025-03-26 looks for it.
      `${publicUrl}/.well-known/oauth-authorization-server`,
      `${publicUrl}/.well-known/openid-configuration/dev-auth?x`,
      `${issuer.replace("127.0.0.1", "localhost")}/.well-known/openid-configuration`,
    ];
    const [first, ...others] = await Promise.all(
      addresses.map(async (url) => (await fetch(url)).json() as Promise<Record<string, unknown>>),
    );
    for (const other of others) assert.deepEqual(other, first);
    const expected = {
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      authorization_endpoint: `${issuer}/authorize`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      registration_endpoint: undefined,
      client_id_metadata_document_supported: true,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    };
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(first?.[name], value, name);
  });

  test("are those of the documents alone: the library's other endpoints are unknown", async () => {
    for (const path of ["reg", "oauth/register", "me", "token/revocation", "session/end", "request"])
      for (const method of ["GET", "POST"])
        assert.equal((await fetch(`${issuer}/${path}`, { method })).status, 404, `${method} ${path}`);
  });

  test("are read by pages of this machine only", async () => {
    const own = await ask({}, true, { origin: "http://localhost:6274" });
    assert.deepEqual([own.status, own.headers.get("access-control-allow-origin")], [200, "http://localhost:6274"]);
    const foreign = await ask({}, true, { origin: "https://else.test" });
    assert.deepEqual([foreign.status, foreign.headers.get("access-control-allow-origin")], [400, null]);
  });

  test("reject every host that is not loopback", async () => {
    for (const path of [
      ...["/dev-auth/authorize", "/dev-auth/oauth/token", "/dev-auth/.well-known/openid-configuration"],
      ...["/.well-known/oauth-authorization-server/dev-auth", "/.well-known/openid-configuration/dev-auth"],
    ]) {
      const statusAs = async (Host: string) => (await send(`${publicUrl}${path}`, "GET", { Host })).status;
      for (const host of ["quotes.example.com", "192.168.1.10:3000", "localhost.example.com", "0.0.0.0", "a b"])
        assert.equal(await statusAs(host), 403, `${path} as ${host}`);
      for (const host of ["localhost:1", "127.0.0.2", "[::1]:3000"])
        assert.notEqual(await statusAs(host), 403, `${path} as ${host}`);
    }
  });
});

/** Connects as a host does that knows the address alone: 401, discovery, sign-in, code, token, quote. */
async function makeQuote(t: TestContext, authProvider: ReturnType<typeof anOAuthProvider>, url = mcp): Promise<void> {
  const transport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider });
  const first = transport();
  await assert.rejects(new Client({ name: "tests", version: "1" }).connect(first), UnauthorizedError);
  const { location, text } = await browse(authProvider.authorizationUrl());
  assert.equal(location?.searchParams.get("state"), "state-1", text);
  await first.finishAuth(location?.searchParams.get("code") ?? "");
  const { value } = await connected(t, transport());
  assert.equal((await value("create_transfer_quote", aRealJourney())).status, "open");
}
