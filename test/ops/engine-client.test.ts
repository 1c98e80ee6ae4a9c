import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { suite, type TestContext, test } from "node:test";
import { inspect } from "node:util";
import { createEngineClient, type EngineClientOptions } from "../../src/ops/engine-client.ts";
import { packageVersion } from "../../src/ops/package-root.ts";
import { aDeafServer } from "../support/deaf-server.ts";
import {
  aFakeEngine,
  answersBrokenJson,
  answersHtml,
  answersWithoutEnd,
  type Behaviour,
  hangsUp,
  json,
  neverAnswers,
  resetsInBody,
  stallsInBody,
} from "../support/fake-engine.ts";

const UNAVAILABLE = { code: "UPSTREAM_UNAVAILABLE", message: "The routing engine is not available now." };
const GOOD = json({ good: true });
const never = new AbortController().signal;

/** A client and its engine, with the lines that it logs. */
async function setUp(
  t: TestContext,
  behaviour: Behaviour = GOOD,
  options: Partial<EngineClientOptions> = {},
) {
  const engine = await aFakeEngine(t, behaviour);
  const lines: string[] = [];
  const line = (level: string) => (facts: object, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify(facts)}`);
  const log = { info: line("info"), warn: line("warn"), error: line("error") };
  const client = createEngineClient({ name: "routing engine", baseUrl: engine.url, log, ...options });
  t.after(() => client.close());
  const get = (path = "/route", signal = never) => client.getJson(path, signal);
  return { engine, client, lines, get };
}

suite("engine client: calls", () => {
  test("asks below the base address and gives status and JSON", async (t) => {
    const { engine, client } = await setUp(t);
    const below = createEngineClient({
      name: "routing engine",
      baseUrl: `${engine.url}/maps/`,
      log: { info() {}, warn() {}, error() {} },
    });
    t.after(() => below.close());
    assert.deepEqual(await below.getJson("/route?a=1", never), { status: 200, body: { good: true } });
    assert.deepEqual(await client.postJson("/route", { from: "Zürich" }, never), {
      status: 200,
      body: { good: true },
    });
    const [get, post] = engine.calls;
    assert.equal(`${get?.method} ${get?.url.pathname}${get?.url.search}`, "GET /maps/route?a=1");
    assert.equal(get?.headers["user-agent"], `transfer-quote-mcp/${packageVersion}`);
    assert.equal(post?.method, "POST");
    assert.equal(post?.headers["content-type"], "application/json");
    assert.deepEqual(JSON.parse(post?.body ?? ""), { from: "Zürich" });
  });

  test("user, password and query of the base address go with every call", async (t) => {
    const { engine } = await setUp(t);
    const { host } = new URL(engine.url);
    const keyed = createEngineClient({
      name: "routing engine",
      baseUrl: `http://us%3Aer:p%C3%A4ss%zz@${host}/maps/?key=a%26b&token=c#top`,
      log: { info() {}, warn() {}, error() {} },
    });
    t.after(() => keyed.close());
    await keyed.getJson("/route?a=1", never);
    await keyed.postJson("/route", {}, never);
    await keyed.ping("/status");
    assert.deepEqual(
      engine.calls.map(({ url }) => `${url.pathname}${url.search}`),
      [
        "/maps/route?a=1&key=a%26b&token=c",
        "/maps/route?key=a%26b&token=c",
        "/maps/status?key=a%26b&token=c",
      ],
    );
    const authorization = `Basic ${Buffer.from("us:er:päss%zz").toString("base64")}`;
    for (const { headers } of engine.calls) assert.equal(headers.authorization, authorization);
  });

  test("without user and password there is no Authorization", async (t) => {
    const { engine, get } = await setUp(t);
    await get();
    assert.equal(engine.calls[0]?.headers.authorization, undefined);
  });

  test("no key of the base address is in an error or a line of the log", async (t) => {
    const lines: unknown[] = [];
    const line = (...parts: unknown[]) => void lines.push(inspect(parts, { depth: 9 }));
    for (const fault of [json({}, 500), answersHtml(200), hangsUp, neverAnswers]) {
      const { engine } = await setUp(t, fault);
      const { host } = new URL(engine.url);
      const keyed = createEngineClient({
        name: "routing engine",
        baseUrl: `http://user:hush@${host}/?key=hush`,
        log: { info: line, warn: line, error: line },
        callMs: 100,
        faultsToBreak: 1,
      });
      t.after(() => keyed.close());
      const error = await keyed.getJson("/route", never).catch((thrown: unknown) => thrown);
      assert.doesNotMatch(inspect(error, { depth: 9 }), /hush|dXNlcjpodXNo/);
    }
    assert.equal(lines.length, 4);
    assert.doesNotMatch(lines.join(), /hush|dXNlcjpodXNo/);
  });

  test("a refusal with a reason in JSON is an answer, asked once", async (t) => {
    const { engine, get } = await setUp(t, json({ code: "NoRoute" }, 400));
    assert.deepEqual(await get(), { status: 400, body: { code: "NoRoute" } });
    assert.equal(engine.calls.length, 1);
  });

  test("one retry heals a status that passes and a fault of the network", async (t) => {
    const passing = [json({}, 502), json({}, 503), json({}, 504), answersHtml(502), hangsUp, resetsInBody];
    for (const fault of passing) {
      const { engine, get } = await setUp(t);
      engine.next(fault);
      assert.equal((await get()).status, 200);
      assert.equal(engine.calls.length, 2);
    }
  });

  test("there is no second retry", async (t) => {
    const { engine, get } = await setUp(t, json({}, 503));
    await assert.rejects(get(), UNAVAILABLE);
    assert.equal(engine.calls.length, 2);
  });

  test("what would be the same a second time is not asked again", async (t) => {
    const lasting = [
      json({}, 500),
      json({}, 429),
      answersHtml(200),
      answersHtml(404),
      answersBrokenJson,
      answersWithoutEnd,
    ];
    for (const fault of lasting) {
      const { engine, get } = await setUp(t, fault);
      await assert.rejects(get(), UNAVAILABLE);
      assert.equal(engine.calls.length, 1);
    }
  });

  test("redirects are not followed", async (t) => {
    const { engine, get } = await setUp(t, (response) => {
      response.writeHead(302, { location: "/elsewhere" }).end("{}");
    });
    await assert.rejects(get(), UNAVAILABLE);
    assert.equal(engine.calls.length, 1);
  });

  test("a body of the longest length is read, one byte more is not", async (t) => {
    const { engine, get } = await setUp(t, (response) => void response.end(`"${"x".repeat(998)}"`), {
      maxBodyBytes: 1000,
    });
    assert.equal((await get()).status, 200);
    engine.behave((response) => void response.end(`"${"x".repeat(999)}"`));
    await assert.rejects(get(), UNAVAILABLE);
  });

  test("what the caller reads names no address; the cause does not get lost", async (t) => {
    const { engine, client } = await setUp(t, hangsUp);
    const error = await client.getJson("/route", never).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof Error && error.cause instanceof Error);
    assert.ok(!error.message.includes(engine.url) && !error.message.includes("127.0.0.1"));
    assert.match(error.cause.message, /ECONNRESET|UND_ERR_SOCKET/);
  });
});

