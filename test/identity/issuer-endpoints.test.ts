import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_SCOPES, aDevelopmentIssuer } from "../support/development-issuer.ts";
import { send } from "../support/raw-http.ts";
import { wholeFile } from "../support/whole-file.ts";

const { issuer, publicUrl, ask } = await aDevelopmentIssuer(wholeFile);

test("serves the same metadata at every address", async () => {
  const { port } = new URL(publicUrl);
  const addresses = [
    `${issuer}/.well-known/openid-configuration`,
    `${issuer}/.well-known/oauth-authorization-server`,
    `${publicUrl}/.well-known/oauth-authorization-server/dev-auth`,
    `${publicUrl}/.well-known/openid-configuration/dev-auth?x`,
    `http://localhost:${port}/.well-known/openid-configuration/dev-auth`,
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
    response_types_supported: ["code"],
    response_modes_supported: ["query", "fragment"],
    scopes_supported: [...ALL_SCOPES.split(" "), "openid", "offline_access"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
  };
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(first?.[name], value, name);
  const grants = ["authorization_code", "client_credentials", "refresh_token"];
  assert.deepEqual((first?.grant_types_supported as string[] | undefined)?.sort(), grants);
});

for (const path of ["reg", "oauth/register", "me", "token/revocation", "session/end", "request"]) {
  test(`has no endpoint ${path}`, async () => {
    for (const method of ["GET", "POST"]) {
      const response = await fetch(`${issuer}/${path}`, { method });
      assert.equal(response.status, 404, method);
      assert.equal(response.headers.get("content-type"), "application/problem+json");
    }
  });
}

test("allows browser requests from pages on this machine only", async () => {
  const inspector = await ask({}, true, { origin: "http://localhost:6274" });
  assert.equal(inspector.status, 200);
  assert.equal(inspector.headers.get("access-control-allow-origin"), "http://localhost:6274");
  const preflight = await fetch(`${issuer}/oauth/token`, {
    method: "OPTIONS",
    headers: { origin: "http://localhost:6274", "access-control-request-method": "POST" },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-origin"), "http://localhost:6274");
  const foreign = await ask({}, true, { origin: "https://else.test" });
  assert.equal(foreign.status, 400);
  assert.equal(foreign.headers.get("access-control-allow-origin"), null);
});

for (const path of [
  "/dev-auth/authorize",
  "/dev-auth/oauth/token",
  "/dev-auth/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server/dev-auth",
  "/.well-known/openid-configuration/dev-auth",
]) {
  test(`rejects every host at ${path} that is not loopback`, async () => {
    for (const Host of ["quotes.example.com", "192.168.1.10:3000", "localhost.example.com", "0.0.0.0", "a b"]) {
      const { status, body } = await send(`${publicUrl}${path}`, "GET", { Host });
      assert.deepEqual([status, body.code], [403, "INVALID_REQUEST"], Host);
    }
    for (const Host of ["localhost:1", "127.0.0.2", "[::1]:3000"])
      assert.notEqual((await send(`${publicUrl}${path}`, "GET", { Host })).status, 403, Host);
  });
}
