import assert from "node:assert/strict";
import { test } from "node:test";
import { aNewerRequest, newerOverHttp, postsTo } from "../../support/mcp-messages.ts";
import { send } from "../../support/raw-http.ts";
import { aService } from "../../support/service.ts";
import { service, token } from "../../support/shared-service.ts";

const endpoint = `${service.publicUrl}/mcp`;
const { port } = new URL(endpoint);
const SCOPES = "discovery quote:create quote:read-own checkout:prepare";
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

const post = postsTo(service.publicUrl, token);
const newer = newerOverHttp(service.publicUrl, token);

/** What both generations of revisions answer to the same headers. */
async function answersTo(headers: Readonly<Record<string, string | undefined>>) {
  return [await post(LIST, headers), await newer(aNewerRequest(1, "tools/list"), headers)];
}

test("a call needs no initialize before it", async () => {
  const params = { name: "get_policy", arguments: { policy_key: "cancellation" } };
  const answer = await post({ jsonrpc: "2.0", id: "a", method: "tools/call", params });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(answer.headers["cache-control"], "no-store");
  assert.equal(answer.headers["mcp-session-id"], undefined);
  assert.match(String(answer.headers["x-request-id"]), /^req_/);
  assert.equal(answer.body.id, "a");
  assert.equal(answer.body.result.structuredContent.policy_key, "cancellation");
});

test("rejects a request without the discovery scope and names the resource metadata", async () => {
  const refused = {
    none: undefined,
    broken: "Bearer nonsense",
    basic: `Basic ${token}`,
    "without discovery": `Bearer ${await service.token({ scopes: ["quote:create", "quote:read-own", "checkout:prepare"] })}`,
  };
  const metadataUrl = `${service.publicUrl}/.well-known/oauth-protected-resource/mcp`;
  for (const [name, Authorization] of Object.entries(refused)) {
    const error = Authorization?.startsWith("Bearer ") ? ', error="invalid_token"' : "";
    const challenge = `Bearer realm="transfer-quote", resource_metadata="${metadataUrl}", scope="${SCOPES}"${error}`;
    for (const { status, headers, body } of await answersTo({ Authorization })) {
      assert.deepEqual([status, body.code], [401, "AUTHENTICATION_REQUIRED"], name);
      assert.equal(headers["content-type"], "application/problem+json");
      assert.equal(headers["www-authenticate"], challenge);
    }
  }
  assert.equal((await post(LIST, { Authorization: `bEARER ${token}` })).status, 200);
});

