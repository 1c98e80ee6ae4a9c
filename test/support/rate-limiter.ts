import type { TestContext } from "node:test";
import { createMemoryRateLimiter } from "../../src/adapters/limits/memory-rate-limiter.ts";
import { createRedisRateLimiter, type RedisRateLimiterOptions } from "../../src/adapters/limits/redis-rate-limiter.ts";
import { type Budgets, TIERS } from "../../src/contract/tiers.ts";
import { silentLog } from "../../src/ops/log.ts";
import type { RateLimiter } from "../../src/service/calls/rate-limiter.ts";

/** A rate limiter with these budgets; no test exceeds the others. */
export function aRateLimiter(budgets: Partial<Budgets> = {}): RateLimiter {
  return createMemoryRateLimiter(ampleBudgets(budgets));
}

/** Waits longer for Redis than any test takes. */
export function aPatientLimiter(
  t: Pick<TestContext, "after">,
  options: Pick<RedisRateLimiterOptions, "url" | "budgets"> & Partial<RedisRateLimiterOptions>,
) {
  const limiter = createRedisRateLimiter({ log: silentLog, replyMs: 60_000, ...options });
  t.after(() => limiter.close());
  return limiter;
}

function ampleBudgets(budgets: Partial<Budgets>): Budgets {
  const ample = Object.fromEntries(TIERS.map((tier) => [tier, { points: 1_000_000_000, seconds: 60 }]));
  return { ...(ample as unknown as Budgets), ...budgets };
}
