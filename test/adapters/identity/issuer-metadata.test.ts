import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { inspectIssuer } from "../../../src/adapters/identity/issuer-metadata.ts";
import { aDevelopmentIssuer } from "../../support/development-issuer.ts";
import { aLoopbackServer } from "../../support/loopback-server.ts";

const RESOURCE = "https://quotes.example.com/mcp";
const COMPLETE = {
  code_challenge_methods_supported: ["plain", "S256"],
  token_endpoint_auth_methods_supported: ["client_secret_basic", "none"],
  client_id_metadata_document_supported: true,
  protected_resources: ["https://else.test/", RESOURCE],
};

/** A provider with one document at `path`; its issuer is its origin and `issuerPath`. */
async function aProvider(t: TestContext, fields: object, { path = "", issuerPath = "" } = {}) {
  const at = path || `/.well-known/oauth-authorization-server${issuerPath}`;
  const origin = await aLoopbackServer(t, (request, response) => {
    if (request.url !== at) return response.writeHead(404).end("<html>");
    response.end(JSON.stringify({ issuer: `${origin}${issuerPath}`, ...fields }));
  });
  return `${origin}${issuerPath}`;
}

async function statesOf(issuer: string, audiences: readonly string[] = []) {
  const findings = await inspectIssuer(issuer, RESOURCE, [...audiences, RESOURCE]);
  for (const { state, consequence } of findings) assert.equal(consequence === "", state === "ok");
  return Object.fromEntries(findings.map(({ need, state }) => [need, state]));
}

const ALL_OK = { S256: "ok", "public clients": "ok", "client ID metadata documents": "ok", audience: "ok" };

for (const [issuerPath, path] of [
  ["", "/.well-known/oauth-authorization-server"],
  ["", "/.well-known/openid-configuration"],
  ["/realms/main", "/.well-known/oauth-authorization-server/realms/main"],
  ["/realms/main", "/.well-known/openid-configuration/realms/main"],
  ["/realms/main", "/realms/main/.well-known/openid-configuration"],
] as const) {
  test(`finds the metadata of an issuer with the path "${issuerPath}" at ${path}`, async (t) => {
    assert.deepEqual(await statesOf(await aProvider(t, COMPLETE, { path, issuerPath })), ALL_OK);
  });
}

test("reports what metadata lack, and what they do not state", async (t) => {
  const issuer = await aProvider(t, {
    code_challenge_methods_supported: ["plain"],
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    client_id_metadata_document_supported: false,
    protected_resources: ["https://else.test/"],
  });
  const missing = Object.fromEntries(Object.keys(ALL_OK).map((need) => [need, "missing"]));
  assert.deepEqual(await statesOf(issuer), missing);
  assert.deepEqual(await statesOf(await aProvider(t, {})), {
    S256: "not stated",
    "public clients": "not stated",
    "client ID metadata documents": "missing",
    audience: "not stated",
  });
});

test("accepts a configured audience among the protected resources", async (t) => {
  const issuer = await aProvider(t, { ...COMPLETE, protected_resources: ["urn:api"] });
  assert.equal((await statesOf(issuer, ["urn:api"])).audience, "ok");
  assert.equal((await statesOf(issuer, ["urn:other"])).audience, "missing");
});

test("reports metadata of another issuer, and a provider without any, as missing", async (t) => {
  const other = await aProvider(t, { ...COMPLETE, issuer: "https://else.test" });
  for (const issuer of [other, "http://127.0.0.1:1"]) assert.deepEqual(await statesOf(issuer), { metadata: "missing" });
});

test("finds all needs of MCP clients but the audience at the development issuer", async (t) => {
  const { issuer } = await aDevelopmentIssuer(t);
  assert.deepEqual(await statesOf(issuer), { ...ALL_OK, audience: "not stated" });
});
