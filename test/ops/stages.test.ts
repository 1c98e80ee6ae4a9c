import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createStages } from "../../src/ops/stages.ts";
import { until } from "../support/until.ts";

suite("stages", () => {
  const ended: string[] = [];
  const observe = createStages((stage, milliseconds) => {
    assert.ok(milliseconds >= 0);
    ended.push(stage);
  });

  test("end when a function returns or throws", () => {
    assert.equal(
      observe("pricing", () => 7),
      7,
    );
    assert.throws(() =>
      observe("routing", () => {
        throw new Error("no road");
      }),
    );
    assert.deepEqual(ended.splice(0), ["pricing", "routing"]);
  });

  test("end when a promise settles, which is returned unchanged", async () => {
    let settle: (value: number) => void = () => {};
    const promise = new Promise<number>((resolve) => {
      settle = resolve;
    });
    assert.equal(
      observe("store", () => promise),
      promise,
    );
    assert.deepEqual(ended, []);
    settle(7);
    await until(() => ended.length === 1, "the stage ends");
    await assert.rejects(observe("places", () => Promise.reject(new Error("unknown"))));
    assert.deepEqual(ended.splice(0), ["store", "places"]);
  });
});
