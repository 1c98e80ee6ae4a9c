import type { ReportQuery, SalesReport } from "./ledger.ts";
import type { LedgerHours } from "./ledger-hours.ts";
import { AROUND_MILLISECONDS, createDayOf, createSalesCount, createSteps } from "./sales-count.ts";

/**
 * Counts a report: from the sums of hours whose quotes are all of the period, and from the events of the others, which
 * are those at its ends, those of the last day, and those whose sums are not written or not valid.
 */
export async function reportSales(query: ReportQuery, ledgers: readonly LedgerHours[]): Promise<SalesReport> {
  const [since, until, now] = [query.since.getTime(), query.until.getTime(), query.now.getTime()];
  const dayOf = createDayOf(query.timeZone);
  const steps = createSteps();
  const count = createSalesCount(query, steps);
  let damagedLines = 0;
  for (const ledger of ledgers) {
    const others: number[] = [];
    const hours = await ledger.hours(since - AROUND_MILLISECONDS, until + AROUND_MILLISECONDS);
    for (const [hour, { sums }] of hours) {
      if (sums) damagedLines += sums.damagedLines;
      if (sums && (sums.lastAt < since || sums.firstAt >= until)) continue;
      const isOfOneDay = query.by !== "day" || (sums && dayOf(sums.firstAt) === dayOf(sums.lastAt));
      if (sums && sums.firstAt >= since && sums.lastAt < until && sums.endedAt <= now && isOfOneDay) count.hour(sums);
      else others.push(hour);
    }
    const damaged = await ledger.read(others, { step: steps.add, quote: count.quote });
    for (const hour of others) if (!hours.get(hour)?.sums) damagedLines += damaged.get(hour) ?? 0;
  }
  return { ...count.result(), damagedLines };
}
