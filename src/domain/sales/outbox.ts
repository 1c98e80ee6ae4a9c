import { DAY } from "../../ops/durations.ts";
import type { SaleEvent } from "./sale-event.ts";

/** Steps of a sale, and the expiry of a quote, which no call causes. */
type OutboxEventType = SaleEvent["type"] | "quote.expired";

/** An event that has not been delivered to the operator's own systems yet; `id` is the same at every delivery. */
export interface OutboxEvent extends Omit<SaleEvent, "type"> {
  readonly type: OutboxEventType;
  /** How many deliveries have failed. May start from 0 again in a new process. */
  readonly failures: number;
}

/** State of the outbox. */
interface Backlog {
  /** Events that have happened and have not been delivered. */
  readonly length: number;
  /** When the oldest of them happened, ISO 8601 UTC; `null` where there is none. */
  readonly oldestAt: string | null;
  /** Events given up since the process began. */
  readonly setAside: number;
}

/**
 * The events that still have to be delivered: each at least once, and the events of one quote in order.
 * `QuoteStore.insert` adds them in the same atomic step as the entry: its sale event, and after `quote.created` also
 * `quote.expired`, which is due `EXPIRY_DELAY_MILLISECONDS` after the quote expires.
 *
 * The order within a quote is `quote.created`, its handoffs and openings as they were saved, `quote.expired`. An event
 * can be claimed once the earlier ones of its quote are delivered or set aside; events of other quotes do not wait for
 * them. After a crash, or where a method rejects because the storage fails, delivered events may be claimed again.
 *
 * Every implementation must pass `test/ports/outbox.contract.ts`.
 */
export interface Outbox {
  /**
   * Returns at most `most` due events, roughly in the order in which they became due. None of them is claimed again
   * before `until`, unless the process ends.
   */
  claim(most: number, until: Date): Promise<readonly OutboxEvent[]>;
  /** The event has been delivered: it is not claimed again. */
  delivered(event: OutboxEvent): Promise<void>;
  /** A delivery has failed: the event is due again at `until`. */
  postpone(event: OutboxEvent, until: Date): Promise<void>;
  /** The event is given up: it is not claimed again. */
  setAside(event: OutboxEvent): Promise<void>;
  backlog(): Promise<Backlog>;
}

/** How long deliveries of an event are attempted, in milliseconds. */
export const DELIVERED_WITHIN_MILLISECONDS = DAY;

/** Longer than a call needs to save a handoff checked just before the expiry, whose event has to be delivered first. */
export const EXPIRY_DELAY_MILLISECONDS = 5_000;

type Queued = Omit<OutboxEvent, "failures">;

/** The events that an entry adds to the outbox: its sale event, and after a new quote's its expiry. */
export function outboxEventsOf(sale: SaleEvent): readonly Queued[] {
  return sale.type === "quote.created" ? [sale, expiryOf(sale)] : [sale];
}

const EXPIRED = "_expired";

/** Id of the sale event that an event of the outbox derives from. */
export function saleIdOf(id: string): string {
  return id.endsWith(EXPIRED) ? id.slice(0, -EXPIRED.length) : id;
}

export function expiryOf(created: SaleEvent): Queued {
  return { ...created, id: `${created.id}${EXPIRED}`, type: "quote.expired", at: created.expiresAt };
}

/** When the event becomes due, in milliseconds since 1970. */
export function dueAtOf({ type, at }: Pick<OutboxEvent, "type" | "at">): number {
  return Date.parse(at) + (type === "quote.expired" ? EXPIRY_DELAY_MILLISECONDS : 0);
}

const PHASES = {
  "quote.created": [0, 0],
  "handoff.requested": [1, 0],
  "quote.confirmed": [1, 0],
  "handoff.created": [1, 0],
  "handoff.opened": [1, 1],
  "quote.expired": [2, 0],
} as const satisfies Record<OutboxEventType, readonly [number, number]>;

/**
 * Sorts the events of one quote as text. The type comes before the instant, because a process whose clock differs may
 * date a handoff before its quote.
 */
export function positionOf({ type, at, id }: Pick<OutboxEvent, "type" | "at" | "id">): string {
  const [phase, step] = PHASES[type];
  return `${phase} ${at} ${step} ${id}`;
}
