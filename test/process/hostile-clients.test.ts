import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { until, wholeFile } from "../support/lifetime.ts";
import { at, metricOf, sell } from "../support/machines.ts";
import { aConnection, answerTo, ended } from "../support/raw-connection.ts";

const WAITS = { timeout: 120_000 };
const MEGABYTE = 1024 * 1024;

const TRANSFER_CATALOG_DIR = aCatalogWithBudgets(wholeFile);
const server = await startBuiltServer(wholeFile, { TRANSFER_CATALOG_DIR });
const { token } = server;
const { host, port } = new URL(server.publicUrl);

const POST = `POST /api/public/v1/quotes HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;

const mcpHead = [
  "POST /mcp HTTP/1.1",
  `Host: ${host}`,
  `Authorization: Bearer ${token}`,
  "Content-Type: application/json",
  "Accept: application/json, text/event-stream",
].join("\r\n");

/** What Node's parser rejects with the settings of this server. */
// biome-ignore format: a table reads by its columns
const MALFORMED: Readonly<Record<string, readonly [number, string | Buffer]>> = {
  "headers of 20 KB": [431, `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`],
  "two thousand headers": [431, `GET / HTTP/1.1\r\nHost: ${host}\r\n${"X-Many: 1234\r\n".repeat(2_000)}\r\n`],
  "Content-Length beside Transfer-Encoding": [400, `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  "lines that end in a bare line feed": [400, `GET / HTTP/1.1\nHost: ${host}\n\n`],
  "a missing Host header": [400, "GET / HTTP/1.1\r\n\r\n"],
  "a TLS handshake": [400, Buffer.from("16030100c8010000c40303", "hex")],
};
for (const [name, [status, sent]] of Object.entries(MALFORMED))
  test(`rejects ${name} with ${status} and closes the connection`, WAITS, async (t) => {
    assert.match(await answerTo(t, port, sent), new RegExp(`^HTTP/1\\.1 ${status} `));
  });

/** Creates, hands off and reads a quote. */
async function servesOthers(): Promise<void> {
  const { quote } = await sell(server);
  assert.equal((await at(server, `/quotes/${quote.quote_id}`, { token })).status, 200);
}

/** Asked again where the server sheds the request. */
async function memory(): Promise<number> {
  let bytes = Number.NaN;
  await until(async () => {
    bytes = await metricOf(server, "process_resident_memory_bytes");
    return !Number.isNaN(bytes);
  }, "the memory is known");
  return bytes;
}

/** After the attack others are served still, and the server has grown by less than this. */
function survives(attack: string, megabytes: number, run: (t: TestContext) => Promise<void>): void {
  test(`serves others after ${attack}, and has not grown by ${megabytes} MB`, WAITS, async (t) => {
    const before = await memory();
    await run(t);
    await servesOthers();
    const grown = Math.round(((await memory()) - before) / MEGABYTE);
    assert.ok(grown < megabytes, `${grown} MB`);
    t.diagnostic(`grown by ${grown} MB`);
  });
}

const trickling = trickleHeaders(200);

/** Sends headers a byte at a time over many connections until the server closes them. */
async function trickleHeaders(count: number) {
  const answers = Array.from({ length: count }, () => "");
  const began = performance.now();
  const sockets = await Promise.all(
    answers.map((_, n) => aConnection(wholeFile, port, (text) => (answers[n] += text))),
  );
  for (const socket of sockets) socket.write("GET /healthz HTTP/1.1\r\nX-Slow: ");
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write("x");
  }, 500);
  await Promise.all(sockets.map(ended));
  clearInterval(timer);
  return { answers, took: performance.now() - began };
}

survives("100 calls to /mcp that stay incomplete and 100 connections that pipeline them", 300, async (t) => {
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  for (let n = 0; n < 100; n += 1) {
    const unfinished = await aConnection(t, port);
    unfinished.write(`${mcpHead}\r\nContent-Length: 100000\r\n\r\n${list.slice(0, 20)}`);
  }
  // Ends at the time limit of the test where the server does not accept them all.
  while ((await metricOf(server, "transfer_calls_in_flight")) < 100);
  await servesOthers();
  for (let n = 0; n < 100; n += 1) {
    const impatient = (await aConnection(t, port)).pause();
    impatient.write(`${mcpHead}\r\nContent-Length: ${list.length}\r\n\r\n${list}`.repeat(200));
  }
});

survives("600 uploads that never end", 300, async (t) => {
  for (let n = 0; n < 600; n += 1) {
    const socket = await aConnection(t, port);
    socket.write(`${POST}Content-Length: 60000\r\n\r\n${" ".repeat(59_000)}`);
  }
});

survives("floods of requests, whose connections it closes", 300, async (t) => {
  const one = `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const sockets = await Promise.all(Array.from({ length: 20 }, () => aConnection(t, port)));
  const ends = sockets.map((socket) => ended(socket.pause()));
  for (const socket of sockets) socket.write(one.repeat(20_000));
  await Promise.all(ends);
});

survives("a chunked body of 256 MiB, which it reads without keeping it and rejects with 413", 200, async (t) => {
  let heard = "";
  const socket = await aConnection(t, port, (text) => {
    heard += text;
  });
  socket.write(`${POST}Authorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
  for (let sent = 0; sent < 4_096; sent += 1) if (!socket.write(chunk)) await once(socket, "drain");
  socket.write("0\r\n\r\n");
  await until(() => /^HTTP\/1\.1 413 [\s\S]*"code":"INVALID_REQUEST"/.test(heard), "the rejection");
});

/** More requests than may be in flight, if none of them ever ended. */
test(
  "110 connections that pipeline 15 requests and close leave no call in flight and no open file",
  WAITS,
  async (t) => {
    const head = (line: string) =>
      `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const body = JSON.stringify(aRealJourney());
    const quote = `${head("POST /api/public/v1/quotes")}Content-Length: ${body.length}\r\n\r\n${body}`;
    const filesBefore = await metricOf(server, "process_open_fds");
    for (const request of [`${head("GET /site.css")}\r\n`, quote]) {
      const sockets = await Promise.all(Array.from({ length: 110 }, () => aConnection(t, port)));
      await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(request.repeat(15), resolve))));
      for (const socket of sockets) socket.destroy();
      await until(async () => (await metricOf(server, "transfer_calls_in_flight")) === 0, "no call is in flight");
      await servesOthers();
    }
    await until(async () => (await metricOf(server, "process_open_fds")) < filesBefore + 20, "files are closed");
  },
);

test("closes slow headers with 408 after ten seconds", WAITS, async () => {
  const { answers, took } = await trickling;
  assert.ok(took > 9_000, `they were closed after ${took} ms`);
  // A client that still sends may meet the reset before it has read the answer.
  for (const answer of answers) assert.match(answer, /^(HTTP\/1\.1 408 |$)/);
});

test("serves and has logged no error after hostile clients", WAITS, async () => {
  await servesOthers();
  assert.equal((await fetch(`${server.publicUrl}/readyz`)).status, 200);
  assert.equal(server.child.exitCode, null);
  // Lines are written in the background, the last ones when the process ends.
  await server.stop();
  assert.doesNotMatch(server.stderr(), /"level":50|"err":|RangeError/);
});
