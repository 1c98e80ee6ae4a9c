import type { SaleEvent } from "../../src/quotes/sale-event.ts";
import type { ReportQuery, SaleGroup, SalesReport, SaleTotals } from "../../src/quotes/sales-report.ts";

const DAY = 24 * 60 * 60_000;

/** What a report counts, event by event and without any code of a ledger. */
export function plainReport(events: readonly SaleEvent[], query: ReportQuery): SalesReport {
  const quotes = events.filter(
    ({ type, at }) => type === "quote.created" && new Date(at) >= query.since && new Date(at) < query.until,
  );
  const steps = new Map<string, SaleEvent[]>(quotes.map(({ quoteId }) => [quoteId, []]));
  for (const event of events) if (event.type !== "quote.created") steps.get(event.quoteId)?.push(event);
  // The format of dates in Canada is that of ISO 8601.
  const days = new Intl.DateTimeFormat("en-CA", { timeZone: query.timeZone });
  const keyed = quotes.map((quote) => ({
    quote,
    keys: keysOf(quote, query, days).map((keys) => JSON.stringify(keys)),
  }));
  const groups = [...new Set(keyed.flatMap(({ keys }) => keys))].map((key): SaleGroup => {
    const ofKey = keyed.filter(({ keys }) => keys.includes(key)).map(({ quote }) => quote);
    const keys: (string | null)[] = JSON.parse(key);
    const vehicleClass = keys[query.by.indexOf("class")] ?? null;
    return { keys, ...totals(steps, ofKey, query, vehicleClass) };
  });
  const sortedBy = ({ keys }: SaleGroup) => keys.map((key) => key ?? "").join("\n");
  return {
    total: totals(steps, quotes, query, null),
    groups: query.by.length > 0 ? groups.sort((a, b) => (sortedBy(a) < sortedBy(b) ? -1 : 1)) : [],
  };
}

function keysOf(
  { at, client, corridor, origin, destination, options }: SaleEvent,
  { by }: ReportQuery,
  days: Intl.DateTimeFormat,
): (string | null)[][] {
  const keys = {
    day: days.format(new Date(at)),
    client,
    corridor: corridor ?? `${origin ?? "?"} > ${destination ?? "?"}`,
  };
  const classes = by.includes("class") ? options.map(({ vehicleClass }) => vehicleClass) : [null];
  return classes.map((vehicleClass) => by.map((each) => (each === "class" ? vehicleClass : keys[each])));
}

function totals(
  stepsOf: ReadonlyMap<string, readonly SaleEvent[]>,
  quotes: readonly SaleEvent[],
  { now }: ReportQuery,
  vehicleClass: string | null,
): SaleTotals {
  const sums = { quotes: 0, handedOver: 0, opened: 0, expired: 0 };
  const rappen = { quotedRappen: 0, handedOverRappen: 0, openedRappen: 0 };
  for (const quote of quotes) {
    const steps = [...(stepsOf.get(quote.quoteId) ?? [])]
      .filter(({ at }) => Math.abs(Date.parse(at) - Date.parse(quote.at)) <= DAY)
      .map(({ type, at, options: [option] }) => ({ type, at, ...option, totalRappen: option?.totalRappen ?? 0 }))
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.totalRappen - b.totalRappen);
    const last = (type: string) =>
      steps.findLast((each) => each.type === type && (vehicleClass === null || each.vehicleClass === vehicleClass));
    const offer = quote.options.find((each) => vehicleClass === null || each.vehicleClass === vehicleClass);
    const [handoff, opening] = [last("handoff.created"), last("handoff.opened")];
    sums.quotes += 1;
    sums.handedOver += handoff ? 1 : 0;
    sums.opened += opening ? 1 : 0;
    if (new Date(quote.expiresAt) <= now && !steps.some(({ type }) => type === "handoff.created")) sums.expired += 1;
    rappen.quotedRappen += offer?.totalRappen ?? 0;
    rappen.handedOverRappen += handoff?.totalRappen ?? 0;
    rappen.openedRappen += opening?.totalRappen ?? 0;
  }
  return { ...sums, ...rappen };
}
