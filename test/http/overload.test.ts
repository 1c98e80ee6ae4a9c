import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createOverloadGuard, type OverloadLimits } from "../../src/http/overload.ts";

const LIMITS = { targetMs: 5, burstMs: 100, overloadAfterMs: 100, calmAfterMs: 100, fewCalls: 4 };

/** A guard and an event loop in which time passes only by work. */
function aLoop(limits: OverloadLimits = {}) {
  let time = 1_000;
  const changes: boolean[] = [];
  const guard = createOverloadGuard(
    () => time,
    { ...LIMITS, ...limits },
    (overloaded) => changes.push(overloaded),
  );
  return {
    guard,
    changes,
    pass(ms: number) {
      time += ms;
    },
    /** Reads `calls` calls at once and gives each its turn; gives how many were served. */
    turn(calls: number, workMs: number): number {
      const arrivals = Array.from({ length: calls }, () => guard.arrived());
      let served = 0;
      for (const arrivedAt of arrivals) {
        if (guard.shedReason(arrivedAt)) continue;
        served += 1;
        time += workMs;
        guard.ended();
      }
      return served;
    },
    /** One call that comes alone and is not ended. */
    start: () => guard.shedReason(guard.arrived()),
  };
}

function anOverloadedLoop() {
  const loop = aLoop();
  for (let n = 0; n < 4; n += 1) loop.turn(20, 2);
  assert.equal(loop.turn(20, 2), 3);
  return loop;
}

suite("overload", () => {
  test("serves a whole burst", () => {
    assert.equal(aLoop().turn(50, 2), 50);
  });

  test("never treats a few concurrent calls as an overload", () => {
    const { turn } = aLoop();
    for (let n = 0; n < 100; n += 1) assert.equal(turn(4, 20), 4);
    assert.equal(turn(5, 20), 5, "nor have they made one");
  });

  test("counts calls in flight among the few, but not disconnected callers", () => {
    const { guard, start, turn, pass } = aLoop();
    for (let n = 0; n < 9; n += 1) {
      guard.arrived();
      guard.left();
    }
    assert.equal(turn(3, 200), 3);
    for (let n = 0; n < 4; n += 1) start();
    pass(1);
    // The second of three waits for 200 ms, which is longer than a burst's calls may.
    assert.equal(turn(3, 200), 1);
  });

  test("rejects calls of a burst that would wait longer than the interval", () => {
    assert.equal(aLoop().turn(200, 2), 51);
  });

  test("reduces a persistent delay to the target", () => {
    const { turn } = aLoop();
    assert.deepEqual([turn(20, 2), turn(20, 2), turn(20, 2), turn(20, 2)], [20, 20, 20, 20]);
    assert.deepEqual([turn(20, 2), turn(20, 2)], [3, 3]);
  });

  test("detects an overload although a call now and then does not wait", () => {
    const { turn } = aLoop();
    for (let n = 0; n < 4; n += 1) assert.deepEqual([turn(20, 2), turn(1, 2)], [20, 1]);
    assert.equal(turn(20, 2), 3);
  });

  test("restarts the interval after a half in which most calls did not wait", () => {
    const { turn } = aLoop();
    for (let n = 0; n < 20; n += 1) {
      assert.deepEqual([turn(20, 2), turn(20, 2)], [20, 20]);
      for (let alone = 0; alone < 100; alone += 1) assert.equal(turn(1, 1), 1);
    }
  });

  test("does not treat bursts with pauses as an overload", () => {
    const { turn, pass } = aLoop();
    for (let n = 0; n < 20; n += 1) {
      assert.equal(turn(50, 2), 50);
      pass(60);
    }
  });

  test("ends an overload after an interval without a rejected call", () => {
    const { turn, changes } = anOverloadedLoop();
    for (let n = 0; n < 100; n += 1) assert.equal(turn(20, 2), 3);
    assert.deepEqual(changes, [true]);
    for (let n = 0; n < 49; n += 1) assert.equal(turn(1, 2), 1);
    assert.equal(turn(20, 2), 3, "too early");
    for (let n = 0; n < 52; n += 1) assert.equal(turn(1, 2), 1);
    assert.equal(turn(20, 2), 20);
    assert.deepEqual(changes, [true, false]);
  });

  test("ends an overload after an interval without calls", () => {
    const { turn, pass } = anOverloadedLoop();
    pass(101);
    assert.equal(turn(20, 2), 20);
  });

  test("always serves the first call of a batch", () => {
    const { turn } = anOverloadedLoop();
    for (let n = 0; n < 10; n += 1) assert.equal(turn(5, 80), 1);
    assert.equal(turn(1, 500), 1);
  });

  test("rejects no single call after the process was suspended", () => {
    const { guard, pass } = aLoop();
    const arrivedAt = guard.arrived();
    pass(3_000);
    assert.equal(guard.shedReason(arrivedAt), undefined);
  });

  test("does not reject calls that wait for a slow engine while the event loop is free", () => {
    const { guard, start, pass } = anOverloadedLoop();
    for (let n = 0; n < 900; n += 1) {
      assert.equal(start(), undefined);
      pass(2);
    }
    assert.equal(guard.inFlight, 900);
  });

  test("rejects calls beyond the limit in flight until one has ended", () => {
    const { guard, start } = aLoop({ callsInFlight: 3 });
    assert.deepEqual([start(), start(), start(), start()], [undefined, undefined, undefined, "calls"]);
    assert.equal(guard.inFlight, 3);
    guard.ended();
    assert.deepEqual([start(), start()], [undefined, "calls"]);
  });
});
