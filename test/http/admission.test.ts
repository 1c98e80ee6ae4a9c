import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { FinishedCall } from "../../src/calls/finished-call.ts";
import { Problem } from "../../src/contract/problem.ts";
import { createAdmission } from "../../src/http/admission.ts";
import { listen } from "../../src/http/http-server.ts";
import { createOverloadGuard, type OverloadGuard } from "../../src/http/overload.ts";
import type { ShedReason } from "../../src/ops/metrics.ts";
import { aService } from "../support/service.ts";

/** As much as a test may take where an answer never comes. */
const QUICK = { timeout: 40_000 };

const sheddingAll: OverloadGuard = { arrived: () => 0, shedReason: () => "delay", ended() {}, left() {}, inFlight: 0 };

async function anEndpoint(t: TestContext, guard: OverloadGuard, answer?: RequestListener, now?: () => number) {
  const shed: (ShedReason | undefined)[] = [];
  const served: string[] = [];
  const server = await listen("127.0.0.1", 0);
  t.after(() => server.close(0));
  const parts = {
    guard,
    docsBase: "https://docs.example",
    versionHeaders: { Sunset: "soon" },
    onFinished: ({ shed: reason }: FinishedCall) => shed.push(reason),
    ...(now && { now }),
  };
  const listener: RequestListener = (request, response) => {
    served.push(request.url ?? "");
    if (answer) answer(request, response);
    else response.end("served");
  };
  server.serve(createAdmission(parts, listener));
  return { shed, served, port: server.port, url: `http://127.0.0.1:${server.port}` };
}

