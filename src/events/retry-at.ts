const FIRST_MILLISECONDS = 1_000;
const FACTOR = 4;
const LONGEST_MILLISECONDS = 3 * 60 * 60 * 1000;

export interface FailedDelivery {
  /** When the event happened. */
  readonly at: Date;
  readonly now: Date;
  /** This one included. */
  readonly failures: number;
  /** As the receiver asked for; 0 where it did not. */
  readonly retryAfterMs: number;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * When to deliver an event again: after 1, 4, 16 s and so on to 3 h, a quarter more or less, and not before the receiver
 * asked for. The last attempt is `limitMs` after the event; `undefined` where that has passed.
 */
export function retryAt(failed: FailedDelivery, limitMs: number): Date | undefined {
  const { at, now, failures, retryAfterMs, random } = failed;
  const last = at.getTime() + limitMs;
  if (now.getTime() >= last) return undefined;
  const backOffMs = Math.min(LONGEST_MILLISECONDS, FIRST_MILLISECONDS * FACTOR ** (failures - 1));
  const waitMs = Math.max(backOffMs * (0.75 + random / 2), retryAfterMs);
  return new Date(Math.min(last, now.getTime() + Math.ceil(waitMs)));
}
