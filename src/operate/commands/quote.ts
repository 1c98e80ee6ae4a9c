import type { wireCard } from "../../../tools/wire/quote.ts";
import { durationText } from "../../contract/notice-formats.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Quote } from "../../contract/quote.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { systemClock } from "../../ops/clock.ts";
import { DAY } from "../../ops/durations.ts";
import en from "../../service/checkout/texts/en.json" with { type: "json" };
import type { Row } from "../../service/checkout/view/legs-view.ts";
import { offerView } from "../../service/checkout/view/offer-view.ts";
import { createWords, plain } from "../../service/checkout/view/words.ts";
import { openTerminalQuotes } from "../compose/compose-terminal.ts";
import { type CommandCall, CommandFailed, wrongOption } from "./command.ts";
import { francs, print } from "./print.ts";
import { colored, jsonText, listed, wrapped } from "./terminal-text.ts";
import { timeArgument } from "./typed-values.ts";

/** What the journey is; each states a field of the request. */
// biome-ignore format: a table reads by its columns
const journeyOptions = {
  at: { field: "pickup_datetime", value: "TIME", meaning: 'pickup, such as "2026-12-24 22:00"; default: tomorrow at noon' },
  "arrive-by": { field: "arrive_by", value: "TIME", meaning: "arrival at the latest, instead of --at" },
  return: { field: "return_datetime", value: "TIME", meaning: "pickup of the return journey" },
  hours: { field: "duration_hours", value: "N", meaning: "hire by the hour; ends at ORIGIN without a DESTINATION" },
  via: { field: "waypoints", multiple: true, value: "PLACE", meaning: "stop on the way, without a stay" },
  passengers: { field: "passengers", value: "N", meaning: "default: 1" },
  adults: { field: "adults", value: "N", meaning: "default: as many as passengers" },
  children: { field: "children", value: "N", meaning: "default: 0" },
  infants: { field: "infants", value: "N", meaning: "default: 0" },
  luggage: { field: "luggage", value: "N", meaning: "pieces; default: 0" },
  "large-luggage": { field: "large_luggage", value: "N", meaning: "large pieces of it; default: not stated" },
  item: { field: "special_items", multiple: true, value: "KIND=N", meaning: "special items, such as skis=2" },
  waiting: { field: "waiting_minutes", value: "N", meaning: "minutes at the pickup; default: 0" },
  flight: { field: "flight_number", value: "NUMBER", meaning: 'flight of the outbound journey, such as "LX 39"' },
} as const;

export const options = {
  ...journeyOptions,
  explain: { meaning: "the lines of each price" },
  client: { value: "ID", meaning: "with the prices of this client of clients.json" },
  json: { meaning: "the quote as agents get it" },
} as const;

/** The `quote` command: prices a journey at the terminal, by default for tomorrow, and stores nothing. */
export async function run({ config, values, operands, opened }: CommandCall<typeof options>): Promise<undefined> {
  const { client, explain = false, json = false } = values;
  const quotes = await openTerminalQuotes(config, systemClock, opened, { client });
  if (client !== undefined && !quotes.catalog.clients.some(({ id }) => id === client))
    throw wrongOption("client", client, "clients.json has no such client");
  const { timeZone } = quotes.catalog.tariff;
  const outcome = await quotes.quote(quoteRequest(values, operands, timeZone));
  if (!outcome.ok) throw new CommandFailed(problemText(outcome.problem));
  if (json) process.stdout.write(`${jsonText(outcome.quote)}\n`);
  else await show(outcome.quote, outcome.card, quotes.catalog.tariff, explain);
}

type JourneyOption = keyof typeof journeyOptions;
const journeyOptionNames = Object.keys(journeyOptions) as JourneyOption[];

type Values = CommandCall<typeof journeyOptions>["values"];

