import { Readable } from "node:stream";
import { wireOptions, wireSale } from "../../adapters/events/wire-sale.ts";
import { francsText, referenceOf } from "../../contract/notice-formats.ts";
import { loadCatalog } from "../../domain/catalog/catalog.ts";
import type { StoredQuote } from "../../domain/quotes/quote.ts";
import { CALL_JOURNALS, type KeptCall } from "../../domain/sales/kept-call.ts";
import { expiryOf } from "../../domain/sales/outbox.ts";
import { type SaleEvent, shownDocument, termsDigest } from "../../domain/sales/sale-event.ts";
import type { Sales } from "../../domain/sales/sales.ts";
import { corridorOf, expiresAtOf, joinSales, type Sale } from "../../domain/sales/sales-report.ts";
import { DAY, HOUR } from "../../ops/durations.ts";
import { localDateTime } from "../../ops/local-time.ts";
import { openSales } from "../compose/compose-storage.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { type CommandCall, CommandFailed } from "./command.ts";
import { formatOf, francs, print } from "./print.ts";
import { bookingCells } from "./report-columns.ts";
import { jsonText, printable } from "./terminal-text.ts";
import { ALLOWED_AMOUNT, rappenOf, timeArgument } from "./typed-values.ts";

export const options = {
  day: { value: "DATE", meaning: "an amount is looked for among what was priced or is driven on this day" },
  json: { meaning: "JSON" },
} as const;

/** The `find` command: what is kept of a sale, also after the quote has been deleted, or of a call. Reads only. */
export async function run({ config, values, operands, opened }: CommandCall<typeof options>): Promise<undefined> {
  const [text = ""] = operands;

  const { timeZone } = loadCatalog(config.catalogDir).tariff;
  const showTime = (instant: string) => {
    const exact = localDateTime(new Date(instant), timeZone);
    return values.json ? exact : exact.replace(/\.\d+/, "");
  };
  const day = values.day && timeArgument("day", values.day, timeZone).slice(0, 10);
  const id = idOf(text.trim());
  const rappen = day === undefined && REFERENCE.test(id) ? undefined : rappenOf(id);
  if (day !== undefined && rappen === undefined)
    throw new ConfigError(`--day goes with an amount, not ${JSON.stringify(id)}; allowed: ${ALLOWED_AMOUNT}`);
  const source = opened(await openSales(config));
  if (rappen !== undefined) {
    const priced = (await pricedAt(source, rappen, showTime)).filter(({ quoted_at, pickup_date, return_date }) => {
      return day === undefined || [quoted_at.slice(0, 10), pickup_date, return_date].includes(day);
    });
    if (priced.length === 0)
      throw new CommandFailed(`nothing is kept of ${francsText(rappen)}${day ? `, quoted or driven on ${day}` : ""}`);
    return void (await print(priced, (row) => row, formatOf(values)));
  }
  const found = (await foundSale(source, id, config, showTime)) ?? (await foundCall(source, id, showTime));
  if (!found) throw new CommandFailed(`nothing is kept of "${printable(id)}"`);
  if (values.json) process.stdout.write(`${jsonText(found)}\n`);
  else if ("events" in found) await showSale(found);
  else await showFacts(found);
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
  const source = indexed ? { events: () => Readable.from([indexed]) } : sales;
  const end = ever().until.getTime();
  // With TRANSFER_LEDGER_DAYS=0 events are kept as long as their quotes, little more than a day.
  for (let day = 0; day < Math.max(ledgerDays, 1) + 1; day += 1) {
    const period = { since: new Date(end - (day + 1) * DAY), until: new Date(end - day * DAY) };
    for await (const sale of joinSales(source, period))
      if (namesOf(sale).includes(id) || referenceOf(sale.created.quoteId) === id.toUpperCase()) return sale;
  }
  return undefined;
}

/** The clock of a server may be ahead of this machine's. */
const ever = () => ({ since: new Date(0), until: new Date(Date.now() + HOUR) });

async function* callsOf(sales: Sales): AsyncGenerator<KeptCall> {
  for (const journal of CALL_JOURNALS) for await (const batch of sales.calls(journal, ever())) yield* batch;
}

/** Each option of a quote, and of an estimate, that has this total; one that rounds to it, if it is in whole francs. */
async function pricedAt(sales: Sales, rappen: number, showTime: ShowTime) {
  const precision = rappen % 100 === 0 ? 100 : 1;
  const rowsOf = (priced: KeptCall | SaleEvent, id: string, became: string) => {
    const fitting = priced.options?.filter((each) => Math.round(each.totalRappen / precision) * precision === rappen);
    return (fitting ?? []).map(({ vehicleClass, totalRappen }) => ({
      quoted_at: showTime(priced.at),
      id,
      class: vehicleClass,
      chf: francs(totalRappen),
      pickup_date: priced.pickupOn ?? null,
      return_date: priced.returnOn ?? null,
      journey: corridorOf(priced),
      became,
    }));
  };
  const rows: ReturnType<typeof rowsOf>[number][] = [];
  for await (const { created, steps } of joinSales(sales, ever()))
    rows.push(...rowsOf(created, created.quoteId, steps.at(-1)?.type ?? created.type));
  for await (const call of callsOf(sales)) rows.push(...rowsOf(call, call.requestId, "estimate"));
  return rows;
}

