import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { rateLimited, upstreamUnavailable } from "../contract/errors.ts";
import { type Budgets, type RateLimiter, TIERS, type Tier } from "./rate-limiter.ts";

/** Budgets counted in the memory of this process. */
export function createMemoryRateLimiter(budgets: Budgets): RateLimiter {
  const limiters = new Map(
    TIERS.map((tier) => {
      const { points, seconds } = budgets[tier];
      return [tier, new RateLimiterMemory({ keyPrefix: tier, points, duration: seconds })] as const;
    }),
  );

  return {
    async charge(tier: Tier, key: string): Promise<void> {
      try {
        await limiters.get(tier)?.consume(key);
      } catch (refusal) {
        // The library rejects with a plain result when a budget is exceeded, and with an Error when its store fails.
        if (refusal instanceof RateLimiterRes) throw rateLimited(tier, refusal.msBeforeNext);
        throw upstreamUnavailable("The budgets cannot be counted now.", refusal);
      }
    },
    setBudgets(changed) {
      applyBudgets(limiters, changed);
    },
  };
}

/** Of the library's limiters by tier. */
export function applyBudgets(
  limiters: ReadonlyMap<Tier, { points: number; duration: number }>,
  budgets: Budgets,
): void {
  for (const [tier, limiter] of limiters)
    Object.assign(limiter, { points: budgets[tier].points, duration: budgets[tier].seconds });
}
