import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, type ClientRequest, get, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { packageRoot } from "../../src/ops/package-root.ts";
import {
  type BuiltServer,
  callLines,
  runBuilt,
  startBuilt,
  startBuiltServer,
  startProgram,
} from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { aRealJourney, asCreated } from "../support/journey-fixture.ts";
import { aFolder, until, wholeFile } from "../support/lifetime.ts";
import type { Fields } from "../support/mcp-client.ts";
import { request } from "../support/service.ts";

/** Turns a process that does not answer or end into a failure. */
const WAITS = { timeout: 60_000 };

const env = { TRANSFER_DATA_DIR: aFolder(wholeFile) };
const server = await startBuiltServer(wholeFile, env);

const api = ({ publicUrl }: BuiltServer) => `${publicUrl}/api/public/v1`;

/** A call that the server has begun and that still lacks its body. */
async function anUpload(to: BuiltServer, headers: Readonly<Record<string, string>> = {}): Promise<ClientRequest> {
  const upload = httpRequest(`${api(to)}/quotes`, {
    ...{ method: "POST", agent: false },
    headers: { "Content-Type": "application/json", "Content-Length": "1000", Expect: "100-continue", ...headers },
  });
  upload.on("error", () => {});
  upload.flushHeaders();
  await once(upload, "continue");
  return upload;
}

/** Ends ten seconds after it is told to, beside the other tests. */
let shutDownDuringEndlessCall: Promise<object>;
const other = await startBuiltServer(wholeFile);

async function endless() {
  const upload = await anUpload(other);
  const call = once(upload, "response").catch(({ code }: NodeJS.ErrnoException) => code);
  return async () => ({ exit: await other.stop(), call: await call });
}

test("accepts a token of the token command, which warns where the server would reject it", WAITS, async (t) => {
  const { port } = new URL(server.publicUrl);
  const data = ["--data", env.TRANSFER_DATA_DIR];
  const token = (...args: readonly string[]) => runCommand(t, ["token", ...args]);
  const { stdout, stderr } = await token("--port", port, ...data);
  assert.equal(stderr, `issuer ${server.publicUrl}/dev-auth\n`);
  const { body: quote } = await request(`${api(server)}/quotes`, { token: server.token, body: aRealJourney() });
  assert.equal((await request(`${api(server)}/quotes/${quote.quote_id}`, { token: stdout.trim() })).status, 200);
  const otherData = await token("--port", port);
  assert.match(otherData.stderr, /\nwarning: the server at \S+ has other keys: [^\n]*--data[^\n]*\n$/);
  const otherName = await token("--port", port, ...data, "--public-url", `http://localhost:${port}`);
  const named =
    /\nwarning: the server at http:\/\/localhost:\d+ accepts tokens of http:\/\/127\.0\.0\.1:\d+\/dev-auth\n$/;
  assert.match(otherName.stderr, named);
  const noServer = await token("--port", "1", ...data);
  assert.match(noServer.stderr, /^issuer http:\/\/127\.0\.0\.1:1\/dev-auth\nwarning: no server answers at [^\n]*\n$/);
});

test("rejects a port in use with one line", WAITS, async (t) => {
  const { port } = new URL(server.publicUrl);
  const { code, stderr } = await runBuilt(t, ["serve"], { TRANSFER_HTTP_PORT: port });
  assert.equal(code, 2);
  assert.equal(
    stderr,
    `TRANSFER_HTTP_PORT is ${port}; 127.0.0.1:${port} is already in use; allowed: a free port, or 0 for any\n`,
  );
});

let kept: Fields;

test("SIGTERM finishes the call in flight and exits with 0 despite idle connections", WAITS, async (t) => {
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const [first] = (await once(get(`${server.publicUrl}/healthz`, { agent }), "response")) as [IncomingMessage];
  await text(first);
  const silent = connect(Number(new URL(server.publicUrl).port), "127.0.0.1");
  silent.on("error", () => {});
  await once(silent, "connect");

  const stopEndless = await endless();
  const body = JSON.stringify(aRealJourney());
  const headers = { Authorization: `Bearer ${server.token}`, "Content-Length": String(body.length) };
  const upload = await anUpload(server, headers);
  const answer = once(upload, "response");
  upload.write(body.slice(0, 20));
  server.child.kill("SIGTERM");
  shutDownDuringEndlessCall = stopEndless();
  await server.says(/"reason":"SIGTERM"/);
  upload.end(body.slice(20));
  const [response] = (await answer) as [IncomingMessage];
  assert.equal(response.statusCode, 201);
  assert.equal(response.headers.connection, "close");
  kept = JSON.parse(await text(response));
  const ended = await Promise.race([server.ended, shutDownDuringEndlessCall]);
  assert.deepEqual(ended, { code: 0, signal: null }, "it waited for idle connections");
});