/** The call with this request id, of which there is no sale. */
async function foundCall(sales: Sales, id: string, showTime: ShowTime) {
  for await (const call of callsOf(sales)) {
    if (call.requestId !== id) continue;
    const { requestId: request_id, at, surface, client, operation, code, quoteId: quote_id, corridor } = call;
    const { origin, destination, pickupOn: pickup_date, returnOn: return_date, options = [] } = call;
    const made = { request_id, at: showTime(at), operation, surface, client, code, quote_id };
    const asked = { corridor, origin, destination, pickup_date, return_date };
    return { ...made, ...asked, options: wireOptions({ options }) };
  }
  return undefined;
}

function namesOf({ created, steps }: Sale): readonly string[] {
  const events = [created, ...steps];
  return [created.quoteId, expiryOf(created).id, ...events.flatMap(({ id, requestId }) => [id, requestId])];
}

/** The quote that a checkout link names; any other text is an id. */
export function idOf(text: string): string {
  return (URL.canParse(text) && new URL(text).searchParams.get("quote_id")) || text;
}

type ShowTime = (instant: string) => string;

/** The same as JSON has, section by section. */
async function showSale({ events, journey, shown, ...sale }: NonNullable<Awaited<ReturnType<typeof foundSale>>>) {
  await showFacts({ ...sale, options: events[0]?.options ?? [] });
  process.stdout.write("\n");
  await print(events, ({ at, type: event, options: [option], surface, client, request_id }) => {
    // A quote and its confirmation are of every class.
    const vehicleClass = event.startsWith("handoff.") ? option?.vehicle_class : null;
    return { at, event, class: vehicleClass, surface, client, request_id };
  });
  process.stdout.write("\n");
  await showFacts(journey ? { ...journey, shown: shown.map(({ digest }) => digest) } : { journey: "deleted" });
}

type Facts = Readonly<Record<string, unknown>> & { readonly options?: ReturnType<typeof wireOptions> };

/** One fact a line, and one for the price of each class. */
async function showFacts({ options = [], ...facts }: Facts) {
  const totals = options.map(({ vehicle_class, total_price }) => [vehicle_class, total_price.toFixed(2)] as const);
  await print([...Object.entries<unknown>(facts), ...totals], ([fact, value]) => {
    return { fact, value: [value].flat().join(", ") || "(none)" };
  });
}

/** What the traveler was shown of each option that was handed off, beside its digest, which the events name. */
function shownOf(quote: StoredQuote, { steps }: Sale) {
  const classes = new Set(steps.flatMap(({ options }) => options.map(({ vehicleClass }) => vehicleClass)));
  return quote.options
    .filter(({ vehicleClass }) => classes.has(vehicleClass))
    .map((option) => ({ digest: termsDigest(quote, option), document: shownDocument(quote, option) }));
}

/** The journey that the caller asked for. It is deleted a day after the quote has expired. */
function wireJourney(quote: StoredQuote, showTime: ShowTime) {
  const { origin, stops, destination, pickupAt, returnAt, passengers, luggage } = quote;
  const names = stops.map(({ name, at }) => (at ? `"${name}" near ${at.near} (${at.lat}, ${at.lng})` : name));
  const times = { pickup: showTime(pickupAt), return: returnAt && showTime(returnAt) };
  return { origin, stops: names, destination, ...times, passengers, luggage };
}

/** What is kept of a sale, as JSON has it. */
async function foundSale(source: Sales, id: string, config: Config, showTime: ShowTime) {
  const found = await findSale(source, id, config);
  if (!found) return undefined;
  const { created, steps } = found;
  const quote = await source.quoteOf(steps.findLast(({ type }) => type === "quote.confirmed") ?? created);
  const { quote_id, ...sale } = wireSale(created);
  return {
    quote_id,
    reference: referenceOf(quote_id),
    ...sale,
    pickup_date: created.pickupOn ?? null,
    return_date: created.returnOn ?? null,
    ...bookingCells(created),
    expires_at: showTime(quote?.expiresAt ?? expiresAtOf(found)),
    events: [created, ...steps].map((event) => ({
      event_id: event.id,
      type: event.type,
      at: showTime(event.at),
      request_id: event.requestId,
      surface: event.surface,
      client: event.client,
      terms_digest: event.termsDigest,
      options: wireOptions(event),
    })),
    journey: quote ? wireJourney(quote, showTime) : null,
    shown: quote ? shownOf(quote, found) : [],
  };
}
