import assert from "node:assert/strict";
import { test } from "node:test";
import { generateKeyPair, SignJWT } from "jose";
import { browse } from "../../../support/browser.ts";
import { type Fields, REDIRECT } from "../../../support/development-issuer.ts";
import { anEmbeddedIssuer, authorizeUrl, ISSUER, issuerAt, PUBLIC_URL } from "../../../support/embedded-issuer.ts";
import { aRealJourney } from "../../../support/journey-fixture.ts";
import { wholeFile } from "../../../support/lifetime.ts";
import { aMetadataDocument } from "../../../support/oauth-client.ts";

let requests = 0;
/** A fast machine sends more in a second than one address may. */
const anAddress = () => `198.51.100.${requests++ % 250}`;
const own = await anEmbeddedIssuer(wholeFile, {}, { address: anAddress });
const { port, send, token, consent, signIn, code, issue, api } = own;
const MCP = `${PUBLIC_URL}/mcp`;
const APP = "https://app.example.com/callback";
await issue("host", { kind: "redirect", redirects: [REDIRECT, APP] });
await issue("other", { kind: "redirect", redirects: [REDIRECT] });
const secret = await issue("partner", { kind: "machine" });
const REDIRECTS = { redirect_uris: ["http://127.0.0.1/callback"] };

const renew = (refresh_token = "", client_id = "host", more: Fields = {}) =>
  token({ grant_type: "refresh_token", client_id, refresh_token, ...more });
const machine = (changes: Fields) =>
  token({ grant_type: "client_credentials", client_id: "partner", client_secret: secret, resource: MCP, ...changes });

test("a code that is used a second time ends what the first use gave", async () => {
  const redeem = await code("host");
  const { body } = await token(redeem);
  assert.equal((await token(redeem)).body.error, "invalid_grant");
  assert.equal((await renew(body.refresh_token)).body.error, "invalid_grant");
});

test("of many uses of a code at the same time at most one gives tokens, which end", async () => {
  const redeem = await code("host");
  const answers = await Promise.all(Array.from({ length: 8 }, () => token(redeem)));
  const given = answers.filter(({ status }) => status === 200);
  assert.ok(given.length <= 1, `${given.length} were given tokens`);
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), given.length ? [200, 400] : [400]);
  for (const { body } of given) assert.equal((await renew(body.refresh_token)).body.error, "invalid_grant");
});

const wrongRedemptions: Readonly<Record<string, readonly [Fields, string]>> = {
  "with another verifier": [{ code_verifier: "x".repeat(43) }, "invalid_grant"],
  "with another redirect": [{ redirect_uri: APP }, "invalid_grant"],
  "by another client": [{ client_id: "other" }, "invalid_grant"],
  "by a partner": [{ client_id: "partner", client_secret: secret }, "invalid_request"],
  "for another resource": [{ resource: "https://else.test/mcp" }, "invalid_target"],
};
for (const [name, [changes, error]] of Object.entries(wrongRedemptions)) {
  test(`a code is not redeemed ${name}`, async () => {
    const { status, body } = await token({ ...(await code("host")), ...changes });
    assert.deepEqual([status, body.error], [400, error], JSON.stringify(body));
  });
}

const wrongRequests: Readonly<Record<string, readonly [Fields, string]>> = {
  "without PKCE": [{ code_challenge: "", code_challenge_method: "" }, "invalid_request"],
  "with plain PKCE": [{ code_challenge_method: "plain" }, "invalid_request"],
  "for another resource": [{ resource: "https://else.test/mcp" }, "invalid_target"],
  "for a token at once": [{ response_type: "token" }, "unsupported_response_type"],
};
for (const [name, [changes, error]] of Object.entries(wrongRequests)) {
  test(`a sign-in ${name} is refused at the client's own address`, async () => {
    const { location, text } = await signIn(authorizeUrl("host", changes).url);
    const answer = location && new URLSearchParams(location.search || location.hash.slice(1));
    assert.equal(location?.origin, new URL(REDIRECT).origin, text);
    assert.deepEqual([answer?.get("error"), answer?.get("code")], [error, null]);
  });
}

