import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startBuiltServer } from "../support/built-process.ts";
import { request } from "../support/service.ts";

const WAITS = { timeout: 60_000 };
const STOPS = Number(process.env.STOPS ?? 2);
const CONNECTIONS = 32;

interface Tally {
  responses: number;
  /** Requests whose connection broke before the response: which one of its connection, and when after the signal. */
  readonly resets: string[];
  /** Responses that left their connection open although they came after the signal. */
  keptOpen: number;
  signaledAt: number;
}

/** Requests over kept-alive connections, opened anew when the server closes them, until it accepts no more. */
async function ask(publicUrl: string, tally: Tally): Promise<void> {
  const { port, host } = new URL(publicUrl);
  const get = `GET /api/public/v1/vehicle-classes HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  for (let accepted = true; accepted; ) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1");
      let [received, sent, sentAt, isPending] = ["", 0, 0, false];
      const send = () => {
        [received, sent, sentAt, isPending] = ["", sent + 1, performance.now(), true];
        socket.write(get);
      };
      socket.once("connect", send);
      socket.on("error", () => {});
      socket.on("data", async (chunk: Buffer) => {
        received += chunk.toString("latin1");
        const head = received.indexOf("\r\n\r\n");
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
        if (head < 0 || received.length < head + 4 + length) return;
        isPending = false;
        tally.responses += 1;
        if (/\r\nconnection: close/i.test(received)) return void socket.end();
        if (sentAt > tally.signaledAt) tally.keptOpen += 1;
        await pause(Math.random() * 5);
        if (!socket.writableEnded && !socket.destroyed) send();
      });
      socket.once("close", () => {
        accepted = sent > 0;
        if (isPending)
          tally.resets.push(`request ${sent}, ${Math.round(sentAt - tally.signaledAt)} ms after the signal`);
        resolve();
      });
    });
  }
}

test(`resets no request in ${STOPS} stops under load`, { timeout: WAITS.timeout * STOPS }, async (t) => {
  for (let stop = 0; stop < STOPS; stop += 1) {
    const server = await startBuiltServer(t, { TRANSFER_DRAIN_SECONDS: "1" });
    const tally: Tally = { responses: 0, resets: [], keptOpen: 0, signaledAt: Number.POSITIVE_INFINITY };
    const load = Array.from({ length: CONNECTIONS }, () => ask(server.publicUrl, tally));
    while (tally.responses < 100) await pause(5);
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
