import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { suite, type TestContext, test } from "node:test";
import type { RequestHandler, Response } from "express";
import { Problem } from "../../../src/contract/problem.ts";
import { createApp } from "../../../src/servers/http/app.ts";
import { listen } from "../../../src/servers/http/http-server.ts";
import { createLoadShedding } from "../../../src/servers/http/request-limits.ts";
import type { FinishedCall } from "../../../src/service/calls/finished-call.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { until } from "../../support/lifetime.ts";
import { aService, request } from "../../support/service.ts";

/** As much as a test may take where an answer never comes. */
const QUICK = { timeout: 60_000 };

async function anEndpoint(t: TestContext, handler: RequestHandler, mostInFlight?: number) {
  const finished: FinishedCall[] = [];
  const changes: boolean[] = [];
  const shedding = createLoadShedding((isLate) => changes.push(isLate), mostInFlight);
  const app = createApp({
    docsBase: "https://docs.example",
    trustProxy: undefined,
    operator: () => ({ name: "", phone: "", email: "", languages: ["en"] }),
    onFinished: (call) => finished.push(call),
    mounts: [shedding.handler, handler].map((each) => ({ path: "/", handler: each })),
  });
  const server = await listen("127.0.0.1", 0);
  t.after(() => server.close(0));
  server.serve(app);
  return { shedding, finished, changes, url: `http://127.0.0.1:${server.port}/api/public/v1/quotes/q` };
}

/** The statuses that connections get which ask without a pause until `isOver`. */
async function askedBy(connections: number, url: string, isOver: () => boolean): Promise<Set<number>> {
  const statuses = new Set<number>();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!isOver()) {
        const [response] = (await once(get(url, { agent }), "response")) as [IncomingMessage];
        statuses.add(Number(response.statusCode));
        await text(response);
      }
      agent.destroy();
    }),
  );
  return statuses;
}

suite("load shedding", QUICK, () => {
  test("rejects a call beyond the limit with a problem and Retry-After, and counts each until it ends", async (t) => {
    const responses: Response[] = [];
    const { url, shedding, finished } = await anEndpoint(t, (_request, response) => void responses.push(response), 2);
    const leaving = new AbortController();
    const left = assert.rejects(fetch(url, { signal: leaving.signal }));
    const served = fetch(url);
    await until(() => shedding.inFlight() === 2, "two calls are in flight");
    const rejected = await fetch(`${url}?sig=secret`);
    const problem = Problem.parse(await rejected.json());
    assert.deepEqual([problem.code, problem.status, problem.retryable], ["UPSTREAM_UNAVAILABLE", 503, true]);
    assert.deepEqual([rejected.status, problem.instance], [503, "/api/public/v1/quotes/q"]);
    assert.equal(rejected.headers.get("retry-after"), "1");
    assert.equal(rejected.headers.get("cache-control"), "no-store");
    assert.equal(rejected.headers.get("x-request-id"), problem.request_id);
    // The contract has it on RATE_LIMITED alone.
    assert.ok(!("retry_after_seconds" in problem));
    assert.deepEqual(
      finished.map(({ shed, status, surface }) => [shed, status, surface]),
      [["calls", 503, "rest"]],
    );
    leaving.abort();
    await left;
    await until(() => shedding.inFlight() === 1, "the caller has left");
    for (const response of responses) response.end("served");
    assert.equal((await served).status, 200);
    await until(() => shedding.inFlight() === 0, "nothing is in flight");
  });

  test("rejects some of many calls while the event loop is late, and none afterwards", async (t) => {
    const { url, changes, finished } = await anEndpoint(t, (_request, response) => {
      for (const end = performance.now() + 2; performance.now() < end; );
      setTimeout(() => response.end("served"), 5);
    });
    const statuses = await askedBy(96, url, () => finished.length > 20);
    assert.deepEqual([...statuses].sort(), [200, 503]);
    assert.deepEqual([...new Set(finished.map(({ shed }) => shed))], ["delay"]);
    await until(() => changes.at(-1) === false, "the overload has ended");
    assert.equal((await fetch(url)).status, 200);
  });

  test("rejects none of a few calls, however late the event loop is", async (t) => {
    const { url, changes } = await anEndpoint(t, (_request, response) => {
      for (const end = performance.now() + 20; performance.now() < end; );
      response.end("served");
    });
    const end = performance.now() + 1_500;
    assert.deepEqual([...(await askedBy(8, url, () => performance.now() > end))], [200]);
    assert.equal(changes[0], true);
  });
});

test("a flood of documents or metrics is answered 429 after a second, and calls and probes as usual", async (t) => {
  for (const path of ["/openapi.json", "/metrics"]) {
    // Of its own, so that the second that the flood begins in has no other requests.
    const { publicUrl, api, token } = await aService(t);
    const started = performance.now();
    const flood = Array.from({ length: 300 }, async () => {
      const response = await fetch(`${publicUrl}${path}`);
      const body = response.status === 429 ? ((await response.json()) as { code: string }) : undefined;
      return { status: response.status, after: response.headers.get("retry-after"), code: body?.code };
    });
    assert.equal((await request(`${publicUrl}/healthz`)).status, 200);
    assert.equal((await api("/quotes", { token: await token(), body: aQuoteRequest() })).status, 201);
    const answers = await Promise.all(flood);
    const seconds = Math.ceil((performance.now() - started) / 1_000);
    const refused = answers.filter(({ status }) => status === 429);
    // A busy machine takes more than a second to send them.
    assert.ok(answers.length - refused.length <= 100 * seconds, `${refused.length} refused in ${seconds} s`);
    assert.ok(answers.length - refused.length >= 100, `${refused.length} refused`);
    for (const { after, code } of refused) assert.deepEqual([after, code], ["1", "RATE_LIMITED"]);
  }
});
