import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startBuiltServer } from "../support/built-process.ts";
import { request } from "../support/service.ts";

const WAITS = { timeout: 60_000 };
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
  for (let accepted = true; accepted; await pause(Math.random() * 5)) {
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
