import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { inspect } from "node:util";
import { createUpstreamClient, type UpstreamClientOptions } from "../../../src/adapters/upstream/upstream-client.ts";
import { packageVersion } from "../../../src/ops/package-root.ts";
import {
  aFakeEngine,
  answersBrokenJson,
  answersHtml,
  answersWithoutEnd,
  type Behavior,
  hangsUp,
  json,
  neverAnswers,
  redirects,
  resetsInBody,
  stallsInBody,
} from "../../support/fake-engine.ts";

const UNAVAILABLE = { code: "UPSTREAM_UNAVAILABLE", message: "The routing engine is not available now." };
const GOOD = json({ good: true });
const never = new AbortController().signal;

/** A client and its engine, with the lines that it logs; `at` makes the base address of the engine's. */
async function setUp(
  t: TestContext,
  behavior: Behavior = GOOD,
  { at = (url: URL) => url.href, ...options }: Partial<UpstreamClientOptions> & { at?: (url: URL) => string } = {},
) {
  const engine = await aFakeEngine(t, behavior);
  const lines: string[] = [];
  const line = (level: string) => (facts: object, message: string) =>
    void lines.push(`${level} ${message} ${inspect(facts, { depth: 9 })}`);
  const log = { info: line("info"), warn: line("warn"), error: line("error") };
  const client = createUpstreamClient({ name: "routing engine", baseUrl: at(new URL(engine.url)), log, ...options });
  t.after(() => client.close());
  const get = (path = "/route", signal = never) => client.getJson(path, signal);
  return { engine, client, lines, get };
}

suite("upstream client: calls", () => {
  test("sends requests below the base address and returns status and JSON", async (t) => {
    const { engine, client } = await setUp(t, GOOD, { at: ({ href }) => `${href}maps/` });
    assert.deepEqual(await client.getJson("/route?a=1", never), { status: 200, body: { good: true } });
    assert.deepEqual(await client.postJson("/route", { from: "Zürich" }, never), { status: 200, body: { good: true } });
    const [get, post] = engine.calls;
    assert.equal(`${get?.method} ${get?.url.pathname}${get?.url.search}`, "GET /maps/route?a=1");
    assert.equal(get?.headers["user-agent"], `transfer-quote-mcp/${packageVersion}`);
    assert.equal(`${post?.method} ${post?.url.pathname}`, "POST /maps/route");
    assert.equal(post?.headers["content-type"], "application/json");
    assert.deepEqual(JSON.parse(post?.body ?? ""), { from: "Zürich" });
  });

  test("sends user, password and query of the base address with every call", async (t) => {
    const at = ({ host }: URL) => `http://us%3Aer:p%C3%A4ss%zz@${host}/maps/?key=a%26b&token=c#top`;
    const { engine, client } = await setUp(t, GOOD, { at });
    await client.getJson("/route?a=1", never);
    await client.postJson("/route", {}, never);
    await client.ping("/status");
    assert.deepEqual(
      engine.calls.map(({ url }) => `${url.pathname}${url.search}`),
      ["/maps/route?a=1&key=a%26b&token=c", "/maps/route?key=a%26b&token=c", "/maps/status?key=a%26b&token=c"],
    );
    const authorization = `Basic ${Buffer.from("us:er:päss%zz").toString("base64")}`;
    for (const { headers } of engine.calls) assert.equal(headers.authorization, authorization);
  });

  test("keeps keys of the base address out of errors and logs", async (t) => {
    const at = ({ host }: URL) => `http://user:hush@${host}/?key=hush`;
    for (const fault of [json({}, 500), answersHtml(200), hangsUp, neverAnswers]) {
      const { get, lines } = await setUp(t, fault, { at, callMs: 100 });
      for (let n = 0; n < 4; n += 1) await assert.rejects(get());
      const error = await get().catch((thrown: unknown) => thrown);
      assert.equal(lines.length, 1);
      assert.doesNotMatch(inspect([error, lines], { depth: 9 }), /hush|dXNlcjpodXNo/);
    }
  });

  test("retries a transient status or network fault once", async (t) => {
    const transient = [json({}, 502), json({}, 503), json({}, 504), answersHtml(502), hangsUp, resetsInBody];
    for (const fault of transient) {
      const { engine, get } = await setUp(t);
      engine.next(fault);
      assert.equal((await get()).status, 200);
      assert.equal(engine.calls.length, 2);
      engine.next(fault, fault);
      await assert.rejects(get(), UNAVAILABLE);
      assert.equal(engine.calls.length, 4);
    }
  });

  test("does not retry a fault that would repeat itself", async (t) => {
    const statuses = [json({}, 500), json({}, 429), answersHtml(404), redirects];
    const lasting = [...statuses, answersHtml(200), answersBrokenJson, answersWithoutEnd];
    for (const fault of lasting) {
      const { engine, get } = await setUp(t, fault);
      await assert.rejects(get(), UNAVAILABLE);
      assert.equal(engine.calls.length, 1);
    }
  });

  test("gives up an answer that never begins, or never ends, when its time is over", { timeout: 30_000 }, async (t) => {
    for (const fault of [neverAnswers, stallsInBody]) {
      const { get, engine } = await setUp(t, fault, { callMs: 100 });
      await assert.rejects(get(), UNAVAILABLE);
      await engine.hungUp;
    }
  });

  test("reads a body of the maximum size and rejects one byte more", async (t) => {
    const { engine, get } = await setUp(t, (response) => void response.end(`"${"x".repeat(2 ** 20 - 2)}"`));
    assert.equal((await get()).status, 200);
    engine.behave((response) => void response.end(`"${"x".repeat(2 ** 20 - 1)}"`));
    await assert.rejects(get(), UNAVAILABLE);
  });
});