test("a restart keeps quotes, tokens and hashes of callers; a second SIGINT closes an upload", WAITS, async (t) => {
  const TRANSFER_CHECKOUT_SECRET = "a-checkout-secret-of-the-tests-0123456789";
  const TRANSFER_HTTP_PORT = new URL(server.publicUrl).port;
  const again = await startBuiltServer(t, { ...env, TRANSFER_CHECKOUT_SECRET, TRANSFER_HTTP_PORT });
  const read = await request(`${api(again)}/quotes/${kept.quote_id}`, { token: server.token });
  assert.deepEqual(asCreated(read.body), kept);

  await anUpload(again);
  again.child.kill("SIGINT");
  await again.says(/"reason":"SIGINT"/);
  assert.deepEqual(await again.stop("SIGINT"), { code: 1, signal: null });
  const hashes = [server, again].map(({ stderr }) => callLines(stderr()).find(({ subject }) => subject)?.subject);
  assert.match(String(hashes[0]), /^[\w-]{11}$/);
  assert.equal(hashes[1], hashes[0]);
});

test("SIGTERM closes a call that never ends after ten seconds, and exits with 0", WAITS, async () => {
  assert.deepEqual(await shutDownDuringEndlessCall, { call: "ECONNRESET", exit: { code: 0, signal: null } });
});

test("SIGTERM during start ends the process, and the next start works", WAITS, async (t) => {
  const folder = { TRANSFER_DATA_DIR: aFolder(t) };
  const early = startBuilt(t, ["serve"], { ...folder, TRANSFER_HTTP_PORT: "0" });
  await once(early.child, "spawn");
  await early.stop();
  const next = await startBuiltServer(t, folder);
  assert.equal((await next.stop()).code, 0);
});

const skip = process.platform === "win32" ? "there are no signals on Windows" : false;

test("npm start serves and exits when npm exits, which forwards no signal", { skip, timeout: 120_000 }, async (t) => {
  const env = { ...process.env, TRANSFER_HTTP_PORT: "0", TRANSFER_DATA_DIR: aFolder(t) };
  const npm = startProgram(["npm", "start"], { cwd: packageRoot, env });
  t.after(() => npm.kill());
  const [, publicUrl] = await npm.says(/REST +(http:\/\/[\d.:]+)[\s\S]*curl -s/);
  const answers = () =>
    fetch(`${publicUrl}/healthz`).then(
      () => true,
      () => false,
    );
  assert.equal(await answers(), true);
  await npm.kill("SIGTERM");
  await until(async () => !(await answers()), "it serves no more");
});

const STOPS = Number(process.env.STOPS ?? 1);
const CONNECTIONS = 32;

interface Tally {
  responses: number;
  /** Requests whose connection broke before the response: how, and when it was sent after the signal. */
  readonly resets: string[];
  /** Responses that left their connection open although they came after the signal. */
  keptOpen: number;
  signaledAt: number;
}

/** Requests over a kept-alive connection, opened anew when the server closes it, until it accepts no more. */
async function ask(publicUrl: string, tally: Tally): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let accepted = true; accepted; await sleep(Math.random() * 5)) {
    const sentAt = performance.now();
    try {
      const sent = get(`${publicUrl}/api/public/v1/vehicle-classes`, { agent });
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      await text(response);
      tally.responses += 1;
      if (response.headers.connection !== "close" && sentAt > tally.signaledAt) tally.keptOpen += 1;
    } catch (error) {
      accepted = (error as NodeJS.ErrnoException).code !== "ECONNREFUSED";
      if (accepted) tally.resets.push(`${error}, ${Math.round(sentAt - tally.signaledAt)} ms after the signal`);
    }
  }
}

test(`resets no request in each of ${STOPS} stops under load`, { timeout: WAITS.timeout * STOPS }, async (t) => {
  for (let stop = 0; stop < STOPS; stop += 1) {
    const server = await startBuiltServer(t, { TRANSFER_DRAIN_SECONDS: "1" });
    const tally: Tally = { responses: 0, resets: [], keptOpen: 0, signaledAt: Number.POSITIVE_INFINITY };
    const load = Array.from({ length: CONNECTIONS }, () => ask(server.publicUrl, tally));
    while (tally.responses < 100) await sleep(5);
    server.child.kill("SIGTERM");
    await server.says(/"reason":"SIGTERM"/);
    tally.signaledAt = performance.now();
    await Promise.all(load);
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    assert.deepEqual([tally.resets, tally.keptOpen], [[], 0]);
  }
});

test("answers /readyz with 503 while it drains and still serves calls", WAITS, async (t) => {
  const server = await startBuiltServer(t, { TRANSFER_DRAIN_SECONDS: "60" });
  server.child.kill("SIGTERM");
  await server.says(/"reason":"SIGTERM"/);
  const ready = await request(`${server.publicUrl}/readyz`);
  assert.deepEqual([ready.status, ready.body.status], [503, "draining"]);
  const served = await request(`${server.publicUrl}/api/public/v1/vehicle-classes`);
  assert.deepEqual([served.status, served.headers.get("connection")], [200, "close"]);
  assert.equal((await server.stop()).code, 1);
});
