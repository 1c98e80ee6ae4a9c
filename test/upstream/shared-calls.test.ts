import assert from "node:assert/strict";
import { test } from "node:test";
import { createSharedCalls } from "../../src/upstream/shared-calls.ts";
import { heapGrowth } from "../support/heap.ts";

const CALLS = 40_000;

test("keeps nothing of calls that have ended, failed or been abandoned", async () => {
  const share = createSharedCalls();
  const never = new AbortController().signal;
  const call = async (n: number) => {
    const key = `${n} ${"k".repeat(200)}`;
    if (n % 3 === 0) return share(key, never, async () => n);
    if (n % 3 === 1) return share(key, never, () => Promise.reject(new Error("failed"))).catch(() => {});
    const gone = new AbortController();
    const waiting = share(key, gone.signal, () => new Promise(() => {})).catch(() => {});
    gone.abort();
    return waiting;
  };
  const all = async () => {
    for (let n = 0; n < CALLS; n += 1) await call(n);
  };
  await all();
  const growth = await heapGrowth(all);
  assert.ok(growth < 6, `${growth} MB`);
});
