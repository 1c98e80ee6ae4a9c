import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { auth, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import express from "express";
import { decodeJwt } from "jose";
import { createDevelopmentIssuer } from "../../src/identity/development-issuer.ts";
import { developmentKeySet, loadDevelopmentKeys } from "../../src/identity/development-keys.ts";
import { createJwtVerifier } from "../../src/identity/jwt-verifier.ts";
import { createRemoteKeys } from "../../src/identity/remote-keys.ts";
import { systemClock } from "../../src/ops/clock.ts";
import { silentLog } from "../../src/ops/log.ts";

const AUDIENCE = "https://api.transfer.test/";
const SCOPES = ["quote:create", "quote:read-own", "checkout:prepare", "discovery"];
const REDIRECT = "http://127.0.0.1:43117/callback";
const VERIFIER = randomBytes(32).toString("base64url");
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

/** An Express app on a free port with the issuer in it, as the service mounts it, and the metadata of `/mcp`. */
async function setUp(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "development-issuer-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const keys = await loadDevelopmentKeys(folder);
  const app = express();
  const server = app.listen(0, "127.0.0.1");
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const publicUrl = `http://127.0.0.1:${port}`;
  const mcp = `${publicUrl}/mcp`;
  const issuer = await createDevelopmentIssuer({
    publicUrl,
    audience: AUDIENCE,
    acceptedResources: [mcp],
    scopes: SCOPES,
    keys,
    log: silentLog,
  });
  app.use("/dev-auth", issuer.handler);
  app.use(issuer.wellKnown);
  app.get("/.well-known/oauth-protected-resource/mcp", (_req, res) => {
    res.json({ resource: mcp, authorization_servers: [issuer.issuer], scopes_supported: SCOPES });
  });
  const verifier = createJwtVerifier({
    issuer: issuer.issuer,
    audience: AUDIENCE,
    keys: developmentKeySet(keys),
    clock: systemClock,
  });
  const observed = { connections: () => connections };
  return { issuer, publicUrl, port, mcp, verifier, ...observed, ...requests(issuer.issuer) };
}

type Fields = Record<string, string>;

function requests(issuer: string) {
  const tokenUrl = `${issuer}/oauth/token`;
  /** POSTs to the token endpoint as JSON, or as a form. */
  async function token(fields: Fields, form = false, headers: Fields = {}) {
    const body = form ? new URLSearchParams(fields) : JSON.stringify(fields);
    const type: Fields = form ? {} : { "content-type": "application/json" };
    const response = await fetch(tokenUrl, { method: "POST", body, headers: { ...type, ...headers } });
    return { status: response.status, body: (await response.json()) as Fields, headers: response.headers };
  }

  /** An authorize request of the public document, with changes; a field given as "" is left out. */
  function authorizeUrl(changes: Fields = {}): URL {
    const url = new URL(`${issuer}/authorize`);
    const fields = {
      response_type: "code",
      client_id: "demo",
      redirect_uri: REDIRECT,
      audience: AUDIENCE,
      scope: "quote:create discovery",
      state: "as it was",
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
      ...changes,
    };
    for (const [name, value] of Object.entries(fields)) if (value !== "") url.searchParams.set(name, value);
    return url;
  }

  async function code(changes: Fields = {}): Promise<string> {
    const end = await browse(authorizeUrl(changes));
    assert.equal(end.location?.searchParams.get("error") ?? null, null, end.location?.href ?? end.text);
    return end.location?.searchParams.get("code") ?? assert.fail(end.text);
  }
  const redeem = (code: string, changes: Fields = {}): Fields => ({
    grant_type: "authorization_code",
    client_id: "demo",
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...changes,
  });
  return { token, authorizeUrl, code, redeem };
}

interface Browsed {
  readonly status: number;
  readonly text: string;
  /** The address outside the issuer that the browser was sent to at last. */
  readonly location?: URL;
}

/** Follows redirects and keeps cookies as a browser does, until it is sent away from where it started. */
async function browse(
  start: URL,
  jar = new Map<string, { value: string; path: string }>(),
): Promise<Browsed> {
  let url = start;
  for (let step = 0; step < 10; step += 1) {
    const cookies = [...jar].filter(([, { path }]) => url.pathname.startsWith(path));
    const cookie = cookies.map(([name, { value }]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie, accept: "text/html" } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const path = attributes.find((attribute) => attribute.startsWith("path="))?.slice(5) ?? "/";
      jar.set(pair.slice(0, pair.indexOf("=")), { value: pair.slice(pair.indexOf("=") + 1), path });
    }
    const target = response.headers.get("location");
    if (!target) return { status: response.status, text: await response.text() };
    await response.body?.cancel();
    url = new URL(target, url);
    if (url.origin !== start.origin) return { status: response.status, text: "", location: url };
  }
  throw new Error("too many redirects");
}

suite("development issuer: client credentials", () => {
  const fields = (clientSecret: string): Fields => ({
    grant_type: "client_credentials",
    client_id: "demo",
    client_secret: clientSecret,
    audience: AUDIENCE,
  });

  for (const form of [false, true]) {
    test(`gives a token to a ${form ? "form" : "JSON"} request`, async (t) => {
      const { issuer, token, verifier } = await setUp(t);
      const { status, body } = await token(fields(issuer.clientSecret), form);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.token_type, "Bearer");
      assert.equal(body.expires_in, 3600);
      assert.equal(body.scope, SCOPES.join(" "), "all scopes, as none was asked for");
      const principal = await verifier.verify(body.access_token ?? "");
      assert.deepEqual(principal, { subject: "demo", scopes: new Set(SCOPES) });
      const { iss, aud, exp = 0, iat = 0 } = decodeJwt(body.access_token ?? "");
      assert.deepEqual(
        { iss, aud, lifetime: exp - iat },
        { iss: issuer.issuer, aud: AUDIENCE, lifetime: 3600 },
      );
    });
  }

  test("grants what was asked for, and nothing that is no scope of ours", async (t) => {
    const { issuer, token, verifier } = await setUp(t);
    const scope = "quote:create admin";
    const { body } = await token({ ...fields(issuer.clientSecret), scope });
    assert.equal(body.scope, "quote:create");
    assert.deepEqual((await verifier.verify(body.access_token ?? ""))?.scopes, new Set(["quote:create"]));
  });

  test("takes the secret in the Authorization header too", async (t) => {
    const { issuer, token } = await setUp(t);
    const { client_id: _id, client_secret: _secret, ...rest } = fields(issuer.clientSecret);
    const authorization = `Basic ${btoa(`demo:${issuer.clientSecret}`)}`;
    for (const form of [true, false]) assert.equal((await token(rest, form, { authorization })).status, 200);
    const wrong = { authorization: `Basic ${btoa("demo:wrong")}` };
    assert.equal((await token(rest, true, wrong)).status, 401);
  });

  test("takes resource in place of audience; aud is the audience always", async (t) => {
    const { issuer, token, mcp } = await setUp(t);
    const { audience: _audience, ...rest } = fields(issuer.clientSecret);
    for (const form of [true, false]) {
      const { status, body } = await token({ ...rest, resource: mcp }, form);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(decodeJwt(body.access_token ?? "").aud, AUDIENCE);
    }
    assert.equal(
      (await token({ ...rest, audience: AUDIENCE, resource: mcp })).status,
      200,
      "both, as they agree",
    );
  });

  const refused: Record<string, readonly [Fields, string]> = {
    "without audience and resource": [{ audience: "" }, "invalid_target"],
    "with a foreign audience": [{ audience: "https://else.test/" }, "invalid_target"],
    "with a foreign resource": [{ audience: "", resource: "https://else.test/mcp" }, "invalid_target"],
    "with a foreign resource beside our audience": [{ resource: "https://else.test/" }, "invalid_target"],
    "with a wrong secret": [{ client_secret: "wrong" }, "invalid_client"],
    "without a secret": [{ client_secret: "" }, "invalid_client"],
    "of another client": [{ client_id: "other" }, "invalid_client"],
    "of a grant that is not offered": [{ grant_type: "password" }, "unsupported_grant_type"],
    "without a grant": [{ grant_type: "" }, "invalid_request"],
  };
  for (const [name, [changes, error]] of Object.entries(refused)) {
    test(`refuses a request ${name}`, async (t) => {
      const { issuer, token } = await setUp(t);
      for (const form of [false, true]) {
        const { status, body } = await token({ ...fields(issuer.clientSecret), ...changes }, form);
        assert.ok(status === 400 || status === 401, String(status));
        assert.equal(body.error, error, JSON.stringify(body));
        assert.equal(body.access_token, undefined);
      }
    });
  }

  test("refuses a body it cannot read as an OAuth error", async (t) => {
    const { issuer } = await setUp(t);
    const bodies: readonly (readonly [string, string])[] = [
      ["application/json", "{"],
      ["application/json", "[]"],
      ["application/json", "7"],
      ["application/json", JSON.stringify({ grant_type: "x".repeat(20_000) })],
      ["text/plain", "grant_type=client_credentials"],
      ["application/x-www-form-urlencoded", "grant_type=".padEnd(20_000, "x")],
    ];
    for (const [type, body] of bodies) {
      const init = { method: "POST", body, headers: { "content-type": type } };
      const response = await fetch(`${issuer.issuer}/oauth/token`, init);
      assert.equal(response.status, 400, body.slice(0, 20));
      assert.equal(((await response.json()) as Fields).error, "invalid_request");
    }
  });

  test("leaves the caller's connection open", async (t) => {
    const { issuer, token, connections } = await setUp(t);
    for (let n = 0; n < 20; n += 1) {
      assert.equal((await token(fields(issuer.clientSecret), n % 2 === 0)).status, 200);
    }
    assert.ok(connections() <= 3, `${connections()} connections for 20 requests`);
  });
});

