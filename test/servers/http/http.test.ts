import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readApiExamples } from "../../../rest-shim/api-examples.ts";
import { restOperations } from "../../../rest-shim/operations.ts";
import { httpRequest } from "../../../rest-shim/parameters.ts";
import { API_BASE } from "../../../src/servers/http/request.ts";
import { assertProblem } from "../../support/assert-problem.ts";
import { aMeasuredRoute, aRouter } from "../../support/fake-router.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { wholeFile, withCleanUp } from "../../support/lifetime.ts";
import { aRateLimiter } from "../../support/rate-limiter.ts";
import { aService, request } from "../../support/service.ts";
import { storedEntries } from "../../support/stored-entries.ts";

const { api, publicUrl } = await aService(wholeFile);

test("answers unknown paths with a 404 problem, inside the API and outside", async () => {
  // biome-ignore format: several fit on a line
  const paths = [
    "/nothing", "/api", "/api/public/v1", "/api/public/v1/", "/api/public/v2/quotes", "/api/public/v1/quotes/a/b",
    "/docs/errors/teapot",
  ];
  for (const path of paths) {
    const answer = await request(`${publicUrl}${path}?sig=secret`);
    assertProblem(answer, { status: 404, code: "INVALID_REQUEST" });
    assert.equal(answer.body.instance, path);
    assert.equal((await request(answer.body.type)).status, 200, "the page of its code");
  }
});

test("shows a browser a page for an unknown path, and a problem to everything under the API", async () => {
  const headers = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
  const { status, headers: sent, text } = await request(`${publicUrl}/nothing?sig=secret"><script>`, { headers });
  assert.deepEqual([status, sent.get("content-type")], [404, "text/html; charset=utf-8"]);
  assert.match(text, /<h1>Page not found<\/h1>[\s\S]*Nothing was booked or charged\.[\s\S]*href="tel:\+41000000000"/);
  assert.match(text, new RegExp(String(sent.get("x-request-id"))));
  assert.doesNotMatch(text, /secret|<script/);
  const underApi = await request(`${publicUrl}/api/public/v1/nothing`, { headers });
  assertProblem(underApi, { status: 404, code: "INVALID_REQUEST" });
  const many = { ...headers, "Accept-Language": `${"a,".repeat(5_000)}fr` };
  assert.match((await request(`${publicUrl}/privacy`, { headers: many })).text, /<html lang="en">/, "reads a few");
});

test("answers a wrong method with 405 and the allowed methods", async (t) => {
  const { api, token, dataDir } = await aService(t);
  const bearer = await token();
  const [post, read] = ["POST", "GET, HEAD"];
  for (const [path, allow] of Object.entries({
    "/quotes": post,
    "/quote-intents": post,
    "/routes": read,
    "/quotes/q_1": read,
  })) {
    for (const method of ["PUT", "PATCH", "DELETE", allow === post ? "GET" : "POST"]) {
      const refused = await api(path, { method, token: bearer });
      assertProblem(refused, { status: 405, code: "INVALID_REQUEST" });
      assert.equal(refused.headers.get("allow"), allow);
    }
    const options = await api(path, { method: "OPTIONS" });
    assert.deepEqual([options.status, options.headers.get("allow"), options.text], [204, allow, ""]);
  }
  assert.equal((await api("/quotes", { method: "HEAD" })).status, 405);
  assert.deepEqual(storedEntries(dataDir), []);
});

test("answers GET on pages with a request id of its own, and other methods with 405", async () => {
  const ids = new Set<string>();
  // biome-ignore format: several fit on a line
  const paths = [
    "/", "/checkout", "/docs", "/docs/errors", "/docs/errors/FORBIDDEN", "/docs/errors/rate_limited", "/openapi.json",
    "/llms.txt", "/healthz", "/readyz", "/metrics", "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
  ];
  for (const path of paths) {
    const refused = await request(`${publicUrl}${path}`, { method: "POST" });
    assertProblem(refused, { status: 405, code: "INVALID_REQUEST" });
    assert.equal(refused.headers.get("allow"), "GET, HEAD", path);
    const { status, headers } = await request(`${publicUrl}${path}`);
    assert.deepEqual([status, headers.get("x-powered-by")], [200, null], path);
    assert.match(headers.get("x-request-id") ?? "", /^req_[\w-]{22}$/, path);
    ids.add(headers.get("x-request-id") ?? "");
  }
  assert.equal(ids.size, paths.length);
  const unknown = await request(`${publicUrl}/checkout/unknown`, { method: "POST" });
  assertProblem(unknown, { status: 404, code: "INVALID_REQUEST" });
});

test("rejects malformed percent-encoding and very long paths as a client's error, and keeps serving", async () => {
  for (const path of ["/routes/%E0%A4%A", "/quotes/%", "/policies/%zz"])
    assertProblem(await api(path), { status: 400, code: "INVALID_REQUEST" });
  assertProblem(await api("/routes?origin=%E0%A4%A&destination=%zz"), { status: 404, code: "UNSUPPORTED_ROUTE" });
  const fields = ["policy_key"];
  assertProblem(await api(`/policies/${"x".repeat(8_000)}`), { status: 422, code: "INVALID_REQUEST", fields });
  assertProblem(await api(`/${"x/".repeat(4_000)}`), { status: 404, code: "INVALID_REQUEST" });
  // Node's own answer, because it parsed no request.
  assert.equal((await api(`/policies/${"x".repeat(20_000)}`)).status, 431);
  assert.equal((await api("/policies/cancellation")).status, 200);
});

