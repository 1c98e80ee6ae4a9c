import type { SaleEvent } from "../quotes/sale-event.ts";
import type { Sale } from "../quotes/sales-report.ts";
import { csvLine } from "./columns.ts";

/** How an instant (ISO 8601 UTC) is shown. */
type ShowTime = (instant: string) => string;
/** The commission of a client, in percent. */
type RateOf = (client: string | null) => number | undefined;

/** Rows that are written at once. */
const BATCH = 500;

/** CSV for spreadsheets: a row for each quote. */
export async function* saleRowsCsv(
  sales: AsyncIterable<Sale>,
  showTime: ShowTime,
  rateOf: RateOf,
): AsyncGenerator<string> {
  yield csvLine(Object.keys(COLUMNS));
  yield* inBatches(sales, (sale) =>
    csvLine(Object.entries(rowOf(sale, showTime, rateOf)).map(([name, value]) => cellOf(name, value))),
  );
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
  const opening = steps.findLast(({ type }) => type === "handoff.opened");
  const facts = { created, handoffs, handoff: handoffs.at(-1), opening, rate: rateOf(created.client), showTime };
  return Object.fromEntries(Object.entries(COLUMNS).map(([name, of]) => [name, of(facts)]));
}

interface Facts {
  readonly created: SaleEvent;
  readonly handoffs: readonly SaleEvent[];
  readonly handoff: SaleEvent | undefined;
  readonly opening: SaleEvent | undefined;
  readonly rate: number | undefined;
  readonly showTime: ShowTime;
}

const total = (event: SaleEvent | undefined) => francs(event?.options[0]?.totalRappen);
const vehicleClass = (event: SaleEvent | undefined) => event?.options[0]?.vehicleClass ?? null;

// biome-ignore format: a table reads by its columns
const COLUMNS: Readonly<Record<string, (facts: Facts) => string | number | null>> = {
  quote_id: ({ created }) => created.quoteId,
  request_id: ({ created }) => created.requestId,
  created_at: ({ created, showTime }) => showTime(created.at),
  expires_at: ({ created, showTime }) => showTime(created.expiresAt),
  surface: ({ created }) => created.surface,
  client: ({ created }) => created.client,
  corridor: ({ created }) => created.corridor,
  origin: ({ created }) => created.origin,
  destination: ({ created }) => created.destination,
  distance_km: ({ created }) => created.distanceKm,
  tariff_version: ({ created }) => created.tariffVersion,
  currency: () => "CHF",
  quoted_class: ({ created }) => vehicleClass(created),
  quoted_total: ({ created }) => total(created),
  handoffs: ({ handoffs }) => handoffs.length,
  handed_over_at: ({ handoff, showTime }) => (handoff ? showTime(handoff.at) : null),
  handed_over_request_id: ({ handoff }) => handoff?.requestId ?? null,
  handed_over_class: ({ handoff }) => vehicleClass(handoff),
  handed_over_total: ({ handoff }) => total(handoff),
  handed_over_vat: ({ handoff }) => francs(handoff?.options[0]?.vatRappen ?? undefined),
  commission_percent: ({ rate }) => rate ?? null,
  commission_total: ({ handoff, rate = Number.NaN }) => francs(Math.round(((handoff?.options[0]?.totalRappen ?? Number.NaN) * rate) / 100)),
  opened_at: ({ opening, showTime }) => (opening ? showTime(opening.at) : null),
  opened_class: ({ opening }) => vehicleClass(opening),
  opened_total: ({ opening }) => total(opening),
};

function cellOf(name: string, value: string | number | null): string | number | null {
  return typeof value === "number" && /_(total|vat)$/.test(name) ? value.toFixed(2) : value;
}

/** `null` where there is no amount. */
function francs(rappen = Number.NaN): number | null {
  return Number.isNaN(rappen) ? null : rappen / 100;
}