suite("development issuer: authorization code", () => {
  for (const form of [false, true]) {
    test(`signs the demo person in and redeems the code of a ${form ? "form" : "JSON"} request`, async (t) => {
      const { authorizeUrl, token, redeem, verifier, issuer } = await setUp(t);
      const { location } = await browse(authorizeUrl());
      assert.equal(`${location?.origin}${location?.pathname}`, REDIRECT);
      assert.equal(location?.searchParams.get("state"), "as it was");
      assert.equal(location?.searchParams.get("iss"), issuer.issuer);
      const { status, body } = await token(redeem(location?.searchParams.get("code") ?? ""), form);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.scope, "quote:create discovery");
      assert.equal(body.expires_in, 3600);
      const principal = await verifier.verify(body.access_token ?? "");
      assert.deepEqual(principal, {
        subject: "demo-traveler-agent",
        scopes: new Set(["quote:create", "discovery"]),
      });
      assert.equal(decodeJwt(body.access_token ?? "").aud, AUDIENCE);
    });
  }

  test("takes the secret with the code as well, but no wrong one", async (t) => {
    const { code, token, redeem, issuer } = await setUp(t);
    const wrong = await token(redeem(await code(), { client_secret: "wrong" }));
    assert.equal(wrong.body.error, "invalid_client");
    const right = await token(redeem(await code(), { client_secret: issuer.clientSecret }));
    assert.equal(right.status, 200);
    const { client_id: _id, ...rest } = redeem(await code());
    const authorization = `Basic ${btoa(`demo:${issuer.clientSecret}`)}`;
    assert.equal((await token(rest, true, { authorization })).status, 200);
  });

  test("asks for all scopes where none is named", async (t) => {
    const { code, token, redeem } = await setUp(t);
    assert.equal((await token(redeem(await code({ scope: "" })))).body.scope, SCOPES.join(" "));
  });

  test("signs in again in a browser that was here before, and in two windows at once", async (t) => {
    const { authorizeUrl } = await setUp(t);
    const jar = new Map();
    for (let n = 0; n < 2; n += 1) {
      const { location } = await browse(authorizeUrl({ state: `s${n}` }), jar);
      assert.equal(location?.searchParams.get("state"), `s${n}`);
      assert.ok(location?.searchParams.get("code"), location?.href);
    }
    const windows = ["a", "b"].map((state) => browse(authorizeUrl({ state })));
    const states = (await Promise.all(windows)).map(({ location }) => location?.searchParams.get("state"));
    assert.deepEqual(states, ["a", "b"]);
  });

  test("takes resource at either step, mixed with audience", async (t) => {
    const { code, token, redeem, mcp } = await setUp(t);
    for (const [atAuthorize, atToken] of [
      [{ audience: "", resource: mcp }, { resource: mcp }],
      [{ audience: "", resource: mcp }, {}],
      [{}, { resource: mcp }],
      [{}, { audience: AUDIENCE }],
    ] as const) {
      const { status, body } = await token(redeem(await code(atAuthorize), atToken));
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(decodeJwt(body.access_token ?? "").aud, AUDIENCE);
    }
    const foreign = await token(redeem(await code(), { resource: "https://else.test/" }));
    assert.equal(foreign.body.error, "invalid_target");
  });

  for (const path of ["/", "/callback", "/oauth/callback", "/oauth/callback/debug", "/auth/callback"]) {
    test(`knows the loopback redirect ${path} on any port`, async (t) => {
      const { code, token, redeem } = await setUp(t);
      for (const host of ["127.0.0.1:9", "localhost:6274", "[::1]:65000", "localhost"]) {
        const redirect_uri = `http://${host}${path}`;
        const { status } = await token(redeem(await code({ redirect_uri }), { redirect_uri }));
        assert.equal(status, 200, redirect_uri);
      }
    });
  }

  for (const redirect_uri of [
    "https://else.test/callback",
    "http://else.test/callback",
    "http://127.0.0.1:43117/elsewhere",
    "http://127.0.0.1:43117/callback/more",
    "http://127.0.0.1.else.test/callback",
    "http://127.0.0.1@else.test/callback",
    "http://127.0.0.1:43117/callback?next=https://else.test",
    "https://127.0.0.1:43117/callback",
    "http://192.168.1.2:43117/callback",
  ]) {
    test(`fails at authorize with the unregistered redirect ${redirect_uri}`, async (t) => {
      const { authorizeUrl } = await setUp(t);
      const { status, location, text } = await browse(authorizeUrl({ redirect_uri }));
      assert.equal(location, undefined, "nobody is sent there");
      assert.equal(status, 400);
      assert.match(text, /invalid_redirect_uri/);
    });
  }

  const refused: Record<string, readonly [Fields, string]> = {
    "without PKCE": [{ code_challenge: "", code_challenge_method: "" }, "invalid_request"],
    "with plain PKCE": [{ code_challenge_method: "plain", code_challenge: VERIFIER }, "invalid_request"],
    "with a challenge but no method": [{ code_challenge_method: "" }, "invalid_request"],
    "without audience and resource": [{ audience: "" }, "invalid_target"],
    "with a foreign audience": [{ audience: "https://else.test/" }, "invalid_target"],
    "with a foreign resource": [{ audience: "", resource: "https://else.test/mcp" }, "invalid_target"],
    "for a token in the fragment": [{ response_type: "token" }, "unsupported_response_type"],
  };
  for (const [name, [changes, error]] of Object.entries(refused)) {
    test(`fails at authorize ${name}`, async (t) => {
      const { authorizeUrl } = await setUp(t);
      const { location, text } = await browse(authorizeUrl(changes));
      const answer = location && new URLSearchParams(location.search || location.hash.slice(1));
      assert.equal(answer?.get("error"), error, location?.href ?? text);
      assert.equal(answer?.get("state"), "as it was");
      assert.equal(answer?.get("code"), null);
    });
  }

  test("fails at authorize for a client that is not registered, without a redirect", async (t) => {
    const { authorizeUrl } = await setUp(t);
    const { status, location } = await browse(authorizeUrl({ client_id: "self-made" }));
    assert.deepEqual({ status, location }, { status: 400, location: undefined });
  });

  test("gives a code one use: a second redeems nothing", async (t) => {
    const { code, token, redeem } = await setUp(t);
    const fields = redeem(await code());
    assert.equal((await token(fields)).status, 200);
    const again = await token(fields);
    assert.equal(again.status, 400);
    assert.equal(again.body.error, "invalid_grant");
  });

  const unredeemed: Record<string, readonly [Fields, string]> = {
    "with a wrong verifier": [{ code_verifier: randomBytes(32).toString("base64url") }, "invalid_grant"],
    "without a verifier": [{ code_verifier: "" }, "invalid_grant"],
    "with another redirect": [{ redirect_uri: "http://127.0.0.1:43118/callback" }, "invalid_grant"],
    "with another code": [{ code: "made-up" }, "invalid_grant"],
    "as another client": [{ client_id: "other" }, "invalid_client"],
  };
  for (const [name, [changes, error]] of Object.entries(unredeemed)) {
    test(`redeems no code ${name}`, async (t) => {
      const { code, token, redeem } = await setUp(t);
      const { status, body } = await token(redeem(await code(), changes));
      assert.ok(status === 400 || status === 401);
      assert.equal(body.error, error, JSON.stringify(body));
    });
  }

  test("gives a refresh token for offline_access, which gives the same scopes again", async (t) => {
    const { code, token, redeem, verifier } = await setUp(t);
    const offline = await code({ scope: "quote:create offline_access", prompt: "consent" });
    const { body } = await token(redeem(offline));
    assert.equal((await verifier.verify(body.access_token ?? ""))?.scopes.has("quote:create"), true);
    const refresh = {
      grant_type: "refresh_token",
      client_id: "demo",
      refresh_token: body.refresh_token ?? "",
    };
    const renewed = await token(refresh);
    assert.equal(renewed.status, 200, JSON.stringify(renewed.body));
    const principal = await verifier.verify(renewed.body.access_token ?? "");
    assert.deepEqual(principal?.scopes, new Set(["quote:create"]));
  });

  test("an interaction that has ended is an error, not a crash", async (t) => {
    const { issuer } = await setUp(t);
    const response = await fetch(`${issuer.issuer}/interaction/gone`);
    assert.equal(response.status, 400);
    assert.equal(((await response.json()) as Fields).error, "invalid_request");
  });
});

