import type { DayCount } from "./day-counts.ts";

export const REPORT_GROUPS = ["day", "corridor", "class", "client"] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];

export interface ReportQuery {
  /** Quotes created from this instant on. */
  readonly since: Date;
  /** And before this one. */
  readonly until: Date;
  /** Quotes that ended before it without a handoff are expired. */
  readonly now: Date;
  /** IANA name, for days. */
  readonly timeZone: string;
  readonly by: ReportGroup | undefined;
}

/** What became of the quotes of a period. */
export interface SaleTotals {
  readonly quotes: number;
  /** Of these, with at least one checkout link. */
  readonly handedOver: number;
  /** Of these, with a link that was opened. */
  readonly opened: number;
  /** Past their end without a link. */
  readonly expired: number;
  /** The lowest total of each quote. */
  readonly quotedRappen: number;
  /** The total of the class that was handed over last. */
  readonly handedOverRappen: number;
  /** The total of the class whose link was opened last. */
  readonly openedRappen: number;
}

export interface SaleGroup extends SaleTotals {
  /**
   * A day (`2026-11-20`), a corridor's key or `<origin> > <destination>` with `?` for an end that the catalog does not
   * list, a class, or a client; `null` for callers whose token names no client. In a class a quote counts that offers
   * it, and as handed over or opened where this class was.
   */
  readonly key: string | null;
}

export interface SalesReport {
  readonly total: SaleTotals;
  /** In the order of their keys; none where nothing is grouped. */
  readonly groups: readonly SaleGroup[];
  /** Lines that cannot be read any more. */
  readonly damagedLines: number;
}

/** What an operator keeps of sales. Both implementations pass `test/ports/ledger.contract.ts`. */
export interface Ledger {
  report(query: ReportQuery): Promise<SalesReport>;
  /** The sums of days (`2026-11-20`), both included, the most frequent first. */
  counts(from: string, to: string): Promise<readonly DayCount[]>;
  close(): Promise<void>;
}
