import { LRUCache } from "lru-cache";
import { rateLimited } from "../../contract/errors.ts";
import type { Budgets, Tier } from "../../contract/tiers.ts";
import type { RateLimiter } from "../../service/calls/rate-limiter.ts";

/** Keys counted in each tier, about 0.2 kB each. Beyond that, the least recently used key is forgotten. */
export const MOST_KEYS = 20_000;

interface Window {
  used: number;
  /** Milliseconds of the monotonic clock. */
  readonly endsAt: number;
}

/**
 * Budgets counted in the memory of this process. An attacker cannot use `MOST_KEYS` to reset a budget: that takes more
 * than `MOST_KEYS` networks, each of which has a budget anyway.
 */
export function createMemoryRateLimiter(initial: Budgets): RateLimiter {
  let budgets = initial;
  const tiers = new Map<Tier, LRUCache<string, Window>>();

  return {
    async charge(tier, key, { points, seconds } = budgets[tier]) {
      const now = performance.now();
      const windows = tiers.get(tier) ?? new LRUCache({ max: MOST_KEYS });
      tiers.set(tier, windows);
      const open = windows.get(key);
      if (!open || open.endsAt <= now) {
        windows.set(key, { used: 1, endsAt: now + seconds * 1000 });
        return;
      }
      open.used += 1;
      if (open.used > points) throw rateLimited(tier, open.endsAt - now);
    },
    setBudgets(changed) {
      budgets = changed;
    },
  };
}
