import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { API_BASE } from "../../src/http/request.ts";
import { aService, request } from "../support/service.ts";

const NONE = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

test("everything that a browser can show has a policy, and is neither framed nor sniffed nor a referrer", async (t) => {
  const { publicUrl } = await aService(t);
  const paths = [
    "/checkout",
    "/privacy",
    "/support",
    "/docs",
    "/docs/errors/quote_expired",
    "/llms.txt",
    "/openapi.json",
  ];
  const signIn = ["/dev-auth/authorize?client_id=nobody", "/dev-auth/.well-known/openid-configuration"];
  for (const path of [...paths, ...signIn]) {
    const { headers, status } = await request(`${publicUrl}${path}`);
    const rules = headers.get("content-security-policy")?.split("; ") ?? [];
    assert.deepEqual(
      NONE.filter((rule) => !rules.includes(rule)),
      [],
      `${path}: ${status}`,
    );
    // The API explorer at /docs writes styles, but no page runs inline code.
    const scripts = rules.filter((rule) => path !== "/docs" || !rule.startsWith("style-src"));
    assert.doesNotMatch(scripts.join(), /unsafe|\*|https?:/, path);
    assert.deepEqual(
      ["x-content-type-options", "x-frame-options", "referrer-policy"].map((name) => headers.get(name)),
      ["nosniff", "DENY", "no-referrer"],
      path,
    );
  }
});

test("an error page is allowed no script", async (t) => {
  const { publicUrl } = await aService(t);
  const { headers, text } = await request(`${publicUrl}/docs/errors/quote_expired`);
  assert.doesNotMatch(headers.get("content-security-policy") ?? "", /script-src/);
  assert.doesNotMatch(text, /<script|\sstyle=|\son\w+=/);
});

const DISCOVERY = ["/vehicle-classes", "/services/transfers", "/policies/cancellation", "/quote-requirements"];
const DOCUMENTS = ["/openapi.json", "/docs", "/docs/errors/rate_limited", "/llms.txt"];

/** Not with fetch, which adds `Cache-Control: no-cache` to a conditional request. */
async function ask(url: string, headers: Record<string, string> = {}) {
  const [response] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

test("discovery and documents have an ETag and answer 304 to a client that has them", async (t) => {
  const { publicUrl } = await aService(t);
  for (const path of [...DISCOVERY.map((each) => `${API_BASE}${each}`), ...DOCUMENTS]) {
    const url = `${publicUrl}${path}`;
    const first = await ask(url);
    const { etag = "", "cache-control": cacheControl } = first.headers;
    assert.deepEqual([first.status, cacheControl], [200, "no-cache"], path);
    assert.ok(first.text.length > 100);
    const again = await ask(url, { "If-None-Match": etag });
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, "", etag], path);
    assert.match(String(again.headers["x-request-id"]), /^req_/);
    assert.equal((await ask(url, { "If-None-Match": '"another"' })).status, 200);
    const head = await fetch(url, { method: "HEAD" });
    assert.equal(head.headers.get("etag"), etag);
  }
});

test("a client that has an answer still uses its budget", async (t) => {
  const { publicUrl } = await aService(t);
  const url = `${publicUrl}${API_BASE}/vehicle-classes`;
  const { etag = "" } = (await ask(url)).headers;
  const statuses = new Set<number | undefined>();
  for (let call = 0; call < 200 && !statuses.has(429); call += 1)
    statuses.add((await ask(url, { "If-None-Match": etag })).status);
  assert.deepEqual([...statuses], [304, 429]);
});
