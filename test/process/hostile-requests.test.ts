import assert from "node:assert/strict";
import { test } from "node:test";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { at, metricOf } from "../support/machines.ts";
import { aConnection, answerTo } from "../support/raw-connection.ts";
import { until } from "../support/until.ts";
import { wholeFile } from "../support/whole-file.ts";

const WAITS = { timeout: 120_000 };
const API = "/api/public/v1";
const server = await startBuiltServer(wholeFile, { TRANSFER_CATALOG_DIR: aCatalogWithBudgets(wholeFile) });
const { publicUrl, token } = server;
const { host, port } = new URL(publicUrl);
const POST = `POST ${API}/quotes HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
/** The first bytes of a TLS handshake, as `openssl s_client` sends them. */
const TLS_HELLO = Buffer.from("16030100c8010000c40303", "hex");

// biome-ignore format: a table reads by its columns
const MALFORMED: Readonly<Record<string, readonly [number, string | Buffer]>> = {
  "headers of 20 KB": [431, `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`],
  "two thousand headers": [431, `GET / HTTP/1.1\r\nHost: ${host}\r\n${"X-Many: 1234\r\n".repeat(2_000)}\r\n`],
  "headers without an end": [431, `GET / HTTP/1.1\r\nX: ${"x".repeat(40_000)}`],
  "a URL of 20 KB": [431, `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  "Content-Length before Transfer-Encoding": [400, `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  "Transfer-Encoding before Content-Length": [400, `${POST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`],
  "two values of Content-Length": [400, `${POST}Content-Length: 4\r\nContent-Length: 5\r\n\r\n12345`],
  "a negative Content-Length": [400, `${POST}Content-Length: -1\r\n\r\n`],
  "an unknown transfer coding": [400, `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  "chunked that is not the last coding": [400, `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
  "a space before a header's colon": [400, `${POST}Content-Length : 4\r\n\r\n1234`],
  "a chunk size that is not a number": [400, `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  "a folded header": [400, `GET / HTTP/1.1\r\nHost: ${host}\r\nX: a\r\n b\r\n\r\n`],
  "lines that end in a bare line feed": [400, `GET / HTTP/1.1\nHost: ${host}\n\n`],
  "a missing Host header": [400, "GET / HTTP/1.1\r\n\r\n"],
  "another protocol": [400, "SSH-2.0-OpenSSH_9.6\r\n\r\n"],
  "a TLS handshake": [400, TLS_HELLO],
  "HTTP/2 with prior knowledge": [400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
};

for (const [name, [status, sent]] of Object.entries(MALFORMED)) {
  test(`rejects ${name} with ${status} and closes the connection`, WAITS, async (t) => {
    assert.match(await answerTo(t, port, sent), new RegExp(`^HTTP/1\\.1 ${status} `));
  });
}

/** More requests than may be in flight, if none of them ever ended. */
test("110 connections that pipeline 15 requests and close leave no call in flight", WAITS, async (t) => {
  const head = (line: string, bearer: string) =>
    `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${bearer}\r\nContent-Type: application/json\r\n`;
  const body = JSON.stringify(aRealJourney());
  const attacks = {
    "static files": `${head("GET /site.css", "x")}\r\n`,
    documents: `${head("GET /openapi.json", "x")}\r\n`,
    "wrong tokens": `${head(`GET ${API}/quotes/q_1`, "wrong")}\r\n`,
    quotes: `${head(`POST ${API}/quotes`, token)}Content-Length: ${body.length}\r\n\r\n${body}`,
  };
  const filesBefore = await metricOf(server, "process_open_fds");
  const uploads = await Promise.all(Array.from({ length: 3 }, () => aConnection(t, port)));
  for (const upload of uploads) upload.write(`${head(`POST ${API}/quotes`, token)}Content-Length: 1000\r\n\r\n{`);
  const inFlight = () => metricOf(server, "transfer_calls_in_flight");
  await until(async () => (await inFlight()) === 3, "the uploads have begun");

  for (const [what, request] of Object.entries(attacks)) {
    const sockets = await Promise.all(Array.from({ length: 110 }, () => aConnection(t, port)));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(request.repeat(15), resolve))));
    for (const socket of sockets) socket.destroy();
    await until(async () => (await inFlight()) <= 3, `no call of ${what} is in flight`);
    assert.equal((await fetch(`${publicUrl}/readyz`)).status, 200);
    assert.equal((await at(server, "/quotes", { token, body: aRealJourney() })).status, 201, what);
  }
  for (const upload of uploads) upload.destroy();
  await until(async () => (await inFlight()) === 0, "no call is in flight");
  await until(async () => (await metricOf(server, "process_open_fds")) < filesBefore + 20, "files are closed");
});

test("serves and has logged no error and no stack", WAITS, async () => {
  assert.equal((await fetch(`${publicUrl}/readyz`)).status, 200);
  assert.equal(server.child.exitCode, null);
  // Lines are written in the background, the last ones when the process ends.
  await server.stop();
  assert.doesNotMatch(server.stderr(), /"level":50|"err":|RangeError/);
});
