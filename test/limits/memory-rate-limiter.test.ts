import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryRateLimiter, MOST_KEYS } from "../../src/limits/memory-rate-limiter.ts";
import { addressKey, type Budgets, subjectKey, TIERS } from "../../src/limits/rate-limiter.ts";
import { rateLimiterContract } from "../ports/rate-limiter.contract.ts";
import { heapGrowth } from "../support/heap.ts";

const ONE = Object.fromEntries(TIERS.map((tier) => [tier, { points: 1, seconds: 3600 }])) as unknown as Budgets;
const LIMITED = { code: "RATE_LIMITED" };

rateLimiterContract("memory", async (_t, budgets) => createMemoryRateLimiter(budgets));

test("counts a bounded number of addresses and subjects, and forgets those unused longest", async () => {
  const limiter = createMemoryRateLimiter(ONE);
  const network = (n: number) => addressKey(`2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`);
  const keys = [(n: number) => network(n), (n: number) => subjectKey(`${"s".repeat(240)}${n}`)];
  for (const [index, keyOf] of keys.entries()) {
    const tier = index === 0 ? "discovery" : "checkout";
    const charge = (n: number) => limiter.charge(tier, keyOf(n));
    const fill = async (from: number) => {
      for (let n = from; n < from + MOST_KEYS; n += 1) await charge(n);
    };
    const full = await heapGrowth(() => fill(0));
    assert.ok(full < 20, `${tier}: ${full} MB`);
    await assert.rejects(charge(0), LIMITED, "the bound has room for each");
    const more = await heapGrowth(async () => {
      for (const round of [1, 2, 3]) await fill(round * MOST_KEYS);
    });
    assert.ok(more < 2, `${tier}: ${more} MB more for three times as many`);
    await assert.rejects(charge(4 * MOST_KEYS - 1), LIMITED);
    await charge(0);
  }
});