suite("development issuer: documents", () => {
  test("the metadata is the same everywhere, and says what there is", async (t) => {
    const { issuer, publicUrl, port } = await setUp(t);
    const addresses = [
      `${issuer.issuer}/.well-known/openid-configuration`,
      `${issuer.issuer}/.well-known/oauth-authorization-server`,
      `${publicUrl}/.well-known/oauth-authorization-server/dev-auth`,
      `${publicUrl}/.well-known/openid-configuration/dev-auth`,
      `http://localhost:${port}/.well-known/openid-configuration/dev-auth`,
    ];
    const [first, ...others] = await Promise.all(
      addresses.map(async (url) => (await fetch(url)).json() as Promise<Record<string, unknown>>),
    );
    for (const other of others) assert.deepEqual(other, first);
    assert.equal(first?.issuer, issuer.issuer);
    assert.equal(first?.token_endpoint, `${issuer.issuer}/oauth/token`);
    assert.equal(first?.authorization_endpoint, `${issuer.issuer}/authorize`);
    assert.equal(first?.jwks_uri, `${issuer.issuer}/.well-known/jwks.json`);
    assert.deepEqual(first?.code_challenge_methods_supported, ["S256"]);
    assert.deepEqual(first?.response_types_supported, ["code"]);
    assert.equal(first?.registration_endpoint, undefined);
    assert.deepEqual(first?.scopes_supported, [...SCOPES, "openid", "offline_access"]);
    const methods = ["client_secret_basic", "client_secret_post", "none"];
    assert.deepEqual(first?.token_endpoint_auth_methods_supported, methods);
    const grants = first?.grant_types_supported as string[];
    assert.deepEqual(grants.sort(), ["authorization_code", "client_credentials", "refresh_token"]);
  });

  test("the published keys verify its tokens and have no private half", async (t) => {
    const { issuer, token } = await setUp(t);
    const url = `${issuer.issuer}/.well-known/jwks.json`;
    assert.doesNotMatch(await (await fetch(url)).text(), /"d"/);
    const keys = createRemoteKeys({ url, log: silentLog });
    const verifier = createJwtVerifier({
      issuer: issuer.issuer,
      audience: AUDIENCE,
      keys,
      clock: systemClock,
    });
    const fields = { client_id: "demo", client_secret: issuer.clientSecret, audience: AUDIENCE };
    const { body } = await token({ grant_type: "client_credentials", ...fields });
    assert.equal((await verifier.verify(body.access_token ?? ""))?.subject, "demo");
  });

  test("there is no registration, and nothing else of the library's", async (t) => {
    const { issuer } = await setUp(t);
    for (const path of [
      "reg",
      "register",
      "oauth/register",
      "me",
      "token/revocation",
      "session/end",
      "request",
    ]) {
      for (const method of ["GET", "POST"]) {
        const response = await fetch(`${issuer.issuer}/${path}`, { method });
        assert.equal(response.status, 404, `${method} ${path}`);
        assert.match(await response.text(), /Cannot/, "the caller's own answer");
      }
    }
  });

  test("a page on this machine may ask from a browser, another may not", async (t) => {
    const { issuer, token } = await setUp(t);
    const fields = { client_id: "demo", client_secret: issuer.clientSecret, audience: AUDIENCE };
    const ask = (origin: string) => token({ grant_type: "client_credentials", ...fields }, true, { origin });
    const inspector = await ask("http://localhost:6274");
    assert.equal(inspector.status, 200);
    assert.equal(inspector.headers.get("access-control-allow-origin"), "http://localhost:6274");
    const preflight = await fetch(`${issuer.issuer}/oauth/token`, {
      method: "OPTIONS",
      headers: { origin: "http://localhost:6274", "access-control-request-method": "POST" },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get("access-control-allow-origin"), "http://localhost:6274");
    const foreign = await ask("https://else.test");
    assert.equal(foreign.status, 400);
    assert.equal(foreign.headers.get("access-control-allow-origin"), null);
  });

  test("a browser that came by localhost stays there", async (t) => {
    const { port, authorizeUrl } = await setUp(t);
    const url = authorizeUrl();
    url.hostname = "localhost";
    const { location, text } = await browse(url);
    assert.ok(location?.searchParams.get("code"), `${location?.href ?? text} ${port}`);
  });

  test("the library writes nothing to the console while it answers", async (t) => {
    const lines: unknown[] = [];
    for (const method of ["log", "info", "warn", "error"] as const) {
      t.mock.method(console, method, (line: unknown) => void lines.push(line));
    }
    const { code, token, redeem, issuer } = await setUp(t);
    await token(redeem(await code()));
    await token({ grant_type: "client_credentials", client_id: "demo", client_secret: issuer.clientSecret });
    assert.deepEqual(lines, []);
  });

  test("nor while it is loaded, and the console works afterwards", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "development-issuer-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const source = (name: string) => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href);
    const program = `
      const { createDevelopmentIssuer } = await import(${source("identity/development-issuer.ts")});
      const { loadDevelopmentKeys } = await import(${source("identity/development-keys.ts")});
      const keys = await loadDevelopmentKeys(${JSON.stringify(folder)});
      const log = { info() {}, warn() {}, error() {} };
      const rest = { audience: "https://a.test/", acceptedResources: [], scopes: ["a"], keys, log };
      const create = (port) => createDevelopmentIssuer({ publicUrl: "http://127.0.0.1:" + port, ...rest });
      await Promise.all([create(1), create(2)]);
      console.info("out"); console.warn("err");`;
    const args = ["--import", "tsx", "--input-type=module", "--eval", program];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
    assert.equal(stdout, "out\n");
    assert.match(stderr, /^err$/m);
    assert.doesNotMatch(stderr, /oidc-provider/);
  });
});

