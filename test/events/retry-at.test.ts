import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAt } from "../../src/events/event-sender.ts";

const AT = new Date("2026-12-01T09:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Seconds until the next attempt, `s` seconds after the event. */
function waitSeconds(failures: number, { s = 10, random = 0.5, retryAfterMs = 0 } = {}) {
  const now = new Date(AT.getTime() + s * 1000);
  const next = retryAt({ at: AT, now, failures, retryAfterMs, random }, DAY);
  return next && (next.getTime() - now.getTime()) / 1000;
}

test("waits four times as long after each failure, and three hours at most", () => {
  const waits = Array.from({ length: 10 }, (_, n) => waitSeconds(n + 1));
  assert.deepEqual(waits, [1, 4, 16, 64, 256, 1024, 4096, 10_800, 10_800, 10_800]);
  assert.equal(waitSeconds(1_000_000), 10_800);
});

test("spreads the attempts by a quarter to both sides", () => {
  assert.deepEqual([waitSeconds(3, { random: 0 }), waitSeconds(3, { random: 1 })], [12, 20]);
});

test("waits as long as the receiver asks for, and not less than the back-off", () => {
  assert.equal(waitSeconds(1, { retryAfterMs: 7_000 }), 7);
  assert.equal(waitSeconds(4, { retryAfterMs: 7_000 }), 64);
});

test("makes the last attempt 24 hours after the event, whatever was asked for, and none after it", () => {
  assert.equal(waitSeconds(9, { s: 86_400 - 60 }), 60);
  assert.equal(waitSeconds(2, { s: 10, retryAfterMs: 90 * HOUR }), 86_390);
  assert.equal(waitSeconds(9, { s: 86_400 }), undefined);
  assert.equal(waitSeconds(1, { s: 90_000 }), undefined, "the first attempt of an event that waited a day is its last");
});

test("an event that is refused all day is attempted about fifteen times", () => {
  let now = AT;
  let attempts = 1;
  for (;;) {
    const next = retryAt({ at: AT, now, failures: attempts, retryAfterMs: 0, random: 0.5 }, DAY);
    if (!next) break;
    attempts += 1;
    now = next;
  }
  assert.equal(now.getTime(), AT.getTime() + DAY);
  assert.ok(attempts >= 14 && attempts <= 17, String(attempts));
});
