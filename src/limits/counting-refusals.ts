import { PublicError } from "../contract/errors.ts";
import type { RateLimiter, Tier } from "./rate-limiter.ts";

/** A limiter that reports each call which exceeds its budget. */
export function countingRefusals(limiter: RateLimiter, onExceeded: (tier: Tier) => void): RateLimiter {
  return {
    async charge(tier, key) {
      try {
        await limiter.charge(tier, key);
      } catch (error) {
        if (error instanceof PublicError && error.code === "RATE_LIMITED") onExceeded(tier);
        throw error;
      }
    },
    setBudgets: limiter.setBudgets,
  };
}
