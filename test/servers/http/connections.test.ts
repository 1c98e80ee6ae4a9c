import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as pause, setInterval } from "node:timers/promises";
import { listen } from "../../../src/servers/http/http-server.ts";

/** What is not cut off is noticed by the time, long after the limits of a test. */
const QUICK = { timeout: 40_000 };
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/** Answers "ok" once the body is there, unless told otherwise. */
const readAndAnswer: RequestListener = (request, response) => {
  request.resume().once("end", () => response.setHeader("Content-Length", 2).end("ok"));
};

async function aServer(
  t: TestContext,
  limits: Parameters<typeof listen>[2],
  listener: RequestListener = readAndAnswer,
): Promise<{ open(): Promise<Socket> }> {
  const server = await listen("127.0.0.1", 0, limits);
  t.after(() => server.close(0));
  server.serve(listener);
  return {
    /** A connection that is open; nobody reads it yet. */
    async open() {
      // Half open: a test's peer does not close because the server does.
      const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => {});
      t.after(() => socket.destroy());
      await once(socket, "connect");
      return socket;
    },
  };
}

/** What comes up to the end of one answer. */
async function answerTo(socket: Socket, request: string): Promise<string> {
  socket.write(request);
  let heard = "";
  while (!/\r\n\r\n(ok)?$/.test(heard)) heard += String((await once(socket, "data"))[0]);
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
async function trickle(socket: Socket): Promise<void> {
  for await (const _ of setInterval(10)) {
    if (socket.destroyed || socket.errored) return;
    socket.write("x");
  }
}

suite("connections", QUICK, () => {
  test("rejects a slow body with 408 while it serves others", async (t) => {
    const { open } = await aServer(t, { headersTimeout: 1_000, requestTimeout: 1_500 });
    const slow = await open();
    slow.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
    const end = untilClosed(slow);
    void trickle(slow);
    assert.match(await answerTo(await open(), GET), /ok/);
    assert.match(await end, /^HTTP\/1\.1 408 /);
  });

  test("closes a connection whose next request stalls while an earlier one is answered", async (t) => {
    const { open } = await aServer(t, { headersTimeout: 200, requestTimeout: 400 }, () => {});
    const socket = await open();
    const end = untilClosed(socket);
    socket.write(`${GET}GET / HTTP/1.1\r\nX-Slow: `);
    void trickle(socket);
    await end;
  });

  test("closes a connection that is idle between requests after the limit", async (t) => {
    // Node has five seconds of its own where nothing is said, and adds one to each.
    const unlimited = await (await aServer(t, {})).open();
    unlimited.write(GET);
    const { open } = await aServer(t, { keepAliveTimeout: 100 });
    const socket = await open();
    socket.write(GET);
    const first = await Promise.race([untilClosed(socket), untilClosed(unlimited).then(() => "the other one")]);
    assert.match(first, /ok$/);
  });

  test("closes a connection whose response is never read", async (t) => {
    const answers = new EventEmitter();
    const { open } = await aServer(t, { timeout: 300 }, (_request, response) => {
      response.once("close", () => answers.emit("closed"));
      response.end(Buffer.alloc(64 * 1024 * 1024));
    });
    const deaf = await open();
    const closed = once(answers, "closed");
    deaf.pause().write(GET);
    await closed;
  });

  test("closes a connection more than its maximum, and still serves the others", async (t) => {
    const { open } = await aServer(t, { maxConnections: 2 });
    const first = await open();
    const second = await open();
    assert.match(await answerTo(first, GET), /ok/);
    assert.equal(await untilClosed(await open()), "");
    for (const socket of [first, second]) assert.match(await answerTo(socket, GET), /ok/);
  });

  test("closes a connection with a request behind one that has no response yet, and ends both", async (t) => {
    const begun: string[] = [];
    const answers = new EventEmitter();
    const { open } = await aServer(t, {}, ({ url }, response) => {
      begun.push(String(url));
      response.once("close", () => answers.emit("closed"));
    });
    const flood = await open();
    const closed = once(answers, "closed");
    flood.write(GET.repeat(5));
    assert.equal(await untilClosed(flood), "");
    await closed;
    assert.deepEqual(begun, ["/"]);
  });

  test("answers a client that connects before the server stops listening and sends later", async (t) => {
    const server = await listen("127.0.0.1", 0);
    server.serve(readAndAnswer);
    const closed = server.close(10_000, 1_000);
    const socket = connect({ port: server.port, host: "127.0.0.1" });
    t.after(() => socket.destroy());
    // Longer than the drain and what follows it.
    await pause(1_500);
    assert.match(await answerTo(socket, GET), /^HTTP\/1\.1 200 .*ok$/s);
    await closed;
  });

  test("closes a connection after its maximum of requests", async (t) => {
    const { open } = await aServer(t, { maxRequestsPerSocket: 2 });
    const socket = await open();
    assert.match(await answerTo(socket, GET), /Connection: keep-alive/);
    assert.match(await answerTo(socket, GET), /Connection: close/);
    assert.match(await answerTo(socket, GET), /HTTP\/1\.1 503/);
  });
});