/** The arguments of `create_transfer_quote`, which validates them. Throws ConfigError where a time is not one. */
function quoteRequest(values: Values, [origin, destination]: readonly string[], timeZone: string): object {
  const tomorrow = new Date(Date.now() + DAY).toISOString().slice(0, 10);
  const given = { ...values, at: values.at ?? (values["arrive-by"] === undefined ? tomorrow : undefined) };
  const stated = journeyOptionNames.flatMap((option) => {
    const value = given[option];
    return value === undefined ? [] : [[journeyOptions[option].field, argumentOf(option, value, timeZone)]];
  });
  const bookingType = values.hours === undefined ? {} : { booking_type: "hourly" };
  return { origin, destination, ...bookingType, ...Object.fromEntries(stated) };
}

function argumentOf(option: JourneyOption, value: string | readonly string[], timeZone: string): unknown {
  if (typeof value !== "string") return value.map(option === "item" ? specialItem : (name) => ({ name }));
  if (journeyOptions[option].value === "TIME") return timeArgument(option, value, timeZone);
  return option === "flight" ? value : numberOf(value);
}

function specialItem(text: string): object {
  const [kind = "", count = "1"] = text.split("=");
  return { kind, count: numberOf(count) };
}

/** A text that is no number stays as it is, for the operation to reject. */
function numberOf(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** A problem in the words of the terminal: mistakes are listed by option. */
function problemText({ code, detail, field_errors: errors = [] }: Problem): string {
  const lines = errors.map(({ field, message }) => `\n  ${optionOf(field)}: ${message}`);
  return code === "INVALID_REQUEST" && lines.length > 0 ? `${code}:${lines.join("")}` : `${code}: ${detail}`;
}

function optionOf(path: string): string {
  const [field = "", index] = path.split(".");
  const option = journeyOptionNames.find((each) => journeyOptions[each].field === field);
  if (option === undefined) return field.toUpperCase();
  return index === undefined ? `--${option}` : `--${option} ${Number(index) + 1}`;
}

const WORDS = createWords("en", en.view, en.notices, (text) => text);

type Tariff = Pick<Catalog["tariff"], "timeZone" | "version">;

/** The same view as on page and card, with the time zone of the operator, and everything that agents are told. */
async function show(quoted: Quote, card: ReturnType<typeof wireCard>, tariff: Tariff, explain: boolean) {
  const { route_basis: route, options: offered = [] } = quoted;
  const { head, directions, promises } = offerView({ ...quoted, ...card }, WORDS);
  // A hire leads nowhere in particular.
  const km = `${route.distance_km} km, ${durationText(route.duration_min ?? 0)} (${route.routing_basis})\n`;
  const lines = directions.flatMap((each) => [
    `${WORDS.date(each.pickup.at)} (${tariff.timeZone})\n`,
    ...each.rows.flatMap(rowLines),
  ]);
  process.stdout.write(`${colored("bold", wrapped(head.title))}\n${plain(head.party)}\n${lines.join("")}`);
  const canceled = promises.flatMap(({ icon, text }) => (icon === "cancel" ? [`${wrapped(plain(text))}\n`] : []));
  process.stdout.write(`${route.distance_km ? km : ""}Tariff ${tariff.version}; VAT included\n${canceled.join("")}\n`);
  const rows = offered.flatMap((option) => {
    const { vehicle_type: type, passenger_capacity: seats, luggage_capacity: luggage, total_price: total } = option;
    const lines = explain ? (option.price_lines ?? []) : [];
    return [
      { vehicle: `${type}${option.on_request ? " *" : ""}`, seats, luggage, CHF: francs(total * 100) },
      ...lines.map(({ label, amount }) => ({ vehicle: `- ${label}`, CHF: francs(amount * 100) })),
    ];
  });
  await print(rows, (row) => row, "table", "vehicle");
  const legend = offered.some((option) => option.on_request) ? "* on request, needs manual confirmation\n" : "";
  const others = card.notices.filter(({ code }) => code !== "REFUND").map(({ text }) => text);
  process.stdout.write(`${legend}\n${listed(others)}`);
}

/** Where to be and when, with a line for how the journey goes on from there. */
function rowLines({ time, place, entered, near, what, way }: Row): readonly string[] {
  const name = [place || entered, near].filter(Boolean).join(" ");
  return [`  ${time.padEnd(13)}  ${name} (${what})\n`, ...(way ? [colored("dim", `                 ${way}\n`)] : [])];
}
