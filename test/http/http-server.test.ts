import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type HttpServer, listen } from "../../src/http/http-server.ts";

/** Longer than any test may take: a close that falls back on it fails by its time. */
const LONG = 60_000;
const QUICK = { timeout: 20_000 };

async function aServer(t: TestContext): Promise<HttpServer & { readonly url: string }> {
  const server = await listen("127.0.0.1", 0);
  t.after(() => server.close(0));
  return { ...server, url: `http://127.0.0.1:${server.port}/` };
}

async function answerTo(url: string, agent: Agent | false = false): Promise<IncomingMessage & { body: string }> {
  const [response] = (await once(get(url, { agent }), "response")) as [IncomingMessage];
  return Object.assign(response, { body: await text(response) });
}

test("queues requests until a listener serves them", QUICK, async (t) => {
  const server = await aServer(t);
  const socket = connect(server.port, "127.0.0.1");
  t.after(() => socket.destroy());
  await once(socket, "connect");
  socket.write("GET /early HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  // An exchange with another server takes several turns of the event loop: by then the request has been read.
  const other = await aServer(t);
  other.serve((_request, response) => response.end("other"));
  await answerTo(other.url);
  server.serve((request, response) => response.end(`to ${request.url}`));
  assert.match(await text(socket), /to \/early$/);
});

test("close waits for the response in flight, then closes its connection", QUICK, async (t) => {
  const server = await aServer(t);
  const arrived = new Promise<ServerResponse>((resolve) => server.serve((_request, response) => resolve(response)));
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const answer = answerTo(server.url, agent);
  const response = await arrived;
  let closed = false;
  const closing = server.close(LONG).then(() => {
    closed = true;
  });
  // The socket closes within a turn or two of the event loop.
  await pause(20);
  await assert.rejects(once(get(server.url, { agent: false }), "response"), { code: "ECONNREFUSED" });
  assert.equal(closed, false);
  response.end("late");
  assert.equal((await answer).body, "late");
  await closing;
});

test("close does not wait for kept-alive connections", QUICK, async (t) => {
  const server = await aServer(t);
  server.serve((_request, response) => response.end("ok"));
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  assert.equal((await answerTo(server.url, agent)).headers.connection, "keep-alive");
  await server.close(LONG);
});

test("close does not wait for connections without a request", QUICK, async (t) => {
  const server = await aServer(t);
  server.serve((_request, response) => response.end("ok"));
  const silent = connect(server.port, "127.0.0.1");
  const halfway = connect(server.port, "127.0.0.1");
  halfway.write("GET / HTTP/1.1\r\nHo");
  for (const socket of [silent, halfway]) socket.on("error", () => {});
  const gone = [silent, halfway].map((socket) => once(socket.resume(), "close"));
  await Promise.all([silent, halfway].map((socket) => once(socket, "connect")));
  assert.equal((await answerTo(server.url)).body, "ok");
  await server.close(LONG);
  await Promise.all(gone);
});

test("close ends unfinished calls after the grace period", QUICK, async (t) => {
  const server = await aServer(t);
  const arrived = new Promise((resolve) => server.serve(resolve));
  const answer = assert.rejects(answerTo(server.url), { code: "ECONNRESET" });
  await arrived;
  await server.close(50);
  await answer;
});

test("rejects a port that is in use", async (t) => {
  const { port } = await aServer(t);
  await assert.rejects(listen("127.0.0.1", port), { code: "EADDRINUSE" });
});