test("a caller that disconnects stops its call, also the second one of a connection", async (t) => {
  const signals: AbortSignal[] = [];
  let resolve = () => {};
  const stopped = new Promise<void>((settle) => {
    resolve = settle;
  });
  const router = aRouter(async (_stops, _departure, signal) => {
    signals.push(signal);
    if (signals.length === 1) return aMeasuredRoute();
    socket.destroy();
    if (!signal.aborted) await once(signal, "abort");
    resolve();
    throw signal.reason;
  });
  const { publicUrl, token } = await aService(t, { router });
  const { hostname, port } = new URL(publicUrl);
  const body = JSON.stringify(aQuoteRequest());
  const head = `POST /api/public/v1/quotes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await token()}\r\n`;
  const quote = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const socket = connect(Number(port), hostname);
  socket.write(quote);
  const [answer] = await once(socket, "data");
  assert.match(String(answer), /^HTTP\/1\.1 201 /);
  assert.equal(signals[0]?.aborted, false);
  socket.write(quote);
  await stopped;
});

const NONE = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

test("everything that a browser can show has a policy, and is neither framed nor sniffed nor a referrer", async () => {
  // biome-ignore format: several fit on a line
  const pages = [
    "/checkout", "/privacy", "/support", "/docs", "/docs/errors/quote_expired", "/llms.txt", "/openapi.json",
  ];
  const signIn = ["/dev-auth/authorize?client_id=nobody", "/dev-auth/.well-known/openid-configuration"];
  for (const path of [...pages, ...signIn]) {
    const { headers, status } = await request(`${publicUrl}${path}`);
    const rules = headers.get("content-security-policy")?.split("; ") ?? [];
    for (const rule of NONE) assert.ok(rules.includes(rule), `${path}: ${status}, ${rule}`);
    // The reference asks the issuer for a token, which is this server's own here.
    const foreign = rules.map((rule) => (path === "/docs" ? rule.replace(`'self' ${publicUrl}`, "'self'") : rule));
    assert.doesNotMatch(foreign.join(), /unsafe|\*|https?:/, path);
    const guards = ["x-content-type-options", "x-frame-options", "referrer-policy"].map((name) => headers.get(name));
    assert.deepEqual(guards, ["nosniff", "DENY", "no-referrer"], path);
    if (path.startsWith("/docs/errors")) assert.doesNotMatch(rules.join(), /script-src/, path);
  }
});

const { operations: EXAMPLES } = readApiExamples();
/** What caches may keep, but the corridors, which have the time of their conditions. */
const DISCOVERY = restOperations
  .filter(({ isCacheable, tool }) => isCacheable && tool.rateTier === "discovery")
  .map((row) => httpRequest(row, EXAMPLES.find((each) => each.operationId === row.operationId)?.args ?? {}).path);
const DOCUMENTS = ["/openapi.json", "/docs", "/docs/errors/rate_limited", "/llms.txt"];

/** Not with fetch, which adds `Cache-Control: no-cache` to a conditional request. */
async function ask(url: string, headers: Record<string, string> = {}) {
  const [response] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

test("discovery and documents have an ETag, vary by Accept-Encoding and answer 304 to a client that has them", async () => {
  for (const path of [...DISCOVERY, ...DOCUMENTS]) {
    const url = `${publicUrl}${path}`;
    const first = await ask(url);
    const { etag = "", "cache-control": cacheControl } = first.headers;
    assert.deepEqual([first.status, cacheControl], [200, "no-cache"], path);
    assert.match(String(first.headers.vary), /Accept-Encoding/, path);
    assert.ok(first.text.length > 100);
    const again = await ask(url, { "If-None-Match": etag });
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, "", etag], path);
    assert.match(String(again.headers["x-request-id"]), /^req_/);
    assert.equal((await ask(url, { "If-None-Match": '"another"' })).status, 200);
    const head = await fetch(url, { method: "HEAD", headers: { "Accept-Encoding": "identity" } });
    assert.equal(head.headers.get("etag"), etag);
  }
});

test("a client that has an answer still uses its budget", async (t) => {
  const { publicUrl } = await aService(t, { limiter: aRateLimiter({ discovery: { points: 2, seconds: 60 } }) });
  const url = `${publicUrl}${API_BASE}/vehicle-classes`;
  const { etag = "" } = (await ask(url)).headers;
  const again = async () => (await ask(url, { "If-None-Match": etag })).status;
  assert.deepEqual([await again(), await again()], [304, 429]);
});

test("a server that has closed keeps no memory", async () => {
  const openAndClose = () => withCleanUp(async (t) => (await aService(t)).api("/vehicle-classes"));
  await openAndClose();
  const growth = await heapGrowth(async () => {
    for (let count = 0; count < 3; count += 1) await openAndClose();
  });
  // A catalog takes almost 5 MB.
  assert.ok(growth < 5, `${growth} MB of three servers`);
});

/** Bytes in use after garbage collection. Collects several times, since buffers are freed some time later. */
async function usedBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) {
    collect();
    await sleep(20);
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

/** Megabytes that remain in use after `fill`. */
async function heapGrowth(fill: () => unknown): Promise<number> {
  const before = await usedBytes();
  await fill();
  return ((await usedBytes()) - before) / 1e6;
}
