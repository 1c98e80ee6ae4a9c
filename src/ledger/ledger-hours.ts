import type { HourSums } from "./hour-sums.ts";
import type { CountedQuote, CountedStep } from "./sales-count.ts";

/** An hour (UTC) in which events were stored, nearly all of them with an instant in it. */
export interface LedgerHour {
  /** Changes with the events of `AROUND_MILLISECONDS` before and after; `undefined` while that is still to be known. */
  readonly version: string | undefined;
  /** Those that were written for this version. */
  readonly sums: HourSums | undefined;
  /** Bytes that its events take when they are read, roughly. */
  readonly size: number;
}

interface RowsRead {
  step(step: CountedStep): void;
  quote(quote: CountedQuote, hour: number): void;
}

/** Events as they are kept, and sums of hours, which are derived from them. Hours are milliseconds since 1970. */
export interface LedgerHours {
  /** The hours that start from one instant until before another. */
  hours(from: number, until: number): Promise<ReadonlyMap<number, LedgerHour>>;
  /**
   * Passes on the quotes of these hours, and before a quote its steps, with others perhaps, once each. Resolves to how
   * many lines of an hour cannot be read.
   */
  read(hours: readonly number[], on: RowsRead): Promise<ReadonlyMap<number, number>>;
}

/** For the process that keeps the ledger. */
export interface SummableHours extends LedgerHours {
  /** No event is earlier; `undefined` where there is none. */
  earliest(): Promise<number | undefined>;
  /** Replaces the sums of an hour. `version` was read before the events. */
  write(hour: number, version: string, sums: HourSums): Promise<void>;
}
