import { DELIVERED_WITHIN_MILLISECONDS, type Outbox, type OutboxEvent } from "../../domain/sales/outbox.ts";
import type { Clock } from "../../ops/clock.ts";
import { HOUR, MINUTE } from "../../ops/durations.ts";
import { createLatch, type Log } from "../../ops/log.ts";
import type { EventMetrics } from "../../ops/metrics.ts";
import type { Delivery } from "./delivery.ts";

export interface EventSenderParts {
  readonly outbox: Outbox;
  readonly delivery: Delivery;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: EventMetrics | undefined;
  /** From 0 to 1, for the jitter. */
  readonly random?: () => number;
  /** In milliseconds: the timeout of a delivery, how long its claim lasts, and the time between polls of the outbox. */
  readonly timeOutMs?: number;
  readonly claimMs?: number;
  readonly pollMs?: number;
}

/** A low number, so that a slow receiver is not flooded. */
const MOST_IN_FLIGHT = 8;
const TIME_OUT_MILLISECONDS = 10_000;
const POLL_MILLISECONDS = 500;
/** How long other processes leave a claimed event alone; longer than a delivery can take. */
const CLAIM_MILLISECONDS = 20_000;
const MEASURE_MILLISECONDS = 5_000;
const FIRST_HOLD_MILLISECONDS = 250;
const LONGEST_HOLD_MILLISECONDS = MINUTE;
const FIRST_WAIT_MILLISECONDS = 1_000;
const WAIT_FACTOR = 4;
const LONGEST_WAIT_MILLISECONDS = 3 * HOUR;

/**
 * Delivers the events of an outbox until closed, and retries failed deliveries with back-off. While every delivery
 * fails, all sending pauses for a time that doubles up to a minute. A receiver that is down then sees only a few of the
 * waiting events, and the back-off of the others has not grown when it returns.
 */
export function startEventSender(parts: EventSenderParts) {
  const { outbox, delivery, clock, log, metrics, random = Math.random } = parts;
  const { timeOutMs = TIME_OUT_MILLISECONDS, claimMs = CLAIM_MILLISECONDS, pollMs = POLL_MILLISECONDS } = parts;
  const inFlight = new Set<Promise<void>>();
  const ending = new AbortController();
  let isClosing = false;
  const outboxLatch = createLatch(
    log,
    "error",
    "the outbox of events is unavailable",
    "the outbox of events is available again",
  );
  const deliveryLatch = createLatch(
    log,
    "warn",
    "an event was not delivered: it will be retried",
    "events are delivered again",
  );
  let failuresInARow = 0;
  let heldUntil = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let deliveryEnded = false;
  let wake = () => {};
  const running = run();

  return {
    /** Starts no more deliveries, and aborts those in flight after the grace period; they are retried later. */
    async close(graceMilliseconds: number): Promise<void> {
      isClosing = true;
      wake();
      await running;
      const timer = setTimeout(() => ending.abort(), graceMilliseconds);
      await Promise.all(inFlight);
      clearTimeout(timer);
      await delivery.close();
    },
  };

  async function run(): Promise<void> {
    while (!isClosing) {
      deliveryEnded = false;
      const now = clock.now().getTime();
      // If the clock was set back, `heldUntil` and `measuredAt` are too far in the future, and are ignored.
      const isHeld = now < heldUntil && heldUntil <= now + LONGEST_HOLD_MILLISECONDS;
      if (inFlight.size < MOST_IN_FLIGHT && !isHeld) await withOutbox(startDue);
      if (Math.abs(now - measuredAt) >= MEASURE_MILLISECONDS) await withOutbox(measure);
      await rest();
    }
  }

  /** Waits until the next poll or the end of a delivery, after which the next event of the same quote may be due. */
  async function rest(): Promise<void> {
    if (isClosing || deliveryEnded) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function startDue(): Promise<void> {
    const free = MOST_IN_FLIGHT - inFlight.size;
    const now = clock.now().getTime();
    for (const event of await outbox.claim(free, new Date(now + claimMs))) {
      const delivering = withOutbox(() => deliver(event)).finally(() => {
        inFlight.delete(delivering);
        deliveryEnded = true;
        wake();
      });
      inFlight.add(delivering);
    }
  }

  async function deliver(event: OutboxEvent): Promise<void> {
    const limit = AbortSignal.any([AbortSignal.timeout(timeOutMs), ending.signal]);
    const receipt = await delivery.send(event, clock.now(), limit);
    if (receipt.result === "delivered") {
      await outbox.delivered(event);
      metrics?.attempted(event.type, "delivered");
      deliveryLatch.worked();
      failuresInARow = 0;
      heldUntil = 0;
      return;
    }
    if (receipt.result === "refused") return giveUp(event, receipt.why);
    // Due at once for the next process.
    if (ending.signal.aborted) return outbox.postpone(event, clock.now());
    const { why, retryAfterMs } = receipt;
    const now = clock.now();
    failuresInARow += 1;
    const holdMs = Math.max(FIRST_HOLD_MILLISECONDS * 2 ** Math.min(failuresInARow, 20), retryAfterMs);
    heldUntil = now.getTime() + Math.min(LONGEST_HOLD_MILLISECONDS, holdMs);
    deliveryLatch.failed({ ...factsOf(event), reason: why });
    const next = retryAt(event, now, retryAfterMs, random());
    if (!next) return giveUp(event, why);
    await outbox.postpone(event, next);
    metrics?.attempted(event.type, "failed");
  }

  async function giveUp(event: OutboxEvent, why: string): Promise<void> {
    await outbox.setAside(event);
    metrics?.attempted(event.type, "set_aside");
    log.error({ ...factsOf(event), reason: why }, "an event was set aside: it will not be delivered");
  }

  async function measure(): Promise<void> {
    measuredAt = clock.now().getTime();
    metrics?.measured(await outbox.backlog());
  }

  /** Runs a step that uses the outbox; a failure is logged once, and the step's event is claimed again later. */
  async function withOutbox(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      return outboxLatch.failed({ err: error });
    }
    outboxLatch.worked();
  }
}

function factsOf({ id, type, quoteId, failures }: OutboxEvent) {
  return { event: id, type, quote_id: quoteId, attempts: failures + 1 };
}

/**
 * When to deliver an event again after one more failure: after 1, 4, 16 s and so on up to 3 h, each plus or minus a
 * quarter by `random`, from 0 to 1, and not before the receiver's `Retry-After`. The last attempt is a day after the
 * event; `undefined` if that time has passed. It follows from the stored number of failures, so that it goes on after a
 * restart and in another process, as the back-off of a library in memory does not.
 */
function retryAt({ at, failures }: OutboxEvent, now: Date, retryAfterMs: number, random: number): Date | undefined {
  const last = Date.parse(at) + DELIVERED_WITHIN_MILLISECONDS;
  if (now.getTime() >= last) return undefined;
  const backOffMs = Math.min(LONGEST_WAIT_MILLISECONDS, FIRST_WAIT_MILLISECONDS * WAIT_FACTOR ** failures);
  const waitMs = Math.max(backOffMs * (0.75 + random / 2), retryAfterMs);
  return new Date(Math.min(last, now.getTime() + Math.ceil(waitMs)));
}
