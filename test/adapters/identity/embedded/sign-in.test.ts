import assert from "node:assert/strict";
import { test } from "node:test";
import { auth, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { decodeJwt } from "jose";
import { renewSecret, revokeCredential } from "../../../../src/adapters/identity/embedded/credentials.ts";
import { openIssuerStore } from "../../../../src/operate/compose/compose-embedded-issuer.ts";
import { readConfig } from "../../../../src/operate/config/config.ts";
import { type Fields, REDIRECT } from "../../../support/development-issuer.ts";
import { anEmbeddedIssuer, authorizeUrl, ISSUER, issuerAt, PUBLIC_URL } from "../../../support/embedded-issuer.ts";
import { aRealJourney } from "../../../support/journey-fixture.ts";
import { wholeFile } from "../../../support/lifetime.ts";
import { connected } from "../../../support/mcp-client.ts";
import { aMetadataDocument, anOAuthProvider } from "../../../support/oauth-client.ts";

const { settings, send, token, consent, signIn, code, issue, api } = await anEmbeddedIssuer(wholeFile);
const MCP = `${PUBLIC_URL}/mcp`;
await issue("host", { kind: "redirect", redirects: [REDIRECT] });
const secret = await issue("partner", { kind: "machine" });
const JOURNEY = aRealJourney();

async function revoke(name: string): Promise<number | undefined> {
  const store = await openIssuerStore(readConfig(settings));
  return revokeCredential(store, name, new Date()).finally(store.close);
}

for (const kind of ["a registered client", "a client ID metadata document of an admitted host"]) {
  test(`the official client signs in as ${kind}, and makes a quote`, async (t) => {
    const document = await aMetadataDocument(t, { redirect_uris: ["http://127.0.0.1/callback"] });
    const isRegistered = kind === "a registered client";
    if (!isRegistered) await issue("admitted", { kind: "host", host: new URL(document.url).host });
    const authProvider = anOAuthProvider(
      isRegistered ? { client: { client_id: "host" } } : { clientMetadataUrl: document.url },
    );
    const transport = () => new StreamableHTTPClientTransport(new URL(MCP), { authProvider, fetch: send });
    const first = transport();
    await assert.rejects(new Client({ name: "tests", version: "1" }).connect(first), UnauthorizedError);
    const { location, text } = await signIn(authProvider.authorizationUrl());
    assert.equal(location?.searchParams.get("state"), "state-1", text);
    assert.equal(location?.searchParams.get("iss"), ISSUER);
    await first.finishAuth(location?.searchParams.get("code") ?? "");
    const { value } = await connected(t, transport());
    const quote = await value("create_transfer_quote", JOURNEY);
    assert.equal((await value("get_transfer_quote", { quote_id: quote.quote_id })).total_price, quote.total_price);
    const tokens = await authProvider.tokens();
    const { iss, aud, client_id, exp = 0, iat = 0 } = decodeJwt(tokens?.access_token ?? "");
    assert.deepEqual({ iss, aud, lifetime: exp - iat }, { iss: ISSUER, aud: MCP, lifetime: 3600 });
    assert.equal(client_id, isRegistered ? "host" : document.url);
    // The official client renews its tokens without the person.
    assert.equal(await auth(authProvider, { serverUrl: MCP, fetchFn: send }), "AUTHORIZED");
    assert.notEqual((await authProvider.tokens())?.refresh_token, tokens?.refresh_token);
  });
}

test("a partner gets tokens with its secret, in the body or the header, for itself", async () => {
  const provider = new ClientCredentialsProvider({ clientId: "partner", clientSecret: secret, expectedIssuer: ISSUER });
  assert.equal(await auth(provider, { serverUrl: MCP, fetchFn: send }), "AUTHORIZED");
  const { sub, client_id } = decodeJwt(provider.tokens()?.access_token ?? "");
  assert.deepEqual([sub, client_id], ["partner", "partner"]);
  const basic = Buffer.from(`partner:${secret}`).toString("base64");
  const asked = { grant_type: "client_credentials", resource: MCP };
  const { status, body } = await token(asked, { authorization: `Basic ${basic}` });
  assert.equal(status, 200);
  assert.equal(body.refresh_token, undefined);
  const quote = await api("/quotes", { token: body.access_token, body: JOURNEY });
  assert.equal(quote.status, 201);
});

test("the page says who asks for what and where it leads, without a script, and cannot be framed", async () => {
  const { status, text, headers } = await consent(authorizeUrl("host").url);
  assert.equal(status, 200);
  for (const part of [
    "<strong>host</strong>",
    "ask for binding prices",
    "return to http://127.0.0.1:43117",
    "Example Transfers",
  ])
    assert.ok(text.includes(part), part);
  assert.ok(!text.includes("prepare a link"), "a scope that was not asked for");
  assert.doesNotMatch(text, /<script|checkout:prepare/);
  const policy = headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'.*form-action 'self' http:; frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /script-src|unsafe/);
  assert.equal(headers.get("x-frame-options"), "DENY");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("referrer-policy"), "no-referrer");
});