suite("engine client: time", () => {
  for (const [what, fault] of Object.entries({ headers: neverAnswers, "a body": stallsInBody })) {
    test(`${what} that do not come in time end the call, which is not asked again`, async (t) => {
      const { engine, get } = await setUp(t, fault, { callMs: 100 });
      const before = performance.now();
      await assert.rejects(get(), UNAVAILABLE);
      assert.ok(performance.now() - before >= 95);
      await engine.hungUp;
      assert.equal(engine.calls.length, 1);
    });
  }

  test("without a setting of its own a call ends after 2 s", async (t) => {
    const { get } = await setUp(t, neverAnswers);
    const before = performance.now();
    await assert.rejects(get(), UNAVAILABLE);
    const elapsed = performance.now() - before;
    assert.ok(elapsed >= 1_950 && elapsed < 4_500, `${elapsed} ms`);
  });

  const skip = process.platform !== "linux" && "a full queue of connections is Linux's own";
  test("a connection that does not come about is given up well before the call's limit, twice", {
    skip,
  }, async (t) => {
    const port = await aDeafServer(t);
    const { client } = await setUp(t, GOOD, { baseUrl: `http://127.0.0.1:${port}`, callMs: 20_000 });
    const before = performance.now();
    const error = await client.getJson("/route", never).catch((thrown: unknown) => thrown);
    const elapsed = performance.now() - before;
    assert.ok(error instanceof Error && error.cause instanceof Error);
    assert.match(error.cause.message, /UND_ERR_CONNECT_TIMEOUT/);
    assert.ok(elapsed >= 2 * 490 && elapsed < 10_000, `${elapsed} ms`);
  });

  test("nobody listening is found out at once", async (t) => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const { get } = await setUp(t, GOOD, { baseUrl: `http://127.0.0.1:${port}` });
    await assert.rejects(get(), UNAVAILABLE);
  });
});