suite("admission", QUICK, () => {
  test("rejects a call with a problem and Retry-After", async (t) => {
    const { url, shed, served } = await anEndpoint(t, sheddingAll);
    const response = await fetch(`${url}/api/public/v1/quotes/q?sig=secret`);
    assert.equal(response.status, 503);
    const { headers } = response;
    const body = Problem.parse(await response.json());
    assert.equal(headers.get("content-type"), "application/problem+json");
    assert.equal(headers.get("retry-after"), "1");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("sunset"), "soon");
    assert.match(headers.get("x-request-id") ?? "", /^req_[\w-]{22}$/);
    assert.equal(body.request_id, headers.get("x-request-id"));
    assert.deepEqual([body.code, body.status, body.retryable], ["UPSTREAM_UNAVAILABLE", 503, true]);
    assert.equal(body.instance, "/api/public/v1/quotes/q");
    // The contract has it on RATE_LIMITED alone.
    assert.ok(!("retry_after_seconds" in body));
    assert.deepEqual([shed, served], [["delay"], []]);
  });

  test("guards MCP like the API, however its path is written", async (t) => {
    const { url, port, served } = await anEndpoint(t, sheddingAll);
    for (const path of ["/mcp", "/mcp/", "/MCP", "/mcp?x", "/API/public/v1/routes"]) {
      assert.equal((await fetch(url + path)).status, 503, path);
    }
    const absolute = connect(port, "127.0.0.1");
    absolute.write("GET http://any.example/mcp HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const answer = await text(absolute);
    assert.match(answer, /^HTTP\/1\.1 503 /);
    assert.doesNotMatch(answer, /sunset/i);
    assert.deepEqual(served, []);
  });

  test("admits only the liveness probe while all calls are rejected", async (t) => {
    const { url, shed } = await anEndpoint(t, sheddingAll);
    for (const path of ["/healthz", "/healthz?x"]) assert.equal((await fetch(url + path)).status, 200, path);
    assert.deepEqual(shed, []);
    for (const path of ["/readyz", "/docs", "/healthzx", "/"])
      assert.equal((await fetch(url + path)).status, 503, path);
  });

  test("admits one request of the metrics a second while all calls are rejected", async (t) => {
    let time = 5_000;
    const { url } = await anEndpoint(t, sheddingAll, undefined, () => time);
    const statuses = async () => [(await fetch(`${url}/metrics`)).status, (await fetch(`${url}/metrics?x`)).status];
    assert.deepEqual(await statuses(), [200, 503]);
    time += 999;
    assert.deepEqual(await statuses(), [503, 503]);
    time += 1;
    assert.deepEqual(await statuses(), [200, 503]);
  });

  test("rejects a call before its body has arrived, and serves the next one on the connection", async (t) => {
    const answers: (ShedReason | undefined)[] = ["calls", undefined];
    const guard = { arrived: () => 0, shedReason: () => answers.shift(), ended() {}, left() {}, inFlight: 0 };
    const { port, shed, served } = await anEndpoint(t, guard);
    const socket = connect(port, "127.0.0.1");
    t.after(() => socket.destroy());
    socket.write("POST /api/a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n");
    const [first] = await once(socket, "data");
    assert.match(String(first), /^HTTP\/1\.1 503 /);
    socket.write("bodyGET /api/b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert.match(await text(socket), /^HTTP\/1\.1 200 [\s\S]*served/);
    assert.deepEqual([shed, served], [["calls"], ["/api/b"]]);
  });

  test("counts a call in flight until its response, or until its caller disconnects", async (t) => {
    const guard = createOverloadGuard(() => performance.now(), { callsInFlight: 2 });
    const inFlight: { readonly path: string; readonly response: ServerResponse }[] = [];
    const calls = new EventEmitter();
    const { url, shed } = await anEndpoint(t, guard, (request, response) => {
      inFlight.push({ path: request.url ?? "", response });
      calls.emit("call");
    });
    const start = async (path: string, signal: AbortSignal | null = null) => {
      const started = once(calls, "call");
      const status = fetch(url + path, { signal }).then(
        (response) => response.status,
        () => "gone",
      );
      await started;
      return { status };
    };
    const leaving = new AbortController();
    await start("/api/left", leaving.signal);
    const stays = await start("/api/stays");
    assert.equal(guard.inFlight, 2);
    assert.equal((await fetch(`${url}/api/third`)).status, 503);
    const left = inFlight.find(({ path }) => path === "/api/left")?.response;
    assert.ok(left);
    const closed = once(left, "close");
    leaving.abort();
    await closed;
    assert.equal(guard.inFlight, 1);
    const fourth = await start("/api/fourth");
    for (const { response } of inFlight) response.end("done");
    assert.deepEqual([await stays.status, await fourth.status], [200, 200]);
    assert.deepEqual(shed, ["calls"]);
  });

  test("rejects the last of many calls that were read together", async (t) => {
    let time = 0;
    const guard = createOverloadGuard(() => time, { fewCalls: 1, burstMs: 100 });
    const { port, served, shed } = await anEndpoint(t, guard, ({ url }, response) => {
      if (url === "/api/x") time += 60;
      response.end("served");
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n".repeat(5));
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const statuses = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    assert.deepEqual(statuses, ["200", "200", "503", "503", "503", "200"]);
    assert.equal(served.filter((path) => path === "/api/x").length, 2);
    assert.deepEqual(shed, ["delay", "delay", "delay"]);
  });
});

test("serves one other request for each turn of the event loop, so that calls keep their time", QUICK, async () => {
  const open: OverloadGuard = { ...sheddingAll, shedReason: () => undefined };
  let turn = 0;
  const turns = new Map<string, number[]>();
  const server = createAdmission(
    { guard: open, docsBase: "", versionHeaders: {}, onFinished() {} },
    ({ url = "" }) => void turns.set(url, [...(turns.get(url) ?? []), turn]),
  );
  const send = (url: string) =>
    server({ url, socket: {} } as IncomingMessage, Object.assign(new EventEmitter(), {}) as unknown as ServerResponse);
  for (let n = 0; n < 5; n += 1) for (const url of ["/healthz", "/api/x", "/mcp"]) send(url);
  for (; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  for (const url of ["/api/x", "/mcp"]) assert.equal(new Set(turns.get(url)).size, 1, "all calls in one turn");
  assert.equal(new Set(turns.get("/healthz")).size, 5);
});

test("counts rejected calls and calls in flight", QUICK, async (t) => {
  const { publicUrl, api } = await aService(t);
  await api("/vehicle-classes");
  const upload = connect(Number(new URL(publicUrl).port), "127.0.0.1");
  upload.write(
    "POST /api/public/v1/quote-intents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n",
  );
  const metrics = async () => (await fetch(`${publicUrl}/metrics`)).text();
  let text = await metrics();
  // Rendered once a second.
  for (const end = Date.now() + 20_000; !/^transfer_calls_in_flight 1$/m.test(text); text = await metrics()) {
    assert.ok(Date.now() < end, text);
    await pause(100);
  }
  upload.destroy();
  assert.match(text, /^transfer_shed_total\{reason="delay"\} 0$/m);
  assert.match(text, /^transfer_shed_total\{reason="calls"\} 0$/m);
});
