import { createMemoryRateLimiter } from "../../src/limits/memory-rate-limiter.ts";
import { type Budgets, type RateLimiter, TIERS } from "../../src/limits/rate-limiter.ts";

/** A rate limiter with these budgets; no test exceeds the others. */
export function aRateLimiter(budgets: Partial<Budgets> = {}): RateLimiter {
  const ample = Object.fromEntries(TIERS.map((tier) => [tier, { points: 1_000_000_000, seconds: 60 }]));
  return createMemoryRateLimiter({ ...(ample as unknown as Budgets), ...budgets });
}
