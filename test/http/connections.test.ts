import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { suite, type TestContext, test } from "node:test";
import { setInterval } from "node:timers/promises";
import { listen, type ServerLimits } from "../../src/http/http-server.ts";

/** What is not cut off is noticed by the time, long after the limits of a test. */
const QUICK = { timeout: 40_000 };
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const UPLOAD = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n";

/** Answers "ok" once the body is there, unless told otherwise. */
const readAndAnswer: RequestListener = (request, response) => {
  request.resume().once("end", () => response.setHeader("Content-Length", 2).end("ok"));
};

async function aServer(t: TestContext, limits: ServerLimits, listener: RequestListener = readAndAnswer) {
  const server = await listen("127.0.0.1", 0, { checkMs: 20, ...limits });
  t.after(() => server.close(0));
  server.serve(listener, { docsBase: "https://docs.example", onFinished() {} });
  return {
    /** A connection that is open; nobody reads it yet. */
    async open(): Promise<Socket> {
      // Half open: a test's peer does not close because the server does.
      const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => {});
      t.after(() => socket.destroy());
      await once(socket, "connect");
      return socket;
    },
  };
}

/** What comes up to the end of one answer; all of them end in one of these. */
async function answerTo(socket: Socket, request: string): Promise<string> {
  socket.write(request);
  let heard = "";
  while (!/\r\n\r\n(ok|no|to \/\d|late|\{.*\})?$/.test(heard)) heard += String((await once(socket, "data"))[0]);
  return heard;
}

/** All that comes until the server closes or resets the connection. */
async function untilClosed(socket: Socket): Promise<string> {
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  await Promise.race([once(socket, "end"), once(socket, "close")]).catch(() => {});
  return heard;
}

/** Writes a little at a time for as long as it can. */
async function trickle(socket: Socket, little = "x"): Promise<void> {
  for await (const _ of setInterval(10)) {
    if (socket.destroyed || socket.errored) return;
    socket.write(little);
  }
}

suite("connections", QUICK, () => {
  test("rejects a slow body with 408 while it serves others", async (t) => {
    const { open } = await aServer(t, { headersMs: 1_000, requestMs: 1_500 });
    const slow = await open();
    slow.write(UPLOAD.replace("100", "100000"));
    const end = untilClosed(slow);
    void trickle(slow);
    assert.match(await answerTo(await open(), GET), /ok/);
    assert.match(await end, /^HTTP\/1\.1 408 /);
  });

  test("closes a connection whose next request stalls while an earlier one is answered", async (t) => {
    const { open } = await aServer(t, { headersMs: 200, requestMs: 400 }, (_request, response) => {
      setTimeout(() => response.end("late"), 1_000);
    });
    const socket = await open();
    const end = untilClosed(socket);
    socket.write(`${GET}GET / HTTP/1.1\r\nX-Slow: `);
    void trickle(socket);
    await end;
  });

  test("does not answer a request with the rejection of a broken one behind it", async (t) => {
    const { open } = await aServer(t, {}, (_request, response) => setTimeout(() => response.end("late"), 500));
    const socket = await open();
    const end = untilClosed(socket);
    socket.write(`${GET}NONSENSE\r\n\r\n`);
    assert.equal(await end, "");
  });

  test("closes a connection that is idle between requests after the limit", async (t) => {
    const { open } = await aServer(t, { keepAliveMs: 100 });
    const socket = await open();
    const began = performance.now();
    socket.write(GET);
    assert.match(await untilClosed(socket), /ok$/);
    // Node adds a second, and has five of its own where nothing is said.
    assert.ok(performance.now() - began < 4_500);
  });

  test("closes a connection whose response is never read", async (t) => {
    const answers = new EventEmitter();
    const { open } = await aServer(t, { silenceMs: 300 }, (_request, response) => {
      response.once("close", () => answers.emit("closed"));
      response.end(Buffer.alloc(64 * 1024 * 1024));
    });
    const deaf = await open();
    const closed = once(answers, "closed");
    deaf.pause().write(GET);
    await closed;
  });

  test("closes the longest idle connection when all are taken, and no busy one", async (t) => {
    const finish: (() => void)[] = [];
    const { open } = await aServer(t, { connections: 3 }, (request, response) => {
      if (request.method === "POST") finish.push(() => response.end("late"));
      else response.end("ok");
    });
    const busy = await open();
    busy.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    const silent = await open();
    const used = await open();
    const end = untilClosed(silent);
    // Once it is answered it is the one that was idle last.
    assert.match(await answerTo(used, GET), /ok/);
    const late = await open();
    assert.match(await answerTo(late, GET), /ok/);
    await end;
    assert.match(await answerTo(used, GET), /ok/);
    const answer = once(busy, "data");
    for (const each of finish) each();
    assert.match(String(await answer), /late/);
  });

  test("closes a new connection when all are busy", async (t) => {
    const calls = new EventEmitter();
    const { open } = await aServer(t, { connections: 2, headersMs: 30_000 }, () => calls.emit("call"));
    for (let n = 0; n < 2; n += 1) {
      const called = once(calls, "call");
      (await open()).write(GET);
      await called;
    }
    await untilClosed(await open());
  });

  test("answers as many pipelined requests as it accepts, in order, and closes at one more", async (t) => {
    const { open } = await aServer(t, { pipelined: 4 }, (request, response) => {
      setImmediate(() => response.end(`to ${request.url}`));
    });
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const few = await open();
    few.write(get("/1") + get("/2") + get("/3"));
    few.write("GET /4 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert.deepEqual((await untilClosed(few)).match(/to \/\d/g), ["to /1", "to /2", "to /3", "to /4"]);
    const flood = await open();
    flood.write(get("/").repeat(5));
    assert.equal(await untilClosed(flood), "");
  });

  test("closes a connection after its maximum of requests", async (t) => {
    const { open } = await aServer(t, { requestsPerConnection: 2 });
    const socket = await open();
    assert.match(await answerTo(socket, GET), /Connection: keep-alive/);
    assert.match(await answerTo(socket, GET), /Connection: close/);
    assert.match(await answerTo(socket, GET), /HTTP\/1\.1 503/);
  });

  test("closes a rejected client that keeps sending, after it could read the response", async (t) => {
    const { open } = await aServer(t, {});
    const socket = await open();
    const closed = new Promise((resolve) => socket.once("close", resolve));
    assert.match(await answerTo(socket, "nonsense\r\n\r\n"), /^HTTP\/1\.1 400 /);
    void trickle(socket);
    await closed;
  });
});
