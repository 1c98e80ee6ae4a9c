import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createOverloadGuard, type OverloadLimits } from "../../src/ops/overload.ts";

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
  test("a burst is served whole", () => {
    assert.equal(aLoop().turn(50, 2), 50);
  });

  test("few calls at the same time are never an overload, however long it lasts", () => {
    const { turn } = aLoop();
    for (let n = 0; n < 100; n += 1) assert.equal(turn(4, 20), 4);
    assert.equal(turn(5, 20), 5, "nor have they made one");
  });

  test("calls that are under way count among the few, callers that have left do not", () => {
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

  test("of a burst, what would wait longer than the interval is shed", () => {
    assert.equal(aLoop().turn(200, 2), 51);
  });

  test("a delay that stays over the target for the interval is cut down to the target", () => {
    const { turn } = aLoop();
    assert.deepEqual([turn(20, 2), turn(20, 2), turn(20, 2), turn(20, 2)], [20, 20, 20, 20]);
    assert.deepEqual([turn(20, 2), turn(20, 2)], [3, 3]);
  });

  test("a call now and then that need not wait hides no overload", () => {
    const { turn } = aLoop();
    for (let n = 0; n < 4; n += 1) assert.deepEqual([turn(20, 2), turn(1, 2)], [20, 1]);
    assert.equal(turn(20, 2), 3);
  });

  test("half an interval in which most calls need not wait begins it anew", () => {
    const { turn } = aLoop();
    for (let n = 0; n < 20; n += 1) {
      assert.deepEqual([turn(20, 2), turn(20, 2)], [20, 20]);
      for (let alone = 0; alone < 100; alone += 1) assert.equal(turn(1, 1), 1);
    }
  });

  test("bursts with a rest between them are no overload", () => {
    const { turn, pass } = aLoop();
    for (let n = 0; n < 20; n += 1) {
      assert.equal(turn(50, 2), 50);
      pass(60);
    }
  });

  test("overload lasts while calls are shed, and ends after an interval in which none has to wait", () => {
    const { turn, changes } = anOverloadedLoop();
    for (let n = 0; n < 100; n += 1) assert.equal(turn(20, 2), 3);
    assert.deepEqual(changes, [true]);
    for (let n = 0; n < 49; n += 1) assert.equal(turn(1, 2), 1);
    assert.equal(turn(20, 2), 3, "too early");
    for (let n = 0; n < 52; n += 1) assert.equal(turn(1, 2), 1);
    assert.equal(turn(20, 2), 20);
    assert.deepEqual(changes, [true, false]);
  });

  test("overload ends when nobody asks for an interval", () => {
    const { turn, pass } = anOverloadedLoop();
    pass(101);
    assert.equal(turn(20, 2), 20);
  });

  test("the first of each turn is served, however slow the machine is", () => {
    const { turn } = anOverloadedLoop();
    for (let n = 0; n < 10; n += 1) assert.equal(turn(5, 80), 1);
    assert.equal(turn(1, 500), 1);
  });

  test("a process that was stopped for a while sheds nothing that came alone", () => {
    const { guard, pass } = aLoop();
    const arrivedAt = guard.arrived();
    pass(3_000);
    assert.equal(guard.shedReason(arrivedAt), undefined);
  });

  test("calls that wait for a slow engine are not shed while the loop is free", () => {
    const { guard, start, pass } = anOverloadedLoop();
    for (let n = 0; n < 900; n += 1) {
      assert.equal(start(), undefined);
      pass(2);
    }
    assert.equal(guard.underWay, 900);
  });

  test("more calls under way than memory is meant for are shed until one has ended", () => {
    const { guard, start } = aLoop({ callsUnderWay: 3 });
    assert.deepEqual([start(), start(), start(), start()], [undefined, undefined, undefined, "calls"]);
    assert.equal(guard.underWay, 3);
    guard.ended();
    assert.deepEqual([start(), start()], [undefined, "calls"]);
  });
});
