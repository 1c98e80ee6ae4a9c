import type { Config } from "../config/config.ts";
import { DAY, HOUR } from "../ops/durations.ts";
import { joinSales, type Sale } from "../quotes/sales-report.ts";
import { expiryOf } from "../stores/outbox.ts";
import type { Sales } from "../stores/sales.ts";

/** The clock of a server may be ahead of this machine's. */
const AHEAD = HOUR;

/** What a traveler reads out on the phone: the start of the id, as the pages show it. */
export function referenceOf(quoteId: string): string {
  return quoteId.slice(2).replace(/[-_]/g, "").slice(0, 6).toUpperCase();
}

const REFERENCE = /^[a-z\d]{6}$/i;

/**
 * The sale of the quote, request or event with this id, or of the quote with this reference. Where there is no index the
 * sales are searched day by day, the latest day first, because most questions are about recent sales.
 */
export async function findSale(
  sales: Pick<Sales, "events" | "eventsOf">,
  id: string,
  { ledgerDays }: Pick<Config, "ledgerDays">,
): Promise<Sale | undefined> {
  const indexed = REFERENCE.test(id) ? undefined : await sales.eventsOf(id);
  const eventsOfId = async function* () {
    if (indexed) yield indexed;
  };
  const source = indexed ? { events: eventsOfId } : sales;
  let until = Date.now() + AHEAD;
  // With TRANSFER_LEDGER_DAYS=0 events are kept as long as their quotes, little more than a day.
  const days = Math.max(ledgerDays, 1) + 1;
  for (let day = 0; day < days; day += 1) {
    const since = until - DAY;
    for await (const sale of joinSales(source, { since: new Date(since), until: new Date(until) })) {
      if (namesOf(sale).includes(id) || referenceOf(sale.created.quoteId) === id.toUpperCase()) return sale;
    }
    until = since;
  }
  return undefined;
}

function namesOf({ created, steps }: Sale): readonly string[] {
  const events = [created, ...steps];
  return [created.quoteId, expiryOf(created).id, ...events.flatMap(({ id, requestId }) => [id, requestId])];
}
