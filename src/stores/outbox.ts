import type { SaleEvent } from "../quotes/sale-event.ts";

/** Steps of a sale, and the end of a quote, which no call makes. */
type OutboxEventType = SaleEvent["type"] | "quote.expired";

/** An event that has not been delivered to the operator's own systems yet; `id` is the same at every delivery. */
export interface OutboxEvent extends Omit<SaleEvent, "type"> {
  readonly type: OutboxEventType;
  /** How many deliveries have failed. An outbox may forget it when its process ends. */
  readonly failures: number;
}

/** What the outbox holds, for the operator. */
interface Backlog {
  /** Events that have happened and are not delivered. */
  readonly length: number;
  /** When the oldest of them happened, ISO 8601 UTC; `null` where there is none. */
  readonly oldestAt: string | null;
  /** Events given up since the process began. */
  readonly setAside: number;
}

/**
 * The events that are still to be delivered, each at least once and those of a quote in order. `QuoteStore.insert` adds
 * them in the same atomic step as the entry: its sale event, and with a `quote.created` one `quote.expired`, which is due
 * `EXPIRY_DELAY_MILLISECONDS` after the quote has expired.
 *
 * The order of a quote is `quote.created`, then its handoffs and openings as they were saved, at last `quote.expired`. An
 * event can be claimed once those before it are delivered or set aside. Other quotes do not wait for it: they can be
 * claimed while a delivery is in flight or postponed. After a crash, or where a method rejects because the storage fails,
 * events are claimed again that were delivered before.
 *
 * Every implementation must pass `test/ports/outbox.contract.ts`.
 */
export interface Outbox {
  /**
   * At most so many due events, roughly in the order in which they became due. None of them is claimed again before
   * `until`, unless the process ends.
   */
  claim(most: number, until: Date): Promise<readonly OutboxEvent[]>;
  /** The event is not claimed again. */
  delivered(event: OutboxEvent): Promise<void>;
  /** A delivery has failed: the event is due again at `until`. */
  postpone(event: OutboxEvent, until: Date): Promise<void>;
  /** The event is given up: it is not claimed again. */
  setAside(event: OutboxEvent): Promise<void>;
  backlog(): Promise<Backlog>;
}

/** How long deliveries of an event are attempted, in milliseconds. */
export const DELIVERED_WITHIN_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Longer than a call takes to save a handoff that it checked just before the expiry, which must be delivered first. */
export const EXPIRY_DELAY_MILLISECONDS = 5_000;

type Dated = Pick<SaleEvent, "id" | "type" | "at" | "expiresAt">;
type Queued<Sale extends Dated> = Omit<Sale, "type"> & Pick<OutboxEvent, "type">;

/** What an entry adds to the outbox: its sale event, and after that of a new quote the quote's end. */
export function outboxEventsOf<Sale extends Dated>(sale: Sale): readonly Queued<Sale>[] {
  return sale.type === "quote.created" ? [sale, expiryOf(sale)] : [sale];
}

const EXPIRED = "_expired";

/** The sale event that an event of the outbox is made of. */
export function saleIdOf(id: string): string {
  return id.endsWith(EXPIRED) ? id.slice(0, -EXPIRED.length) : id;
}

export function expiryOf<Sale extends Dated>(created: Sale): Queued<Sale> {
  return Object.assign({}, created, {
    id: `${created.id}${EXPIRED}`,
    type: "quote.expired" as const,
    at: created.expiresAt,
  });
}

/** From when on the event can be claimed, in milliseconds since 1970. */
export function dueAtOf({ type, at }: Pick<OutboxEvent, "type" | "at">): number {
  return Date.parse(at) + (type === "quote.expired" ? EXPIRY_DELAY_MILLISECONDS : 0);
}

const PHASES = {
  "quote.created": [0, 0],
  "handoff.created": [1, 0],
  "handoff.opened": [1, 1],
  "quote.expired": [2, 0],
} as const satisfies Record<OutboxEventType, readonly [number, number]>;

/** Sorts the events of one quote as text. Processes whose clocks differ may date a handoff before its quote. */
export function positionOf({ type, at, id }: Pick<OutboxEvent, "type" | "at" | "id">): string {
  const [phase, step] = PHASES[type];
  return `${phase} ${at} ${step} ${id}`;
}
