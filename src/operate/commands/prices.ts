import { durationText } from "../../contract/notice-formats.ts";
import { DAY } from "../../ops/durations.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { columns } from "./columns.ts";
import type { Arguments } from "./command.ts";
import { type CorridorPrice, type PriceList, pricedCorridors } from "./corridor-prices.ts";
import { shownTime, timeArgument } from "./local-time-argument.ts";
import { colored, csvLine, WIDTH, wrapped } from "./terminal-text.ts";

export const options = {
  on: { value: "DATE", meaning: 'pickup, also "2026-12-24 22:00"; default: tomorrow at noon' },
  before: { value: "FOLDER", meaning: "what differs from the prices of this catalog, old → new" },
  all: { meaning: "with --before, also the prices that are the same" },
  csv: { meaning: "comma-separated values" },
} as const;

/**
 * The `prices` command: what a quote for one passenger on a day costs, for every published corridor and vehicle class,
 * or how that differs from what it costs in another catalog.
 */
export async function run(config: Config, { values }: Arguments<typeof options>): Promise<number> {
  const { before, all, csv } = values;
  if (all && before === undefined) throw new ConfigError("--all needs --before FOLDER");
  const on = values.on ?? new Date(Date.now() + DAY).toISOString().slice(0, 10);
  const listed = await pricedCorridors(config, ({ tariff }) => timeArgument("on", on, tariff.timeZone));
  const { pickup, catalog } = listed;
  const { currency, timeZone, version } = catalog.tariff;
  const earlier =
    before === undefined ? undefined : await pricedCorridors({ ...config, catalogDir: before }, () => pickup);
  const versions = earlier ? `${earlier.catalog.tariff.version} → ${version}` : version;
  const title = [
    `${currency}, one way for one passenger; VAT, tolls, car trains and place fees included`,
    `Pickup ${shownTime(pickup)} (${timeZone}), tariff ${versions}`,
  ].map((line) => wrapped(line));
  if (earlier) {
    const changes = priceChanges(earlier, listed, all);
    process.stdout.write(csv ? changesCsv(changes, earlier, listed) : title.join("") + changesTable(changes));
  } else process.stdout.write(csv ? csvOf(listed) : title.join("") + tableOf(listed));
  return 0;
}

/** How an amount stands in a table, and what the star beside it means. */
function cellOf(price: CorridorPrice | undefined): string {
  return price ? `${price.total.toFixed(2)}${price.onRequest ? "*" : " "}` : "- ";
}

function legendOf(prices: readonly (CorridorPrice | undefined)[]): string {
  return prices.some((price) => price?.onRequest) ? "\n* needs the operator's confirmation\n" : "";
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

/** The classes are named again after so many corridors, so that they are always on the screen. */
const ROWS_PER_HEAD = 20;

/** Each corridor in a line of its own, and its prices below. */
function tableOf({ classes, rows }: PriceList): string {
  const words = classes.map((id) => id.split("_"));
  const height = Math.max(...words.map(({ length }) => length));
  const heads = Array.from({ length: height }, (_, n) => ["", ...words.map((each) => `${each[n] ?? ""} `)]);
  const amounts = rows.map(({ prices }) => ["", ...classes.map((id) => cellOf(prices.get(id)))]);
  const lines = columns([...heads, ...amounts]);
  const head = lines.slice(0, height).join("");
  const blocks = rows.map(({ key, km, minutes, why }, n) => {
    const again = n > 0 && n % ROWS_PER_HEAD === 0 ? `\n${head}\n` : "";
    const end = km === null ? "" : `${km} km ${durationText(minutes ?? 0).padStart(11)}`;
    const first = colored("bold", `${key.padEnd(WIDTH - end.length)}${end}`.trimEnd());
    return `${again}${first}\n${why === undefined ? lines[height + n] : `  ${wrapped(why, 2)}`}`;
  });
  const legend = legendOf(rows.flatMap((row) => classes.map((id) => row.prices.get(id))));
  return `\n${head}\n${blocks.join("")}${legend}`;
}

/** What two catalogs charge for every corridor and class of either; only what differs unless `all`. */
function priceChanges(before: PriceList, after: PriceList, all = false) {
  const keys = new Set([...after.rows, ...before.rows].map(({ key }) => key));
  const classes = new Set([...after.classes, ...before.classes]);
  const priceIn = ({ rows }: PriceList, key: string, vehicleClass: string) =>
    rows.find((row) => row.key === key)?.prices.get(vehicleClass);
  return [...keys].flatMap((key) =>
    [...classes].flatMap((vehicleClass) => {
      const [old, current] = [priceIn(before, key, vehicleClass), priceIn(after, key, vehicleClass)];
      const isSame = old?.total === current?.total && old?.onRequest === current?.onRequest;
      return isSame && !all ? [] : [{ key, vehicleClass, before: old, after: current }];
    }),
  );
}

type PriceChanges = ReturnType<typeof priceChanges>;

/** The corridors one below the other, each with its classes: old price, new price and their difference. */
function changesTable(changes: PriceChanges): string {
  if (changes.length === 0) return "\nNo price differs.\n";
  const lines = columns(
    changes.map((each) => [`  ${each.vehicleClass}`, cellOf(each.before), "→", cellOf(each.after), differenceOf(each)]),
  );
  const blocks = changes.map(({ key }, n) => {
    const isFirst = changes[n - 1]?.key !== key;
    return `${isFirst ? `\n${colored("bold", key)}\n` : ""}${lines[n]}`;
  });
  return `${blocks.join("")}${legendOf(changes.flatMap(({ before, after }) => [before, after]))}`;
}

function changesCsv(changes: PriceChanges, before: PriceList, after: PriceList): string {
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

/** `+20.00`; empty where one of the prices is absent. */
function differenceOf({ before, after }: PriceChanges[number]): string {
  if (!before || !after) return "";
  const difference = after.total - before.total;
  return `${difference > 0 ? "+" : ""}${difference.toFixed(2)}`;
}
