import type { Catalog } from "../catalog/catalog.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { durationText } from "../contract/notice-formats.ts";
import { DAY } from "../ops/durations.ts";
import { colored, columns, csvLine, jsonText, WIDTH, wrapped } from "./columns.ts";
import { type Arguments, defineCommand, wrongOption } from "./command.ts";
import { type CorridorPrice, type CorridorPrices, pricedCorridors } from "./corridor-prices.ts";
import { shownTime, timeArgument } from "./local-time-argument.ts";
import { nearestName } from "./read-arguments.ts";

const options = {
  on: { type: "string", value: "DATE", meaning: 'pickup, also "2026-12-24 22:00"; default: tomorrow at noon' },
  class: { type: "string", multiple: true, value: "CLASS", meaning: "this vehicle class alone" },
  corridor: { type: "string", multiple: true, value: "ROUTE_KEY", meaning: "this corridor alone" },
  before: { type: "string", value: "FOLDER", meaning: "what differs from the prices of this catalog, old → new" },
  all: { type: "boolean", meaning: "with --before, also the prices that are the same" },
  csv: { type: "boolean", meaning: "comma-separated values" },
  json: { type: "boolean", meaning: "JSON" },
} as const;

/**
 * The `prices` command: what a quote for one passenger on a day costs, for every published corridor and vehicle class,
 * or how that differs from what it costs in another catalog.
 */
async function run(config: Config, { values }: Arguments<typeof options>): Promise<number> {
  const { before, all, csv, json } = values;
  if (all && before === undefined) throw new ConfigError("--all needs --before FOLDER");
  const listed = await pricesIn(config, values);
  const { pickup, catalog } = listed;
  const { currency, timeZone, version } = catalog.tariff;
  const earlier = before === undefined ? undefined : await pricesIn({ ...config, catalogDir: before }, values, pickup);
  const versions = earlier ? `${earlier.catalog.tariff.version} → ${version}` : version;
  const title = [
    `${currency}, one way for one passenger; VAT, tolls, car trains and place fees included`,
    `Pickup ${shownTime(pickup)} (${timeZone}), tariff ${versions}`,
  ];
  if (earlier) {
    const changes = { title, changes: priceChanges(earlier, listed, all), before: earlier, after: listed };
    process.stdout.write((csv ? changesCsv : json ? changesJson : changesTable)(changes));
  } else process.stdout.write((csv ? csvOf : json ? jsonOf : tableOf)({ ...listed, title }));
  return 0;
}

type Values = Arguments<typeof options>["values"];

/** The wanted prices in a catalog, or those at a pickup in an earlier one, which may have other corridors and classes. */
function pricesIn(config: Config, values: Values, earlierAt?: string) {
  const tomorrow = new Date(Date.now() + DAY).toISOString().slice(0, 10);
  return pricedCorridors(config, ({ tariff, vehicleClasses, corridors }: Catalog) => {
    const known = { class: vehicleClasses.map(({ id }) => id), corridor: corridors.map(({ key }) => key) };
    /** In the order of the catalog, by default all. */
    const wanted = (option: "class" | "corridor") => {
      const names = values[option];
      const unknown = earlierAt === undefined ? names?.find((name) => !known[option].includes(name)) : undefined;
      if (unknown !== undefined) {
        const nearest = nearestName(unknown, known[option]);
        const hint = nearest === undefined ? `allowed: ${known[option].join(", ")}` : `did you mean ${nearest}?`;
        throw wrongOption(option, unknown, hint);
      }
      return names ? known[option].filter((name) => names.includes(name)) : known[option];
    };
    const pickup = earlierAt ?? timeArgument("on", values.on ?? tomorrow, tariff.timeZone);
    return { pickup, classes: wanted("class"), keys: wanted("corridor") };
  });
}

export const prices = defineCommand({ operands: [], options, run });

/** Prices of one catalog at a pickup. */
type Prices = Awaited<ReturnType<typeof pricesIn>>;

interface PriceList extends Prices {
  readonly title: readonly string[];
}

/** How an amount stands in a table, and what the star beside it means. */
function cellOf(price: CorridorPrice | undefined): string {
  return price ? `${price.total.toFixed(2)}${price.onRequest ? "*" : " "}` : "- ";
}

function legendOf(prices: readonly (CorridorPrice | undefined)[]): string {
  return prices.some((price) => price?.onRequest) ? "\n* needs the operator's confirmation\n" : "";
}

function wirePrice({ total, onRequest }: CorridorPrice) {
  return { total_price: total, on_request: onRequest };
}

function csvOf({ classes, rows, catalog, pickup }: PriceList): string {
  const { currency, version } = catalog.tariff;
  const cells = rows.map(({ key, km, minutes, prices: of }) => [
    ...[key, km, minutes],
    ...classes.map((id) => of.get(id)?.total.toFixed(2) ?? null),
    ...[classes.filter((id) => of.get(id)?.onRequest).join(" "), currency, pickup, version],
  ]);
  const head = ["route_key", "km", "min", ...classes, "on_request", "currency", "pickup_datetime", "tariff_version"];
  return [head, ...cells].map((row) => csvLine(row)).join("");
}

function jsonOf({ classes, rows, catalog, pickup }: PriceList): string {
  const { currency, version } = catalog.tariff;
  const corridors = rows.map(({ key, km, minutes, prices: of, why }) => ({
    route_key: key,
    distance_km: km,
    duration_min: minutes,
    prices: classes.flatMap((id) => {
      const price = of.get(id);
      return price ? [{ vehicle_class: id, ...wirePrice(price) }] : [];
    }),
    ...(why !== undefined && { problem: why }),
  }));
  return `${jsonText({ pickup_datetime: pickup, currency, tariff_version: version, corridors })}\n`;
}

