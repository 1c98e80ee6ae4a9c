import type { Sale } from "../quotes/sales-report.ts";
import { csvLine } from "./csv.ts";

/** How an instant (ISO 8601 UTC) is shown. */
type ShowTime = (instant: string) => string;
/** The commission of a client, in percent. */
type RateOf = (client: string | null) => number | undefined;
type Row = ReturnType<typeof rowOf>;

/** Rows that are written at once. */
const BATCH = 500;

/** CSV for spreadsheets: a row for each quote. */
export async function* saleRowsCsv(
  sales: AsyncIterable<Sale>,
  showTime: ShowTime,
  rateOf: RateOf,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  yield* inBatches(sales, (sale) => {
    const row = rowOf(sale, showTime, rateOf);
    return csvLine(COLUMNS.map((name) => cellOf(name, row[name])));
  });
}

/** A JSON array: an object for each quote, in a line of its own. */
export async function* saleRowsJson(
  sales: AsyncIterable<Sale>,
  showTime: ShowTime,
  rateOf: RateOf,
): AsyncGenerator<string> {
  let separator = "[\n";
  yield* inBatches(sales, (sale) => {
    const text = `${separator}${JSON.stringify(rowOf(sale, showTime, rateOf))}`;
    separator = ",\n";
    return text;
  });
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

async function* inBatches(sales: AsyncIterable<Sale>, textOf: (sale: Sale) => string): AsyncGenerator<string> {
  let texts: string[] = [];
  for await (const sale of sales) {
    if (texts.push(textOf(sale)) < BATCH) continue;
    yield texts.join("");
    texts = [];
  }
  yield texts.join("");
}

/** A checkout link can be created for several classes of a quote: the row has the last, and how many there are. */
function rowOf({ created, steps }: Sale, showTime: ShowTime, rateOf: RateOf) {
  const handoffs = steps.filter(({ type }) => type === "handoff.created");
  const handoff = handoffs.at(-1);
  const opening = steps.findLast(({ type }) => type === "handoff.opened");
  const total = handoff?.options[0]?.totalRappen;
  const rate = rateOf(created.client);
  const [cheapest] = created.options;
  return {
    quote_id: created.quoteId,
    request_id: created.requestId,
    created_at: showTime(created.at),
    expires_at: showTime(created.expiresAt),
    surface: created.surface,
    client: created.client,
    corridor: created.corridor,
    origin: created.origin,
    destination: created.destination,
    distance_km: created.distanceKm,
    tariff_version: created.tariffVersion,
    currency: "CHF",
    quoted_class: cheapest?.vehicleClass ?? null,
    quoted_total: francs(cheapest?.totalRappen),
    handoffs: handoffs.length,
    handed_over_at: handoff ? showTime(handoff.at) : null,
    handed_over_request_id: handoff?.requestId ?? null,
    handed_over_class: handoff?.options[0]?.vehicleClass ?? null,
    handed_over_total: francs(handoff?.options[0]?.totalRappen),
    handed_over_vat: francs(handoff?.options[0]?.vatRappen ?? undefined),
    commission_percent: rate ?? null,
    commission_total: total === undefined || rate === undefined ? null : Math.round((total * rate) / 100) / 100,
    opened_at: opening ? showTime(opening.at) : null,
    opened_class: opening?.options[0]?.vehicleClass ?? null,
    opened_total: francs(opening?.options[0]?.totalRappen),
  };
}

const COLUMNS = [
  ...(["quote_id", "request_id", "created_at", "expires_at", "surface", "client"] as const),
  ...(["corridor", "origin", "destination", "distance_km", "tariff_version", "currency"] as const),
  ...(["quoted_class", "quoted_total", "handoffs"] as const),
  ...([
    "handed_over_at",
    "handed_over_request_id",
    "handed_over_class",
    "handed_over_total",
    "handed_over_vat",
  ] as const),
  ...(["commission_percent", "commission_total"] as const),
  ...(["opened_at", "opened_class", "opened_total"] as const),
] satisfies readonly (keyof Row)[];

function cellOf(name: keyof Row, value: Row[keyof Row]): string | number | null {
  return typeof value === "number" && /_(total|vat)$/.test(name) ? value.toFixed(2) : value;
}

function francs(rappen: number | undefined): number | null {
  return rappen === undefined ? null : rappen / 100;
}