test("a person who declines is sent back without a code", async () => {
  const { location } = await signIn(authorizeUrl("host").url, "deny");
  assert.equal(location?.searchParams.get("error"), "access_denied");
  assert.equal(location?.searchParams.get("state"), "as it was");
  assert.equal(location?.searchParams.get("code"), null);
});

test("each sign-in asks again, and is a subject of its own that reads its quotes alone", async () => {
  const subjects = await Promise.all([code("host"), code("host")].map(async (redeem) => token(await redeem)));
  const [first = "", second = ""] = subjects.map(({ body }) => body.access_token ?? "");
  assert.notEqual(decodeJwt(first).sub, decodeJwt(second).sub);
  const { body: quote } = await api("/quotes", { token: first, body: JOURNEY });
  assert.equal((await api(`/quotes/${quote.quote_id}`, { token: first })).status, 200);
  assert.equal((await api(`/quotes/${quote.quote_id}`, { token: second })).status, 404);
  const jar = new Map();
  for (const _ of [1, 2]) assert.equal((await consent(authorizeUrl("host").url, jar)).status, 200);
});

test("a refresh token is used once: a second use ends the sign-in", async () => {
  const { body: first } = await token(await code("host"));
  const renew = (refresh_token = "") => token({ grant_type: "refresh_token", client_id: "host", refresh_token });
  const { body: second } = await renew(first.refresh_token);
  assert.equal(decodeJwt(second.access_token ?? "").sub, decodeJwt(first.access_token ?? "").sub);
  assert.equal((await renew(first.refresh_token)).body.error, "invalid_grant");
  assert.equal((await renew(second.refresh_token)).body.error, "invalid_grant");
});

test("nothing that is kept contains a secret, a code or a refresh token", async () => {
  const redeem = await code("host");
  const { body } = await token(redeem);
  const store = await openIssuerStore(readConfig(settings));
  const kinds = ["Client", "Grant", "RefreshToken", "AuthorizationCode"] as const;
  const kept = JSON.stringify(await Promise.all(kinds.map((kind) => store.list(kind))));
  await store.close();
  for (const each of [secret, redeem.code, body.refresh_token, body.access_token, redeem.code_verifier])
    assert.ok(each && !kept.includes(each));
});

test("sign-ins, refresh tokens and secrets outlive a restart", async (t) => {
  const before = await anEmbeddedIssuer(t);
  await before.issue("host", { kind: "redirect", redirects: [REDIRECT] });
  const { body } = await before.token(await before.code("host"));
  await before.close();
  const after = await anEmbeddedIssuer(t, { TRANSFER_DATA_DIR: before.dataDir });
  const quote = await after.api("/quotes", { token: body.access_token, body: JOURNEY });
  assert.equal(quote.status, 201);
  const renewed = await after.token({
    grant_type: "refresh_token",
    client_id: "host",
    refresh_token: body.refresh_token ?? "",
  });
  assert.equal(renewed.status, 200, JSON.stringify(renewed.body));
  // Before its folder is removed, which the first one registered.
  await after.close();
});