const COLUMN = 10;
/** The classes are named again after so many corridors, so that they are always on the screen. */
const ROWS_PER_HEAD = 20;
const PER_LINE = Math.floor(WIDTH / COLUMN);

/**
 * Each corridor in a line of its own, with the opposite direction where that costs the same, and its prices below, so
 * that any number of classes fits the terminal.
 */
function tableOf({ title, classes, rows }: PriceList): string {
  const head = linesOf(classes.map((id) => id.split("_").map((word) => `${word} `)));
  const isSame = (row: CorridorPrices, back: CorridorPrices) =>
    row.origin === back.destination && row.destination === back.origin && sumsOf(row) === sumsOf(back);
  const shown = rows.filter((row, n) => !rows.slice(0, n).some((back) => isSame(row, back)));
  const blocks = shown.map((row, n) => {
    const again = n > 0 && n % ROWS_PER_HEAD === 0 ? `\n${head}\n` : "";
    const { key, km, minutes, prices, why } = row;
    const name = rows.some((back) => isSame(row, back)) ? `${key} and back` : key;
    const end = km === null ? "" : `${km} km ${durationText(minutes ?? 0).padStart(11)}`;
    const first = colored("bold", `${name.padEnd(WIDTH - end.length)}${end}`.trimEnd());
    if (why !== undefined) return `${again}${first}\n  ${wrapped(why, 2)}`;
    return `${again}${first}\n${linesOf(classes.map((id) => [cellOf(prices.get(id))]))}`;
  });
  const legend = legendOf(rows.flatMap((row) => classes.map((id) => row.prices.get(id))));
  return `${title.map((line) => wrapped(line)).join("")}\n${head}\n${blocks.join("")}${legend}`;
}

function sumsOf({ km, minutes, prices, why }: CorridorPrices): string {
  return JSON.stringify([km, minutes, [...prices], why]);
}

/** Cells of several words each, right-aligned in columns; those that do not fit the width follow below. */
function linesOf(cells: readonly (readonly string[])[]): string {
  const lines: string[] = [];
  for (let start = 0; start < cells.length; start += PER_LINE) {
    const part = cells.slice(start, start + PER_LINE);
    const height = Math.max(...part.map((words) => words.length));
    for (let line = 0; line < height; line += 1)
      lines.push(part.map((words) => (words[line] ?? "").padStart(COLUMN)).join(""));
  }
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

/** What two catalogs charge for every corridor and class of either; only what differs unless `all`. */
function priceChanges(before: Prices, after: Prices, all = false) {
  const keys = new Set([...after.rows, ...before.rows].map(({ key }) => key));
  const classes = new Set([...after.classes, ...before.classes]);
  const priceIn = ({ rows }: Prices, key: string, vehicleClass: string) =>
    rows.find((row) => row.key === key)?.prices.get(vehicleClass);
  return [...keys].flatMap((key) =>
    [...classes].flatMap((vehicleClass) => {
      const [old, current] = [priceIn(before, key, vehicleClass), priceIn(after, key, vehicleClass)];
      const isSame = old?.total === current?.total && old?.onRequest === current?.onRequest;
      return isSame && !all ? [] : [{ key, vehicleClass, before: old, after: current }];
    }),
  );
}

interface PriceChanges {
  readonly title: readonly string[];
  readonly changes: ReturnType<typeof priceChanges>;
  readonly before: Prices;
  readonly after: Prices;
}

/** The corridors one below the other, each with its classes: old price, new price and their difference. */
function changesTable({ changes, title }: PriceChanges): string {
  const head = title.map((line) => wrapped(line)).join("");
  if (changes.length === 0) return `${head}\nNo price differs.\n`;
  const lines = columns(
    changes.map((each) => [`  ${each.vehicleClass}`, cellOf(each.before), "→", cellOf(each.after), differenceOf(each)]),
  );
  const blocks = changes.map(({ key }, n) => {
    const isFirst = changes[n - 1]?.key !== key;
    return `${isFirst ? `\n${colored("bold", key)}\n` : ""}${lines[n]}`;
  });
  return `${head}${blocks.join("")}${legendOf(changes.flatMap(({ before, after }) => [before, after]))}`;
}

function changesCsv({ changes, before, after }: PriceChanges): string {
  const head = [
    ...["route_key", "vehicle_class", "before", "after", "change", "before_on_request", "after_on_request"],
    ...["currency", "pickup_datetime", "before_tariff_version", "tariff_version"],
  ];
  const { currency, version } = after.catalog.tariff;
  const rows = changes.map((each) => [
    ...[each.key, each.vehicleClass],
    ...[each.before?.total.toFixed(2) ?? null, each.after?.total.toFixed(2) ?? null, differenceOf(each) || null],
    ...[each.before, each.after].map((price) => (price ? String(price.onRequest) : null)),
    ...[currency, after.pickup, before.catalog.tariff.version, version],
  ]);
  return [head, ...rows].map((row) => csvLine(row)).join("");
}

function changesJson({ changes, before, after }: PriceChanges): string {
  const { currency, version } = after.catalog.tariff;
  const prices = changes.map((each) => ({
    route_key: each.key,
    vehicle_class: each.vehicleClass,
    before: each.before ? wirePrice(each.before) : null,
    after: each.after ? wirePrice(each.after) : null,
  }));
  const versions = { before_tariff_version: before.catalog.tariff.version, tariff_version: version };
  return `${jsonText({ pickup_datetime: after.pickup, currency, ...versions, prices })}\n`;
}

/** `+20.00`; empty where one of the prices is absent. */
function differenceOf({ before, after }: PriceChanges["changes"][number]): string {
  if (!before || !after) return "";
  const difference = after.total - before.total;
  return `${difference > 0 ? "+" : ""}${difference.toFixed(2)}`;
}
