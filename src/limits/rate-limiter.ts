export const TIERS = [
  "discovery",
  "routing",
  "quote_estimate",
  "quote_authoritative",
  "quote_read",
  "checkout",
  "auth_failure",
] as const;
export type Tier = (typeof TIERS)[number];

/** `points` calls per `seconds`, for each key. */
interface Budget {
  readonly points: number;
  readonly seconds: number;
}
export type Budgets = Readonly<Record<Tier, Budget>>;

/**
 * Counts calls against budgets. A key's window opens with its first call and lasts the budget's seconds; keys and
 * tiers never share a count. Every implementation must pass `test/ports/rate-limiter.contract.ts`.
 */
export interface RateLimiter {
  /**
   * Takes one point. Throws RATE_LIMITED with the seconds left of the window once the budget is exceeded, and
   * UPSTREAM_UNAVAILABLE when the counter is unavailable.
   */
  charge(tier: Tier, key: string): Promise<void>;
  /** Counts against other budgets from now on; what has been counted stays, and open windows end as they would have. */
  setBudgets(budgets: Budgets): void;
}
