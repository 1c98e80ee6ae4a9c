import type { SaleEvent } from "../../domain/sales/sale-event.ts";
import { commissionOf, type Sale } from "../../domain/sales/sales-report.ts";
import { csvLine, csvStart, type Dialect, jsonText } from "./terminal-text.ts";

/** How an instant (ISO 8601 UTC) is shown. */
type ShowTime = (instant: string) => string;

export interface RowOptions {
  readonly format: Dialect | "json";
  readonly showTime: ShowTime;
  /** Whether the operator has a list of what was paid: then the rows say what was sold, and commissions are on it. */
  readonly hasPayments?: boolean;
}

/** How much is written at once. */
const MOST_CHARACTERS = 100_000;

/** A row for each quote, as CSV for spreadsheets or as a JSON array. Yields the text of many rows at a time. */
export async function* saleRows(sales: AsyncIterable<Sale>, options: RowOptions): AsyncGenerator<string> {
  const { format, hasPayments } = options;
  const columns = Object.entries(COLUMNS).filter(([name]) => hasPayments || !SOLD_COLUMNS.includes(name));
  const names = columns.map(([name]) => name);
  let text = format === "json" ? "[" : csvStart(format) + csvLine(names, format);
  let comma = "";
  for await (const sale of sales) {
    const facts = factsOf(sale, options);
    const row = Object.fromEntries(columns.map(([name, of]) => [name, of(facts)]));
    text += format === "json" ? `${comma}\n${jsonText(row, 0)}` : csvLine(Object.values(row), format);
    comma = ",";
    if (text.length < MOST_CHARACTERS) continue;
    yield text;
    text = "";
  }
  yield format === "json" ? `${text}${comma && "\n"}]\n` : text;
}

/** Checkout links can be created for several classes of a quote: the row has the last one and their number. */
function factsOf({ created, steps, payment }: Sale, { format, showTime, hasPayments }: RowOptions) {
  const handoffs = steps.filter(({ type }) => type === "handoff.created");
  const opening = steps.findLast(({ type }) => type === "handoff.opened");
  /** An amount; `null` if there is none. */
  const francs = (rappen = Number.NaN) =>
    Number.isNaN(rappen) ? null : format === "json" ? rappen / 100 : (rappen / 100).toFixed(2);
  const handoff = handoffs.at(-1);
  // What a commission is on.
  const earning = hasPayments ? payment?.rappen : total(handoff);
  return { created, handoffs, handoff, opening, payment, earning, showTime, francs };
}

type Facts = ReturnType<typeof factsOf>;

const total = (event: SaleEvent | undefined) => event?.options[0]?.totalRappen;
const vehicleClass = (event: SaleEvent | undefined) => event?.options[0]?.vehicleClass ?? null;

const SOLD_COLUMNS = ["sold_at", "sold_total"];

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
  quoted_total: ({ created, francs }) => francs(total(created)),
  handoffs: ({ handoffs }) => handoffs.length,
  handed_over_at: ({ handoff, showTime }) => (handoff ? showTime(handoff.at) : null),
  handed_over_request_id: ({ handoff }) => handoff?.requestId ?? null,
  handed_over_class: ({ handoff }) => vehicleClass(handoff),
  handed_over_total: ({ handoff, francs }) => francs(total(handoff)),
  handed_over_vat: ({ handoff, francs }) => francs(handoff?.options[0]?.vatRappen ?? undefined),
  sold_at: ({ payment }) => payment?.paidAt ?? null,
  sold_total: ({ payment, francs }) => francs(payment?.rappen),
  commission_percent: ({ created }) => created.commissionPercent ?? null,
  commission_total: ({ created, earning, francs }) => francs(earning === undefined ? undefined : commissionOf(created, earning)),
  opened_at: ({ opening, showTime }) => (opening ? showTime(opening.at) : null),
  opened_class: ({ opening }) => vehicleClass(opening),
  opened_total: ({ opening, francs }) => francs(total(opening)),
};
