import type { Catalog } from "../../domain/catalog/catalog.ts";
import { DAY } from "../../ops/durations.ts";
import type { Opened } from "../../ops/opened.ts";
import { openTerminalQuotes, type TerminalQuotes } from "../compose/compose-terminal.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import type { CommandCall } from "./command.ts";
import { type Cells, formatOf, francs, print } from "./print.ts";
import { wrapped } from "./terminal-text.ts";
import { shownTime, timeArgument } from "./typed-values.ts";

export const options = {
  on: { value: "DATE", meaning: 'pickup, also "2026-12-24 22:00"; default: tomorrow at noon' },
  before: { value: "FOLDER", meaning: "what differs from the prices of this catalog" },
  all: { meaning: "with --before, also the prices that are the same" },
  csv: { meaning: "comma-separated values" },
  json: { meaning: "JSON" },
} as const;

/**
 * The `prices` command: what a quote for one passenger on a day costs, for every published corridor, for hires and for
 * every vehicle class, whether or not a vehicle is free, or how that differs from what it costs in another catalog.
 */
export async function run({ config, values, opened }: CommandCall<typeof options>): Promise<undefined> {
  const { before, all } = values;
  if (all && before === undefined) throw new ConfigError("--all needs --before FOLDER");
  const on = values.on ?? new Date(Date.now() + DAY).toISOString().slice(0, 10);
  const { catalog, pickup, prices } = await pricesOf(config, opened, ({ tariff }) =>
    timeArgument("on", on, tariff.timeZone),
  );
  const earlier =
    before === undefined ? undefined : await pricesOf({ ...config, catalogDir: before }, opened, () => pickup);
  const old = earlier?.prices ?? prices;
  const rows = [...new Map([...prices, ...old])].flatMap(([key, { routeKey, vehicleClass }]): readonly Cells[] => {
    const [before, after] = [old.get(key), prices.get(key)];
    const named = { route_key: routeKey, vehicle_class: vehicleClass };
    if (!earlier) return [{ ...named, chf: francs(after?.totalRappen), on_request: after?.onRequest }];
    if (!all && before?.totalRappen === after?.totalRappen && before?.onRequest === after?.onRequest) return [];
    const change = before && after && after.totalRappen - before.totalRappen;
    const amounts = { before: francs(before?.totalRappen), after: francs(after?.totalRappen), change: francs(change) };
    const onRequest = [before, after].map((each) => each?.onRequest ?? "");
    return [{ ...named, ...amounts, on_request: [...new Set(onRequest)].join(" → ") }];
  });
  const as = formatOf(values);
  if (as === "table") {
    const { currency, timeZone, version } = catalog.tariff;
    const versions = earlier ? `${earlier.catalog.tariff.version} → ${version}` : version;
    const price = `${currency}, one way for one passenger; VAT, tolls, car trains and place fees included`;
    process.stdout.write(`${wrapped(price)}\nPickup ${shownTime(pickup)} (${timeZone}), tariff ${versions}\n\n`);
  }
  await print(rows, (row) => row, as);
}

/** Journeys are priced as if they were requested so many days before, so that lead times and the horizon do not matter. */
const DAYS_AHEAD = 7;

/** The prices of a catalog at the pickup (RFC 3339) that `pickupIn` returns. Stderr names corridors that have none. */
async function pricesOf(config: Config, opened: Opened, pickupIn: (catalog: Catalog) => string) {
  let now = new Date();
  const quotes = await openTerminalQuotes(config, { now: () => now }, opened, { everyClass: true });
  const { catalog } = quotes;
  const pickup = pickupIn(catalog);
  now = new Date(Date.parse(pickup) - DAYS_AHEAD * DAY);
  const prices = new Map<string, Awaited<ReturnType<typeof listedPrices>>[number]>();
  for (const [key, journey] of journeysIn(quotes))
    for (const each of await listedPrices(quotes, key, { ...journey, pickup_datetime: pickup }))
      prices.set(`${key} ${each.vehicleClass}`, each);
  return { pickup, catalog, prices };
}

/** Two show what the first hour and the others cost. */
const HIRE_HOURS = [4, 8];

/** The corridors, and hires where the first of them begins, also of the least hours of classes that those do not show. */
function journeysIn({ catalog, places }: TerminalQuotes): readonly (readonly [string, object])[] {
  const { corridors, tariff } = catalog;
  const ends = corridors.map(({ key, origin, destination }) => {
    return [key, { origin: places.nameOf(origin), destination: places.nameOf(destination) }] as const;
  });
  const leasts = Object.values(tariff.rates).map(({ minimumHours = 0 }) => minimumHours);
  const shown = new Set([...HIRE_HOURS, ...leasts.filter((least) => least > Math.max(...HIRE_HOURS))]);
  const hires = corridors.slice(0, 1).flatMap(({ origin }) =>
    [...shown].map((hours) => {
      const hire = { origin: places.nameOf(origin), booking_type: "hourly", duration_hours: hours };
      return [`hire-of-${hours}-h-from-${origin}`, hire] as const;
    }),
  );
  return [...ends, ...hires];
}

export async function listedPrices(quotes: TerminalQuotes, routeKey: string, journey: object) {
  const outcome = await quotes.quote({ ...journey, passengers: 1 });
  if (!outcome.ok) {
    process.stderr.write(`${routeKey}: ${outcome.problem.code}: ${outcome.problem.detail}\n`);
    return [];
  }
  const { options, requiresManualConfirmation } = outcome.priced;
  return options.map(({ vehicleClass, totalRappen, onRequest }) => ({
    ...{ routeKey, vehicleClass, totalRappen },
    onRequest: onRequest || requiresManualConfirmation,
  }));
}
