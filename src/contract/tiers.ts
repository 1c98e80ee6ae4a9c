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
export interface Budget {
  readonly points: number;
  readonly seconds: number;
}
export type Budgets = Readonly<Record<Tier, Budget>>;
