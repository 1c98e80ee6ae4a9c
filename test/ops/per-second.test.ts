import assert from "node:assert/strict";
import { test } from "node:test";
import { countPerSecond } from "../../src/ops/per-second.ts";

test("a limit for each second is reached by its count, and open again in the next", () => {
  let now = 5_000;
  const limit = countPerSecond(2, () => now);
  assert.equal(limit.isReached(), false);
  limit.count();
  assert.equal(limit.isReached(), false);
  limit.count();
  now = 5_999;
  assert.equal(limit.isReached(), true);
  now = 6_000;
  assert.equal(limit.isReached(), false);
  limit.count();
  now = 90_000;
  limit.isReached();
  limit.count();
  assert.equal(limit.isReached(), false);
});