test("a machine with a renewed secret keeps its name, and its former secret ends at once", async () => {
  const former = await issue("leaked", { kind: "machine" });
  await issue("no-machine", { kind: "redirect", redirects: [REDIRECT] });
  const renew = async (name: string) => {
    const store = await openIssuerStore(readConfig(settings));
    return (await renewSecret(store, name).finally(store.close))?.secret;
  };
  const renewed = await renew("leaked");
  const ask = { grant_type: "client_credentials", client_id: "leaked", resource: MCP };
  assert.equal((await token({ ...ask, client_secret: former })).body.error, "invalid_client");
  assert.equal((await token({ ...ask, client_secret: renewed ?? "" })).status, 200);
  await revoke("leaked");
  for (const name of ["leaked", "no-machine", "nobody"]) assert.equal(await renew(name), undefined, name);
});

test("revoking a credential ends its sign-ins, codes and secrets at once, and its name is not given again", async () => {
  const machine = await issue("former", { kind: "machine" });
  await issue("gone", { kind: "redirect", redirects: [REDIRECT] });
  const { body } = await token(await code("gone"));
  const redeem = await code("gone");
  assert.equal(await revoke("gone"), 2);
  assert.equal(await revoke("former"), 0);
  const asks: readonly Fields[] = [
    { grant_type: "refresh_token", client_id: "gone", refresh_token: body.refresh_token ?? "" },
    redeem,
    { grant_type: "client_credentials", client_id: "former", client_secret: machine, resource: MCP },
  ];
  for (const ask of asks) assert.equal((await token(ask)).body.error, "invalid_client");
  assert.equal((await consent(authorizeUrl("gone").url)).status, 400);
  await assert.rejects(issue("gone", { kind: "redirect", redirects: [REDIRECT] }), /is new/);
  assert.equal(await revoke("gone"), undefined);
});

test("revoking a host ends the sign-ins of its documents, also where it is admitted again", async (t) => {
  const document = await aMetadataDocument(t, { redirect_uris: ["http://127.0.0.1/callback"] });
  const { host } = new URL(document.url);
  await issue("first-time", { kind: "host", host });
  const { body } = await token(await code(document.url));
  const renew = () =>
    token({ grant_type: "refresh_token", client_id: document.url, refresh_token: body.refresh_token ?? "" });
  assert.equal(await revoke("first-time"), 1);
  assert.equal((await renew()).body.error, "invalid_client");
  assert.equal((await consent(authorizeUrl(document.url).url)).status, 400);
  await issue("second-time", { kind: "host", host });
  assert.equal((await renew()).body.error, "invalid_grant");
});

test("the address of a sign-in counts besides its subject, so that more sign-ins give no more", async (t) => {
  const { issue, code, token, api } = await anEmbeddedIssuer(t, {}, { hasBudgets: true });
  await issue("host", { kind: "redirect", redirects: [REDIRECT] });
  const partner = await issue("partner", { kind: "machine" });
  const statuses: number[] = [];
  for (let subject = 0; subject < 2; subject += 1) {
    const { body } = await token(await code("host"));
    for (let n = 0; n < 6; n += 1)
      statuses.push((await api("/quotes", { token: body.access_token, body: JOURNEY })).status);
  }
  // Of ten in a minute each sign-in has taken one.
  assert.deepEqual(statuses.filter((status) => status === 429).length, 4);
  const { body } = await token({
    grant_type: "client_credentials",
    client_id: "partner",
    client_secret: partner,
    resource: MCP,
  });
  assert.equal((await api("/quotes", { token: body.access_token, body: JOURNEY })).status, 201);
});

test("requests are served over https alone", async () => {
  const plain = issuerAt(Number(settings.TRANSFER_HTTP_PORT), {});
  for (const path of [
    "/auth/authorize?client_id=host",
    "/auth/.well-known/jwks.json",
    "/.well-known/oauth-authorization-server/auth",
  ])
    assert.equal((await plain.send(`${PUBLIC_URL}${path}`)).status, 403, path);
  const answer = await plain.send(`${ISSUER}/oauth/token`, { method: "POST", body: new URLSearchParams() });
  assert.equal(answer.status, 403);
});
