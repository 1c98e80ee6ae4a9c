import { loadCatalog } from "../catalog/catalog.ts";
import { findCall, openSales } from "../compose/compose-storage.ts";
import type { Config } from "../config/config.ts";
import { localDateTime } from "../ops/local-time.ts";
import type { StoredQuote } from "../quotes/quote.ts";
import type { SaleEvent } from "../quotes/sale-event.ts";
import type { Sale } from "../quotes/sales-report.ts";
import { shownDocument, termsDigest } from "../quotes/terms.ts";
import type { KeptCall } from "../stores/call-journal.ts";
import { colored, columns, jsonText, printable } from "./columns.ts";
import { type Arguments, defineCommand } from "./command.ts";
import { findSale, referenceOf } from "./find-sale.ts";
import { withProgress } from "./progress.ts";

const options = { json: { type: "boolean", meaning: "JSON" } } as const;

/** The `find` command: what is kept of a call and its quote, also after the quote has been deleted. Reads only. */
async function run(config: Config, { values, operands: [text = ""] }: Arguments<typeof options>): Promise<number> {
  const { timeZone } = loadCatalog(config.catalogDir).tariff;
  const showTime = (instant: string) => localDateTime(new Date(instant), timeZone);
  const id = idOf(text.trim());
  const source = await openSales(config);
  try {
    const call = await findCall(config, id);
    const key = call ? call.quoteId : id;
    const sale = key === null ? undefined : await findSale({ ...source, ...withProgress(source) }, key, config);
    if (!sale && !call) {
      process.stderr.write(`nothing is kept of "${printable(id)}"\n`);
      return 1;
    }
    const quote = sale && (await source.quoteOf(sale.created));
    const wire = () => ({
      ...(call && { call: wireCall(call, showTime) }),
      ...(sale && wireSale(sale, showTime)),
      journey: quote ? wireJourney(quote, showTime) : null,
      shown: sale && quote ? shownOf(quote, sale) : [],
    });
    const pages = () => [call && callPage(call, showTime), sale && page(sale, quote, showTime)].filter(Boolean);
    process.stdout.write(values.json ? `${jsonText(wire())}\n` : pages().join("\n"));
    return 0;
  } finally {
    await source.close();
  }
}

export const find = defineCommand({ operands: ["ID"], options, run });

/** The quote that a checkout link names; any other text is an id. */
function idOf(text: string): string {
  return (URL.canParse(text) && new URL(text).searchParams.get("quote_id")) || text;
}

function callPage({ requestId, at, operation, surface, client, status, code }: KeptCall, showTime: ShowTime): string {
  const facts = [
    ["request", requestId],
    ["at", showTime(at)],
    ["call", operation],
    ["surface", surface],
    ["client", client ?? ""],
    ["outcome", `${status} ${code}`],
  ];
  return columns(facts, 2).join("");
}

function wireCall({ requestId, at, quoteId, ...call }: KeptCall, showTime: ShowTime) {
  return { request_id: requestId, at: showTime(at), quote_id: quoteId, ...call };
}

const UNLISTED = "an address or position that the catalog does not list";

type ShowTime = (instant: string) => string;

function page({ created, steps }: Sale, quote: StoredQuote | undefined, showTime: ShowTime): string {
  const { quoteId, expiresAt, corridor, origin, stops, destination, distanceKm, tariffVersion } = created;
  const facts = [
    ["quote", quoteId],
    ["reference", referenceOf(quoteId)],
    ["expires", showTime(expiresAt)],
    ["from", origin ?? UNLISTED],
    ...stops.map((stop) => ["via", stop ?? UNLISTED]),
    ["to", destination ?? UNLISTED],
    ["corridor", corridor ?? "none"],
    ["distance", `${distanceKm} km`],
    ["tariff", tariffVersion],
    ...created.options.map(({ vehicleClass, totalRappen }) => [vehicleClass, `CHF ${(totalRappen / 100).toFixed(2)}`]),
  ];
  const events = [created, ...steps];
  const rows = events.map((event) => [
    showTime(event.at).replace(/\.\d+/, ""),
    event.type,
    event.type === "quote.created" ? "" : (event.options[0]?.vehicleClass ?? ""),
    event.surface,
    event.client ?? "",
  ]);
  const head = ["at", "event", "class", "surface", "client"];
  const [heading = "", ...lines] = columns([head, ...rows], head.length);
  const history = lines.map((line, n) => `${line}    ${events[n]?.requestId}\n`).join("");
  const journey = quote
    ? Object.entries(wireJourney(quote, showTime)).map(([name, value]) => [name, shown(value)])
    : [];
  const terms = quote ? shownOf(quote, { created, steps }).map(({ digest }) => `shown ${digest}\n`) : [];
  const last = quote ? `\n${columns(journey, 2).join("")}${terms.join("")}` : "\nThe journey has been deleted.\n";
  return `${columns(facts, 2).join("")}\n${colored("bold", heading)}${history}${last}`;
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

function shown(value: string | number | readonly string[] | null): string {
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

function wireSale({ created, steps }: Sale, showTime: ShowTime) {
  const { quoteId, expiresAt, corridor, origin, stops, destination, distanceKm, tariffVersion } = created;
  return {
    quote_id: quoteId,
    reference: referenceOf(quoteId),
    expires_at: showTime(expiresAt),
    corridor,
    origin,
    stops,
    destination,
    distance_km: distanceKm,
    tariff_version: tariffVersion,
    currency: "CHF",
    events: [created, ...steps].map((event) => wireEvent(event, showTime)),
  };
}

function wireEvent(
  { id, type, at, requestId, surface, client, termsDigest: digest, options: offers }: SaleEvent,
  showTime: ShowTime,
) {
  return {
    event_id: id,
    type,
    at: showTime(at),
    request_id: requestId,
    surface,
    client,
    terms_digest: digest,
    options: offers.map(({ vehicleClass, totalRappen }) => ({
      vehicle_class: vehicleClass,
      total_price: totalRappen / 100,
    })),
  };
}
