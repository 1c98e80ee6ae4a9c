import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { browse, type CookieJar } from "../../support/browser.ts";
import {
  ALL_SCOPES,
  AUDIENCE,
  aDevelopmentIssuer,
  type Fields,
  REDIRECT,
  redeem,
  VERIFIER,
} from "../../support/development-issuer.ts";
import { wholeFile } from "../../support/whole-file.ts";

const { authorizeUrl, code, token, issuer, mcp, publicUrl, verifier } = await aDevelopmentIssuer(wholeFile);

for (const form of [false, true]) {
  test(`signs the demo person in and redeems the code of a ${form ? "form" : "JSON"} request`, async () => {
    const { location } = await browse(authorizeUrl());
    assert.equal(`${location?.origin}${location?.pathname}`, REDIRECT);
    assert.equal(location?.searchParams.get("state"), "as it was");
    assert.equal(location?.searchParams.get("iss"), issuer);
    const { status, body } = await token(redeem(location?.searchParams.get("code") ?? ""), form);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.scope, body.expires_in], ["quote:create discovery", 3600]);
    const scopes = new Set(["quote:create", "discovery"]);
    const principal = await verifier.verify(body.access_token ?? "");
    const subject = "demo-traveler-agent";
    assert.deepEqual(principal, { subject, owner: subject, client: "demo", scopes });
    assert.equal(decodeJwt(body.access_token ?? "").aud, AUDIENCE);
  });
}

test("grants all scopes, and the first audience, to a request that names none", async () => {
  const { status, body } = await token(redeem(await code({ scope: "", audience: "" })));
  assert.deepEqual([status, body.scope], [200, ALL_SCOPES]);
  assert.ok(await verifier.verify(body.access_token ?? ""));
});

test("signs in again in the same browser, in two windows at once, and at localhost", async () => {
  const jar: CookieJar = new Map();
  for (const state of ["first", "second"]) {
    const { location } = await browse(authorizeUrl({ state }), jar);
    assert.equal(location?.searchParams.get("state"), state);
    assert.ok(location?.searchParams.get("code"), location?.href);
  }
  const windows = ["a", "b"].map((state) => browse(authorizeUrl({ state })));
  const states = (await Promise.all(windows)).map(({ location }) => location?.searchParams.get("state"));
  assert.deepEqual(states, ["a", "b"]);
  const atLocalhost = authorizeUrl();
  atLocalhost.hostname = "localhost";
  assert.ok((await browse(atLocalhost)).location?.searchParams.get("code"));
});

test("accepts a resource or an audience at either step", async () => {
  const resource = { audience: "", resource: mcp };
  // biome-ignore format: several fit on a line
  const steps = [
    [resource, { resource: mcp }], [resource, {}], [{}, { resource: mcp }], [{}, { audience: AUDIENCE }],
    [{ audience: "", resource: publicUrl }, { resource: `${publicUrl}/` }],
  ] as const;
  for (const [atAuthorize, atToken] of steps) {
    const { status, body } = await token(redeem(await code(atAuthorize), atToken));
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(decodeJwt(body.access_token ?? "").aud, AUDIENCE);
  }
  const unknown = await token(redeem(await code(), { resource: "https://else.test/" }));
  assert.equal(unknown.body.error, "invalid_target");
});

for (const path of [
  ...["/", "/callback", "/oauth/callback", "/oauth/callback/debug", "/auth/callback", "/mcp/oauth/callback"],
]) {
  test(`accepts the loopback redirect ${path} on any port`, async () => {
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
  test(`rejects the unregistered redirect ${redirect_uri} without following it`, async () => {
    const { status, location, text } = await browse(authorizeUrl({ redirect_uri }));
    assert.deepEqual({ status, location }, { status: 400, location: undefined });
    assert.match(text, /^This sign-in failed: .* \(invalid_redirect_uri\)\.$/m);
  });
}

const rejected: Readonly<Record<string, readonly [Fields, string]>> = {
  "without PKCE": [{ code_challenge: "", code_challenge_method: "" }, "invalid_request"],
  "with plain PKCE": [{ code_challenge_method: "plain", code_challenge: VERIFIER }, "invalid_request"],
  "with a challenge but no method": [{ code_challenge_method: "" }, "invalid_request"],
  "with an unknown audience": [{ audience: "https://else.test/" }, "invalid_target"],
  "with an unknown resource": [{ audience: "", resource: "https://else.test/mcp" }, "invalid_target"],
  "for a token in the fragment": [{ response_type: "token" }, "unsupported_response_type"],
};
for (const [name, [changes, error]] of Object.entries(rejected)) {
  test(`rejects an authorize request ${name} at the redirect`, async () => {
    const { location, text } = await browse(authorizeUrl(changes));
    const answer = location && new URLSearchParams(location.search || location.hash.slice(1));
    assert.equal(answer?.get("error"), error, location?.href ?? text);
    assert.equal(answer?.get("state"), "as it was");
    assert.equal(answer?.get("code"), null);
  });
}
