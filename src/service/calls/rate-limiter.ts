import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import type { Budget, Budgets, Tier } from "../../contract/tiers.ts";

/**
 * Counts calls against budgets. A key's window opens with its first call and lasts the budget's seconds; keys and
 * tiers never share a count. Every implementation must pass `test/ports/rate-limiter.contract.ts`.
 */
export interface RateLimiter {
  /**
   * Takes one point from `budget`, by default the tier's. Throws RATE_LIMITED with the seconds until the window ends if
   * the budget is exceeded, and UPSTREAM_UNAVAILABLE if the counter is unavailable.
   */
  charge(tier: Tier, key: string, budget?: Budget): Promise<void>;
  /** Replaces the budgets. Points already counted stay counted, and open windows keep their end. */
  setBudgets(budgets: Budgets): void;
}

/** Key under which the calls of a token's subject are counted. It never equals an address's key. */
export function subjectKey(subject: string): string {
  return `subject:${subject}`;
}

/** Key of a token's subject if the client that the token was issued to has a budget of its own. */
export function clientKey(client: string, subject: string): string {
  return `client:${JSON.stringify([client, subject])}`;
}

/**
 * Key under which the calls of an address are counted: an IPv4 address by itself, an IPv6 address by its /64, because
 * one host commonly owns a whole /64 (RFC 6177). Anything else ("stdio") is counted as it is.
 */
export function addressKey(address: string): string {
  if (isIPv4(address)) return `address:${address}`;
  const bare = address.split("%", 1)[0] ?? "";
  if (!ipaddr.isValid(bare)) return `address:${address}`;
  const parsed = ipaddr.process(bare);
  // An IPv4-mapped IPv6 address.
  if (parsed.kind() === "ipv4") return `address:${parsed.toString()}`;
  const network = parsed.toByteArray().slice(0, 8);
  return `address:${Buffer.from(network).toString("hex")}/64`;
}