const ELSEWHERE = [
  ...["https://else.test/callback", `${APP}/more`, "https://app.example.com@else.test/callback", "javascript:alert(1)"],
  ...["http://127.0.0.1:43117/elsewhere", "http://app.example.com/callback"],
];
for (const redirect_uri of ELSEWHERE) {
  test(`nobody is sent to ${redirect_uri}`, async () => {
    const { status, location } = await consent(authorizeUrl("host", { redirect_uri }).url);
    assert.deepEqual({ status, location }, { status: 400, location: undefined });
  });
}

for (const client of ["unknown", "partner", "../secrets", "HOST", "constructor"]) {
  test(`nobody signs in for the client ${JSON.stringify(client)}`, async () => {
    const { status, location } = await consent(authorizeUrl(client).url);
    assert.deepEqual({ status, location }, { status: 400, location: undefined });
  });
}

test("no metadata document is fetched from a host that is not admitted", async (t) => {
  const document = await aMetadataDocument(t, REDIRECTS);
  const { host } = new URL(document.url);
  await issue("like-it", { kind: "host", host: `a.${host}` });
  for (const id of [document.url, `https://a.${host}:8443/x.json`, `https://a.${host}@${host}/oauth/metadata.json`]) {
    const { status, location } = await consent(authorizeUrl(id).url);
    assert.deepEqual({ status, location }, { status: 400, location: undefined }, id);
  }
  assert.equal(document.fetches(), 0);
});

const INTERNAL = ["127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"];
for (const [n, address] of INTERNAL.entries()) {
  test(`no metadata document is fetched from an admitted host that resolves to ${address}`, async (t) => {
    const document = await aMetadataDocument(t, REDIRECTS, ["93.184.215.14", address]);
    await issue(`internal-${n}`, { kind: "host", host: new URL(document.url).host });
    assert.equal((await consent(authorizeUrl(document.url).url)).status, 400);
    assert.equal(document.fetches(), 0);
  });
}

const badDocuments: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "names another client": { ...REDIRECTS, client_id: "https://else.test/oauth/metadata.json" },
  "has a shared secret's method": { ...REDIRECTS, token_endpoint_auth_method: "client_secret_post" },
  "asks for client credentials": { ...REDIRECTS, grant_types: ["client_credentials"] },
  "redirects over http": { redirect_uris: ["http://else.test/callback"] },
};
for (const [name, fields] of Object.entries(badDocuments)) {
  test(`a document of an admitted host is refused that ${name}`, async (t) => {
    const document = await aMetadataDocument(t, fields);
    await issue(`bad-${name.replaceAll(/\W/g, "-")}`, { kind: "host", host: new URL(document.url).host });
    const { status, location } = await consent(authorizeUrl(document.url).url);
    assert.deepEqual({ status, location }, { status: 400, location: undefined });
    const { body } = await token({ grant_type: "client_credentials", client_id: document.url, resource: MCP });
    assert.equal(body.access_token, undefined);
  });
}

test("a document's name is not shown: the page says from which host the client is", async (t) => {
  const document = await aMetadataDocument(t, { ...REDIRECTS, client_name: "<b>Your bank</b>" });
  const { host } = new URL(document.url);
  await issue("named", { kind: "host", host });
  const { text } = await consent(authorizeUrl(document.url).url);
  assert.ok(text.includes(`<strong>${host}</strong>`));
  assert.ok(!text.includes("bank"));
});

test("a partner cannot sign people in, a host gets no tokens of its own, and scopes do not grow", async () => {
  assert.equal((await token({ grant_type: "client_credentials", client_id: "host", resource: MCP })).status, 400);
  const { body } = await token(await code("host", { scope: "discovery" }));
  assert.equal(
    (await renew(body.refresh_token, "host", { scope: "discovery quote:create" })).body.error,
    "invalid_scope",
  );
  assert.equal((await api("/quotes", { token: body.access_token, body: aRealJourney() })).status, 401);
  assert.equal((await renew(body.refresh_token, "other")).body.error, "invalid_grant");
});