suite("development issuer: the MCP SDK's client", () => {
  test("gets a token by client credentials", async (t) => {
    const { issuer, mcp, verifier } = await setUp(t);
    const provider = new ClientCredentialsProvider({
      clientId: issuer.clientId,
      clientSecret: issuer.clientSecret,
      expectedIssuer: issuer.issuer,
    });
    assert.equal(await auth(provider, { serverUrl: mcp }), "AUTHORIZED");
    const principal = await verifier.verify(provider.tokens()?.access_token ?? "");
    assert.deepEqual(principal, { subject: "demo", scopes: new Set(SCOPES) });
  });

  for (const secret of [false, true]) {
    test(`gets a token by authorization code, ${secret ? "with" : "without"} the secret`, async (t) => {
      const { issuer, mcp, verifier } = await setUp(t);
      const provider = scriptedProvider(secret ? issuer.clientSecret : undefined);
      assert.equal(await auth(provider, { serverUrl: mcp }), "REDIRECT");
      const { location, text } = await browse(provider.sentTo() ?? assert.fail("no redirect"));
      const authorizationCode = location?.searchParams.get("code") ?? assert.fail(text);
      assert.equal(await auth(provider, { serverUrl: mcp, authorizationCode }), "AUTHORIZED");
      const principal = await verifier.verify(provider.tokens()?.access_token ?? "");
      assert.deepEqual(principal, { subject: "demo-traveler-agent", scopes: new Set(SCOPES) });
    });
  }

  test("cannot register itself", async (t) => {
    const { mcp } = await setUp(t);
    const provider = { ...scriptedProvider(undefined), clientInformation: () => undefined };
    const registering = { ...provider, saveClientInformation() {} };
    await assert.rejects(auth(registering, { serverUrl: mcp }), /registration/);
  });
});

/** What an MCP host keeps for the SDK, with a note of where the browser was sent. */
function scriptedProvider(clientSecret: string | undefined) {
  const kept: { tokens?: OAuthTokens; verifier: string; address?: URL } = { verifier: "" };
  const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
  return {
    redirectUrl: REDIRECT,
    clientMetadata: { redirect_uris: [REDIRECT] },
    clientInformation: () => ({ client_id: "demo", ...secret }),
    tokens: () => kept.tokens,
    saveTokens(tokens: OAuthTokens) {
      kept.tokens = tokens;
    },
    redirectToAuthorization(url: URL) {
      kept.address = url;
    },
    saveCodeVerifier(value: string) {
      kept.verifier = value;
    },
    codeVerifier: () => kept.verifier,
    sentTo: () => kept.address,
  } satisfies OAuthClientProvider & { sentTo(): URL | undefined };
}
