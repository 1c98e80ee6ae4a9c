import type { Config } from "../config/config.ts";
import { joinSales, type Sale } from "../quotes/sales-report.ts";
import { expiryOf } from "../stores/outbox.ts";
import type { Sales } from "../stores/sales.ts";

const DAY = 24 * 60 * 60_000;
/** Servers may have a clock that is ahead of this machine's. */
const AHEAD = 60 * 60_000;

/**
 * The sale with this quote, request or event. Where the storage has no index it is searched for day by day from the last,
 * because questions are about what has just happened.
 */
export async function findSale(
  sales: Pick<Sales, "events" | "eventsOf">,
  id: string,
  { ledgerDays }: Pick<Config, "ledgerDays">,
): Promise<Sale | undefined> {
  const found = await sales.eventsOf(id);
  const eventsOfId = async function* () {
    if (found) yield found;
  };
  const source = found ? { events: eventsOfId } : sales;
  let until = Date.now() + AHEAD;
  // Events of a ledger without days of its own are kept for little more than a day.
  const days = Math.max(ledgerDays, 1) + 1;
  for (let day = 0; day < days; day += 1) {
    const since = until - DAY;
    for await (const sale of joinSales(source, { since: new Date(since), until: new Date(until) })) {
      if (namesOf(sale).includes(id)) return sale;
    }
    until = since;
  }
  return undefined;
}

function namesOf({ created, steps }: Sale): readonly string[] {
  const events = [created, ...steps];
  return [created.quoteId, expiryOf(created).id, ...events.flatMap(({ id, requestId }) => [id, requestId])];
}