test("a token of another key is rejected, and none is given for another resource", async () => {
  const { keys } = (await (await send(`${ISSUER}/.well-known/jwks.json`)).json()) as { keys: Fields[] };
  assert.deepEqual(
    keys.map(({ d }) => d),
    [undefined],
  );
  const { privateKey } = await generateKeyPair("ES256");
  const claims = { iss: ISSUER, aud: MCP, sub: "partner", client_id: "partner", scope: "quote:create discovery" };
  const forged = await new SignJWT(claims)
    .setIssuedAt()
    .setExpirationTime("1h")
    .setProtectedHeader({ alg: "ES256", kid: keys[0]?.kid ?? "" })
    .sign(privateKey);
  assert.equal((await api("/quotes", { token: forged, body: aRealJourney() })).status, 401);
  assert.equal((await machine({ resource: "https://else.test/mcp" })).body.error, "invalid_target");
});

test("cookies of a sign-in go over https alone, to its own path, and to no script or other site", async () => {
  const response = await send(authorizeUrl("host").url, { redirect: "manual" });
  const cookies = response.headers.getSetCookie();
  assert.ok(cookies.length >= 2);
  for (const cookie of cookies) {
    assert.match(cookie, /; secure/i);
    assert.match(cookie, /; httponly/i);
    assert.match(cookie, /; samesite=lax/i);
    assert.match(cookie, /; path=\/auth/);
  }
});

test("a sign-in is answered by the browser that began it alone, and once", async () => {
  const jar = new Map();
  const { url } = await consent(authorizeUrl("host").url, jar);
  const elsewhere = await browse(url, new Map(), send, "answer=allow");
  assert.deepEqual([elsewhere.status, elsewhere.location], [400, undefined]);
  const another = new Map();
  const own = await consent(authorizeUrl("host").url, another);
  const crossed = await browse(new URL(url.pathname, own.url), another, send, "answer=allow");
  assert.deepEqual([crossed.status, crossed.location], [400, undefined]);
  assert.ok((await browse(url, jar, send, "answer=allow")).location?.searchParams.get("code"));
  const again = await browse(url, jar, send, "answer=allow");
  assert.deepEqual([again.status, again.location], [400, undefined]);
});

test("a sign-in goes on at the issuer's own address, whatever the request calls it", async () => {
  const poisoned = issuerAt(port, { "x-forwarded-proto": "https", "x-forwarded-host": "else.test" });
  const { location } = await poisoned.signIn(authorizeUrl("host").url);
  assert.ok(location?.searchParams.get("code"), location?.href);
  const response = await poisoned.send(`${PUBLIC_URL}/.well-known/oauth-authorization-server/auth`);
  assert.ok(!(await response.text()).includes("else.test"));
});

test("nobody registers a client", async () => {
  for (const path of ["/register", "/auth/register"]) {
    const response = await send(`${PUBLIC_URL}${path}`, { method: "POST", body: JSON.stringify(REDIRECTS) });
    assert.equal(response.status, 404);
  }
  const metadata = (await (await send(`${PUBLIC_URL}/.well-known/oauth-authorization-server/auth`)).json()) as Fields;
  assert.equal(metadata.registration_endpoint, undefined);
  assert.deepEqual(metadata.code_challenge_methods_supported, ["S256"]);
});

test("guesses of a secret are limited, and the right one still works", async (t) => {
  const { token, issue } = await anEmbeddedIssuer(t, {}, { hasBudgets: true });
  const secret = await issue("partner", { kind: "machine" });
  const ask = (client_secret: string, client_id = "partner") =>
    token({ grant_type: "client_credentials", client_id, client_secret, resource: MCP });
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) statuses.push((await ask(`guess ${n}`, n % 2 ? "partner" : "unknown")).status);
  assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429]);
  assert.equal((await ask(secret)).status, 200);
});

test("sign-ins of an address are limited", async (t) => {
  const { issue, signIn } = await anEmbeddedIssuer(t, {}, { hasBudgets: true });
  await issue("host", { kind: "redirect", redirects: [REDIRECT] });
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) statuses.push((await signIn(authorizeUrl("host").url)).status);
  assert.deepEqual(statuses.filter((status) => status === 429).length, 2);
});
