import { createMemoryRateLimiter } from "../../src/adapters/limits/memory-rate-limiter.ts";
import { type Budgets, TIERS } from "../../src/contract/tiers.ts";
import type { RateLimiter } from "../../src/service/calls/rate-limiter.ts";

/** A rate limiter with these budgets; no test exceeds the others. */
export function aRateLimiter(budgets: Partial<Budgets> = {}): RateLimiter {
  const ample = Object.fromEntries(TIERS.map((tier) => [tier, { points: 1_000_000_000, seconds: 60 }]));
  return createMemoryRateLimiter({ ...(ample as unknown as Budgets), ...budgets });
}
