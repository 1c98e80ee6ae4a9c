import { createMemoryRateLimiter } from "../../src/limits/memory-rate-limiter.ts";
import { type Budgets, type RateLimiter, TIERS } from "../../src/limits/rate-limiter.ts";

/** A rate limiter whose budgets no test exceeds, but for those given. */
export function aRateLimiter(budgets: Partial<Budgets> = {}): RateLimiter {
  const ample = Object.fromEntries(TIERS.map((tier) => [tier, { points: 1_000_000_000, seconds: 60 }]));
  return createMemoryRateLimiter({ ...(ample as unknown as Budgets), ...budgets });
}