suite("engine client: equal calls", () => {
  test("are merged while one is under way, different ones are not", async (t) => {
    const { engine, client, get } = await setUp(t);
    const answers = await Promise.all([get("/a"), get("/a"), get("/a"), get("/b")]);
    assert.equal(answers.length, 4);
    assert.deepEqual(engine.calls.map(({ url }) => url.pathname).sort(), ["/a", "/b"]);
    await get("/a");
    assert.equal(engine.calls.length, 3, "what has ended is asked anew");
    await Promise.all([client.postJson("/a", { n: 1 }, never), client.postJson("/a", { n: 2 }, never)]);
    assert.equal(engine.calls.length, 5);
  });

  test("share a failure, and the next call is a new one", async (t) => {
    const { engine, get } = await setUp(t);
    engine.next(json({}, 500));
    const settled = await Promise.allSettled([get(), get()]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    assert.equal((await get()).status, 200);
  });

  test("a caller who gives up does not end the call of the others", async (t) => {
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

  test("when the last caller has given up the connection is closed", async (t) => {
    const { engine, get } = await setUp(t, neverAnswers);
    const leaving = new AbortController();
    const calls = [get("/route", leaving.signal), get("/route", leaving.signal)];
    await engine.arrived(1);
    leaving.abort(new Error("gone"));
    for (const call of calls) await assert.rejects(call, { message: "gone" });
    await engine.hungUp;
    engine.behave(GOOD);
    assert.equal((await get()).status, 200, "a later caller does not inherit the abandoned call");
  });

  test("a caller who is already gone asks nothing", async (t) => {
    const { engine, get } = await setUp(t);
    await assert.rejects(get("/route", AbortSignal.abort(new Error("gone"))), { message: "gone" });
    assert.equal(engine.calls.length, 0);
  });
});

suite("engine client: concurrency", () => {
  test("so many calls at once, so many waiting, and no more", async (t) => {
    const releases: (() => void)[] = [];
    const hold: Behaviour = (response) => void releases.push(() => response.end("{}"));
    const { engine, get } = await setUp(t, hold, { concurrency: 2, queue: 1 });
    const running = [get("/1"), get("/2")];
    await engine.arrived(2);
    const waiting = get("/3");
    await assert.rejects(get("/4"), UNAVAILABLE);
    assert.equal(engine.calls.length, 2);
    releases[0]?.();
    await engine.arrived(3);
    for (const release of releases) release();
    await Promise.all([...running, waiting]);
    assert.equal(engine.mostAtOnce(), 2);
  });

  test("load alone keeps no ping from its answer", async (t) => {
    const releases: (() => void)[] = [];
    const hold: Behaviour = (response) => void releases.push(() => response.end("{}"));
    const { engine, client, get } = await setUp(t, hold, { concurrency: 1, queue: 1 });
    const calls = [get("/1"), get("/2")];
    await engine.arrived(1);
    engine.next(GOOD, GOOD);
    await client.ping("/status");
    assert.equal((await client.probe("/1", never)).status, 200);
    assert.equal(engine.calls.length, 3);
    engine.behave(GOOD);
    releases[0]?.();
    await Promise.all(calls);
  });
});

suite("engine client: breaker", () => {
  const brokenMs = 10_000;

  async function broken(t: TestContext) {
    t.mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-12-01T09:00:00Z") });
    const parts = await setUp(t, json({}, 500), { faultsToBreak: 3, brokenMs });
    for (let n = 0; n < 3; n += 1) await assert.rejects(parts.get(), UNAVAILABLE);
    return parts;
  }

  test("after some faults in a row nothing is asked until its time is over", async (t) => {
    const { engine, get, lines } = await broken(t);
    assert.equal(engine.calls.length, 3);
    engine.behave(GOOD);
    await assert.rejects(get(), UNAVAILABLE);
    t.mock.timers.tick(brokenMs - 1);
    await assert.rejects(get(), UNAVAILABLE);
    assert.equal(engine.calls.length, 3);
    t.mock.timers.tick(1);
    assert.equal((await get()).status, 200);
    assert.equal((await get()).status, 200);
    assert.deepEqual(
      lines.map((line) => line.split(" ", 1)[0]),
      ["warn", "info"],
      "one line as it breaks, one as it heals",
    );
  });

  test("a trial that fails breaks it again", async (t) => {
    const { engine, get } = await broken(t);
    t.mock.timers.tick(brokenMs);
    await assert.rejects(get(), UNAVAILABLE);
    assert.equal(engine.calls.length, 4);
    await assert.rejects(get(), UNAVAILABLE);
    assert.equal(engine.calls.length, 4);
  });

  test("a trial that its caller gives up does not heal it", async (t) => {
    const { engine, get } = await broken(t);
    engine.behave(neverAnswers);
    t.mock.timers.tick(brokenMs);
    const leaving = new AbortController();
    const trial = get("/trial", leaving.signal);
    await engine.arrived(4);
    leaving.abort(new Error("gone"));
    await assert.rejects(trial, { message: "gone" });
    await engine.hungUp;
    await assert.rejects(get(), UNAVAILABLE);
    assert.equal(engine.calls.length, 4);
  });

  test("refusals with a reason and callers who give up are no faults", async (t) => {
    const { engine, get } = await setUp(t, json({ code: "NoRoute" }, 400), { faultsToBreak: 2 });
    for (let n = 0; n < 5; n += 1) await get();
    engine.behave(neverAnswers);
    for (let n = 0; n < 5; n += 1) {
      const leaving = new AbortController();
      const call = get(`/${n}`, leaving.signal);
      await engine.arrived(6 + n);
      leaving.abort(new Error("gone"));
      await assert.rejects(call, { message: "gone" });
    }
    engine.behave(GOOD);
    assert.equal((await get()).status, 200);
  });
});

suite("engine client: ping", () => {
  test("resolves while the path is answered well, and throws otherwise", async (t) => {
    const { engine, client } = await setUp(t);
    await client.ping("/status");
    for (const status of [400, 401, 403, 404]) {
      engine.behave(json({ message: "No" }, status));
      await assert.rejects(client.ping("/status"), {
        code: "UPSTREAM_UNAVAILABLE",
        message: `The routing engine answers with HTTP status ${status}.`,
      });
    }
    engine.behave(json({}, 500));
    await assert.rejects(client.ping("/status"), UNAVAILABLE);
  });

  test("may look at what is answered", async (t) => {
    const { client } = await setUp(t);
    await client.ping("/status", (body) => JSON.stringify(body) === '{"good":true}');
    await assert.rejects(
      client.ping("/status", () => false),
      { code: "UPSTREAM_UNAVAILABLE", message: "The routing engine says that it is not well." },
    );
  });

  test("has the time limit of a call and heeds the breaker", async (t) => {
    const { engine, client } = await setUp(t, neverAnswers, { callMs: 100, faultsToBreak: 1 });
    await assert.rejects(client.ping("/status"), UNAVAILABLE);
    await assert.rejects(client.ping("/status"), UNAVAILABLE);
    assert.equal(engine.calls.length, 1);
  });
});
