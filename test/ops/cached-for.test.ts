import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { cachedFor } from "../../src/ops/cached-for.ts";

suite("cachedFor", () => {
  test("shares a pending result and keeps it for its time after it has settled", async () => {
    let now = 0;
    let calls = 0;
    const read = cachedFor(
      1_000,
      async () => {
        calls += 1;
        return calls;
      },
      () => now,
    );
    assert.deepEqual(await Promise.all([read(), read()]), [1, 1]);
    now = 999;
    assert.equal(await read(), 1);
    now = 1_000;
    assert.equal(await read(), 2);
  });

  test("does not keep a failure", async () => {
    let calls = 0;
    const read = cachedFor(1_000, async () => {
      calls += 1;
      if (calls === 1) throw new Error("unavailable");
      return calls;
    });
    await assert.rejects(read(), /unavailable/);
    assert.equal(await read(), 2);
  });
});