suite("upstream client: equal calls", () => {
  test("merges equal calls in flight, and no different ones", async (t) => {
    const { engine, client, get } = await setUp(t);
    const answers = await Promise.all([get("/a"), get("/a"), get("/a"), get("/b")]);
    assert.equal(answers.length, 4);
    assert.deepEqual(engine.calls.map(({ url }) => url.pathname).sort(), ["/a", "/b"]);
    await get("/a");
    assert.equal(engine.calls.length, 3, "what has ended is asked anew");
    await Promise.all([client.postJson("/a", { n: 1 }, never), client.postJson("/a", { n: 2 }, never)]);
    assert.equal(engine.calls.length, 5);
  });

  test("keeps a shared call when one caller aborts", async (t) => {
    let release = () => {};
    const { engine, get } = await setUp(t, (response) => {
      release = () => void response.end('{"good":true}');
    });
    const leaving = new AbortController();
    const left = get("/route", leaving.signal);
    const stayed = get("/route");
    await engine.arrived(1);
    leaving.abort(new Error("gone"));
    await assert.rejects(left, { message: "gone" });
    release();
    assert.deepEqual(await stayed, { status: 200, body: { good: true } });
    assert.equal(engine.calls.length, 1);
  });
});

suite("upstream client: concurrency", () => {
  test("holds a bounded number of different calls, however many come", async (t) => {
    const { engine, get } = await setUp(t, () => {}, { callMs: 60_000 });
    const gone = new AbortController();
    let rejected = 0;
    const calls = Array.from({ length: 5_000 }, (_, n) =>
      get(`/${n}`, gone.signal).catch((error) => {
        if (error.code === "UPSTREAM_UNAVAILABLE") rejected += 1;
      }),
    );
    await engine.arrived(16);
    await Promise.all(calls.slice(16 + 64));
    assert.equal(rejected, 5_000 - 16 - 64, "16 running and 64 queued");
    gone.abort();
    await Promise.all(calls);
    assert.equal(engine.mostAtOnce(), 16);
  });
});

suite("upstream client: breaker", () => {
  const brokenMs = 10_000;

  async function broken(t: TestContext) {
    t.mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-12-01T09:00:00Z") });
    const parts = await setUp(t, json({}, 500));
    for (let n = 0; n < 5; n += 1) await assert.rejects(parts.get(), UNAVAILABLE);
    return parts;
  }

  test("opens the circuit after consecutive faults until its time is over", async (t) => {
    const { engine, get, lines } = await broken(t);
    assert.equal(engine.calls.length, 5);
    engine.behave(GOOD);
    await assert.rejects(get(), UNAVAILABLE);
    t.mock.timers.tick(brokenMs - 1);
    await assert.rejects(get(), UNAVAILABLE);
    assert.equal(engine.calls.length, 5);
    t.mock.timers.tick(1);
    assert.equal((await get()).status, 200);
    assert.equal((await get()).status, 200);
    assert.deepEqual(
      lines.map((line) => line.split(" ", 1)[0]),
      ["warn", "info"],
      "one line as it breaks, one as it heals",
    );
  });
});