test("both metadata paths return resource, issuer and scopes, readable by browsers", async () => {
  for (const path of ["", "/mcp"]) {
    const response = await fetch(`${service.publicUrl}/.well-known/oauth-protected-resource${path}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    const { resource, authorization_servers, scopes_supported } = (await response.json()) as Record<string, unknown>;
    assert.equal(resource, endpoint);
    assert.deepEqual(authorization_servers, [`${service.publicUrl}/dev-auth`]);
    assert.deepEqual(scopes_supported, SCOPES.split(" "));
  }
  assert.equal((await fetch(`${service.publicUrl}/.well-known/oauth-protected-resource/api`)).status, 404);
});

test("answers other methods with 405 and Allow: POST, and without a token with 401 and the challenge, which pages may read", async () => {
  for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
    const answer = await send(endpoint, method, { Authorization: `Bearer ${token}` });
    assert.deepEqual([answer.status, answer.headers.allow, answer.body.code], [405, "POST", "INVALID_REQUEST"], method);
    const anonymous = await send(endpoint, method, { Origin: `http://localhost:${port}` });
    assert.match(String(anonymous.headers["access-control-expose-headers"]), /WWW-Authenticate/, method);
    assert.match(`${anonymous.status} ${anonymous.headers["www-authenticate"]}`, /^401 .*resource_metadata=/, method);
  }
});

test("answers notifications and responses 202 without a body", async () => {
  for (const message of [
    { method: "notifications/initialized" },
    { method: "notifications/cancelled", params: { requestId: 1 } },
    { id: 7, result: {} },
    { id: 7, error: { code: -32000, message: "no" } },
  ]) {
    const { status, text } = await post({ jsonrpc: "2.0", ...message });
    assert.deepEqual([status, text], [202, ""]);
  }
});

const HEADERS: readonly (readonly [name: string, values: readonly (string | undefined)[], status: number])[] = [
  ["Host", [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`], 200],
  ["Host", ["127.0.0.1", "localhost:1", `evil.example:${port}`, `localhost.evil.example:${port}`], 403],
  ["Origin", [`http://127.0.0.1:${port}`, `http://localhost:${port}`], 200],
  ["Origin", [`https://localhost:${port}`, "http://localhost:1", "https://evil.example", "null"], 403],
  ["Accept", ["application/json, text/event-stream", "text/event-stream;q=0.5, application/json"], 200],
  ["Accept", ["*/*", "application/json"], 200],
  ["Content-Type", ["application/json; charset=utf-8"], 200],
];
for (const [name, values, status] of HEADERS)
  test(`${name} ${values.join(" or ").replaceAll(port, "<port>")} answers ${status} in older and newer revisions`, async () => {
    for (const value of values)
      for (const { body, headers, ...answer } of await answersTo({ [name]: value })) {
        assert.equal(answer.status, status, value);
        if (status === 403) assert.equal(body.code, "INVALID_REQUEST");
        if (name === "Origin") assert.equal(headers["access-control-allow-origin"], status === 200 ? value : undefined);
      }
  });

test("answers the preflight of an allowed origin only", async () => {
  const asks = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
  };
  const ours = await send(endpoint, "OPTIONS", { Origin: `http://localhost:${port}`, ...asks });
  assert.equal(ours.status, 204);
  assert.equal(ours.headers["access-control-allow-origin"], `http://localhost:${port}`);
  assert.equal(ours.headers["access-control-allow-headers"], "authorization,content-type");
  assert.match(String(ours.headers["access-control-allow-methods"]), /GET.*POST/);
  assert.equal((await send(endpoint, "OPTIONS", { Origin: "https://evil.example", ...asks })).status, 403);
});

test("answers the preflight of the addresses at which a browser signs in", async () => {
  for (const [path, method] of [
    ["/.well-known/oauth-protected-resource/mcp", "GET"],
    ["/.well-known/oauth-authorization-server", "GET"],
    ["/.well-known/oauth-authorization-server/dev-auth", "GET"],
    ["/dev-auth/register", "POST"],
  ] as const) {
    const { status, headers } = await send(`${service.publicUrl}${path}`, "OPTIONS", {
      Origin: "http://localhost:6274",
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": "content-type,mcp-protocol-version",
    });
    assert.equal(status, 204, path);
    assert.match(String(headers["access-control-allow-origin"]), /^(\*|http:\/\/localhost:6274)$/);
    assert.match(String(headers["access-control-allow-methods"]), new RegExp(method));
    assert.match(String(headers["access-control-allow-headers"]), /mcp-protocol-version/);
  }
});

test("TRANSFER_ALLOWED_HOSTS adds to the public URL's hosts, TRANSFER_ALLOWED_ORIGINS replaces its origins", async (t) => {
  const TRANSFER_ALLOWED_ORIGINS = "https://app.example.com/,https://ops.example.com";
  const env = { TRANSFER_ALLOWED_HOSTS: "Quotes.example.com,inner:8080", TRANSFER_ALLOWED_ORIGINS };
  const own = await aService(t, { env });
  const ask = postsTo(own.publicUrl, await own.token());
  for (const [over, status] of [
    [{ Host: "quotes.example.com", Origin: "https://app.example.com" }, 200],
    [{ Host: "inner:8080", Origin: "https://ops.example.com" }, 200],
    [{}, 200],
    [{ Host: "quotes.example.com", Origin: "https://other.example.com" }, 403],
    [{ Origin: own.publicUrl }, 403],
    [{ Host: "inner" }, 403],
  ] as const)
    assert.equal((await ask(LIST, over)).status, status, JSON.stringify(over));
});

test("metadata and challenge name the server as the client does, if it may", async () => {
  const path = "/.well-known/oauth-protected-resource/mcp";
  for (const [host, named] of [
    [`LOCALHOST:${port}`, `localhost:${port}`],
    [`[::1]:${port}`, `[::1]:${port}`],
    ["evil.example", `127.0.0.1:${port}`],
  ] as const) {
    const { body } = await send(`${service.publicUrl}${path}`, "GET", { Host: host });
    assert.equal(body.resource, `http://${named}/mcp`);
    if (host === "evil.example") continue;
    const challenge = await post({}, { Authorization: undefined, Host: host });
    assert.ok(String(challenge.headers["www-authenticate"]).includes(`resource_metadata="http://${named}${path}"`));
  }
});
