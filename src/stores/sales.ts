import type { StoredQuote } from "../quotes/quote.ts";
import type { SaleEvent } from "../quotes/sale-event.ts";

/** From one instant until before another. */
export interface Period {
  readonly since: Date;
  readonly until: Date;
}

/**
 * The events that an operator keeps of sales, read beside the processes that save them. Every implementation must pass
 * `test/ports/sales.contract.ts`.
 */
export interface Sales {
  /**
   * The events of a period in batches of at most a few thousand, in the order of their instants. Events that were saved
   * within the same minute may change places. An event that is saved while others are read may be missing. Rejects with
   * an error whose message is one line for the operator where the storage cannot be read.
   */
  events(period: Period): AsyncIterable<readonly SaleEvent[]>;
  /**
   * The events of the quote that has this id, or an event or a request of which has it, in their order; `undefined` where
   * only reading all events would show them.
   */
  eventsOf(id: string): Promise<readonly SaleEvent[] | undefined>;
  /** The quote of a `quote.created`, as long as it is stored: about a day past its end. */
  quoteOf(created: SaleEvent): Promise<StoredQuote | undefined>;
  /** How many lines `events` could not read so far, because their file is damaged. */
  damagedLines(): number;
  close(): Promise<void>;
}
