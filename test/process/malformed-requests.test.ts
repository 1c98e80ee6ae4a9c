import assert from "node:assert/strict";
import { test } from "node:test";
import { startBuiltServer } from "../support/built-process.ts";
import { answerTo } from "../support/raw-connection.ts";
import { wholeFile } from "../support/whole-file.ts";

const WAITS = { timeout: 60_000 };
const server = await startBuiltServer(wholeFile);
const { host, port } = new URL(server.publicUrl);
const POST = `POST /api/public/v1/quotes HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
/** The first bytes of a TLS handshake, as `openssl s_client` sends them. */
const TLS_HELLO = Buffer.from("16030100c8010000c40303", "hex");

const MALFORMED: Readonly<Record<string, readonly [number, string | Buffer]>> = {
  "headers of 20 KB": [431, `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`],
  "two thousand headers": [431, `GET / HTTP/1.1\r\nHost: ${host}\r\n${"X-Many: 1234\r\n".repeat(2_000)}\r\n`],
  "headers without an end": [431, `GET / HTTP/1.1\r\nX: ${"x".repeat(1024 * 1024)}`],
  "a URL of 20 KB": [431, `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  "Content-Length before Transfer-Encoding": [
    400,
    `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  "Transfer-Encoding before Content-Length": [
    400,
    `${POST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
  ],
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

test("serves and has logged no error after malformed requests", WAITS, async () => {
  assert.equal((await fetch(`${server.publicUrl}/readyz`)).status, 200);
  assert.equal(server.child.exitCode, null);
  // Lines are written in the background, the last ones when the process ends.
  server.child.kill("SIGTERM");
  await server.ended;
  assert.doesNotMatch(server.stderr(), /"level":50/);
});
