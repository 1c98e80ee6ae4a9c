import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { ALL_SCOPES, AUDIENCE, aDevelopmentIssuer, type Fields } from "../../support/development-issuer.ts";
import { wholeFile } from "../../support/whole-file.ts";

const { issuer, clientSecret, mcp, ask, verifier, publicUrl } = await aDevelopmentIssuer(wholeFile);

for (const form of [false, true]) {
  test(`issues a token with all scopes to a ${form ? "form" : "JSON"} request`, async () => {
    const { status, body } = await ask({}, form);
    assert.equal(status, 200, JSON.stringify(body));
    const { token_type, expires_in, scope } = body;
    assert.deepEqual({ token_type, expires_in, scope }, { token_type: "Bearer", expires_in: 3600, scope: ALL_SCOPES });
    const principal = await verifier.verify(body.access_token ?? "");
    assert.deepEqual(principal, {
      subject: "demo",
      owner: "demo",
      client: "demo",
      scopes: new Set(ALL_SCOPES.split(" ")),
    });
    const { iss, aud, exp = 0, iat = 0 } = decodeJwt(body.access_token ?? "");
    assert.deepEqual({ iss, aud, lifetime: exp - iat }, { iss: issuer, aud: AUDIENCE, lifetime: 3600 });
  });

  test(`accepts a resource in place of the audience, or both, in a ${form ? "form" : "JSON"} request`, async () => {
    // biome-ignore format: several fit on a line
    const named: readonly Fields[] = [
      { audience: "", resource: mcp }, { resource: mcp }, { audience: mcp }, { audience: publicUrl },
    ];
    for (const changes of named) {
      const { status, body } = await ask(changes, form);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(decodeJwt(body.access_token ?? "").aud, AUDIENCE);
    }
  });

  const rejected: Readonly<Record<string, readonly [Fields, string]>> = {
    "without audience and resource": [{ audience: "" }, "invalid_target"],
    "with an unknown audience": [{ audience: "https://else.test/" }, "invalid_target"],
    "with an unknown resource": [{ audience: "", resource: "https://else.test/mcp" }, "invalid_target"],
    "with an unknown resource beside the audience": [{ resource: "https://else.test/" }, "invalid_target"],
    "with a wrong secret": [{ client_secret: "wrong" }, "invalid_client"],
    "without a secret": [{ client_secret: "" }, "invalid_client"],
    "of an unknown client": [{ client_id: "other" }, "invalid_client"],
    "with an unsupported grant": [{ grant_type: "password" }, "unsupported_grant_type"],
    "without a grant": [{ grant_type: "" }, "invalid_request"],
  };
  for (const [name, [changes, error]] of Object.entries(rejected)) {
    test(`rejects a ${form ? "form" : "JSON"} request ${name}`, async () => {
      const { status, body } = await ask(changes, form);
      assert.ok(status === 400 || status === 401, String(status));
      assert.equal(body.error, error, JSON.stringify(body));
      assert.equal(body.access_token, undefined);
    });
  }
}

test("grants the scopes asked for, without unknown ones", async () => {
  const { body } = await ask({ scope: "quote:create admin" });
  assert.equal(body.scope, "quote:create");
  assert.deepEqual((await verifier.verify(body.access_token ?? ""))?.scopes, new Set(["quote:create"]));
});

test("accepts the secret in the Authorization header", async () => {
  const basic = (secret: string) => ({ authorization: `Basic ${btoa(`demo:${secret}`)}` });
  const inHeader = { client_id: "", client_secret: "" };
  for (const form of [true, false]) assert.equal((await ask(inHeader, form, basic(clientSecret))).status, 200);
  assert.equal((await ask(inHeader, true, basic("wrong"))).status, 401);
});

test("rejects an unreadable body with an OAuth error", async () => {
  // biome-ignore format: several fit on a line
  const bodies: readonly (readonly [string, string])[] = [
    ["application/json", ""], ["application/json", "{"], ["application/json", "[]"], ["application/json", "7"],
    ["application/json", JSON.stringify({ grant_type: "x".repeat(20_000) })],
    ["text/plain", "grant_type=client_credentials"], ["application/x-www-form-urlencoded", ""],
    ["application/x-www-form-urlencoded", "grant_type=".padEnd(20_000, "x")],
  ];
  for (const [type, body] of bodies) {
    const init = { method: "POST", body, headers: { "content-type": type } };
    const response = await fetch(`${issuer}/oauth/token`, init);
    assert.equal(response.status, 400, body.slice(0, 20));
    assert.equal(((await response.json()) as Fields).error, "invalid_request");
  }
});
