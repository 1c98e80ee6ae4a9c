import type { StoredQuote } from "../quotes/quote.ts";
import type { CallJournal, KeptCall } from "./kept-call.ts";
import type { SaleEvent } from "./sale-event.ts";

/** From `since`, included, until `until`, excluded. */
export interface Period {
  readonly since: Date;
  readonly until: Date;
}

/**
 * Reads the operator's ledger while other processes add to it. Every implementation must pass
 * `test/ports/sales.contract.ts`.
 */
export interface Sales {
  /**
   * The events of a period in batches of at most a few thousand, ordered by instant, except that events saved within
   * the same minute may be in any order. May miss events that are saved meanwhile. Where the storage cannot be read,
   * rejects with an error whose message is one line for the operator.
   */
  events(period: Period): AsyncIterable<readonly SaleEvent[]>;
  /**
   * The events of one quote in their order, by its id or that of one of its events or requests; `undefined` where the
   * storage has no index, so that only `events` finds them.
   */
  eventsOf(id: string): Promise<readonly SaleEvent[] | undefined>;
  /**
   * The quote of an event, as it was confirmed if the event is of that or later; `undefined` once it has been deleted,
   * about a day after its expiry.
   */
  quoteOf(event: Pick<SaleEvent, "quoteId" | "expiresAt">): Promise<StoredQuote | undefined>;
  /** The calls that are kept of a period in one of the places for them, in batches. */
  calls(journal: CallJournal, period: Period): AsyncIterable<readonly KeptCall[]>;
  /** How many damaged lines `events` has skipped so far. */
  damagedLines(): number;
  close(): Promise<void>;
}
