import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Corridor } from "../../domain/catalog/catalog-schema.ts";
import { DAY } from "../../ops/durations.ts";
import { openTerminalQuotes, type TerminalQuotes } from "../compose/compose-terminal.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import type { Arguments } from "./command.ts";
import { shownTime, timeArgument } from "./local-time-argument.ts";
import { type Cells, formatOf, francs, print } from "./print.ts";
import { wrapped } from "./terminal-text.ts";

export const options = {
  on: { value: "DATE", meaning: 'pickup, also "2026-12-24 22:00"; default: tomorrow at noon' },
  before: { value: "FOLDER", meaning: "what differs from the prices of this catalog" },
  all: { meaning: "with --before, also the prices that are the same" },
  csv: { meaning: "comma-separated values" },
  json: { meaning: "JSON" },
} as const;

/**
 * The `prices` command: what a quote for one passenger on a day costs, for every published corridor and vehicle class,
 * or how that differs from what it costs in another catalog.
 */
export async function run(config: Config, { values }: Arguments<typeof options>): Promise<number> {
  const { before, all } = values;
  if (all && before === undefined) throw new ConfigError("--all needs --before FOLDER");
  const on = values.on ?? new Date(Date.now() + DAY).toISOString().slice(0, 10);
  const { catalog, pickup, prices } = await pricesOf(config, ({ tariff }) => timeArgument("on", on, tariff.timeZone));
  const earlier = before === undefined ? undefined : await pricesOf({ ...config, catalogDir: before }, () => pickup);
  const old = earlier?.prices ?? prices;
  const rows = [...new Map([...prices, ...old])].flatMap(([key, { corridor, vehicleClass }]): readonly Cells[] => {
    const [before, after] = [old.get(key), prices.get(key)];
    const named = { route_key: corridor, vehicle_class: vehicleClass };
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
  return 0;
}

/** Journeys are priced as if they were requested so many days before, so that lead times and the horizon do not matter. */
const DAYS_AHEAD = 7;

/** The prices of a catalog at the pickup (RFC 3339) that `pickupIn` returns. Stderr names corridors that have none. */
async function pricesOf(config: Config, pickupIn: (catalog: Catalog) => string) {
  let now = new Date();
  const quotes = await openTerminalQuotes(config, { now: () => now }, { everyClass: true });
  try {
    const { catalog } = quotes;
    const pickup = pickupIn(catalog);
    now = new Date(Date.parse(pickup) - DAYS_AHEAD * DAY);
    const prices = new Map<string, Awaited<ReturnType<typeof corridorPrices>>[number]>();
    for (const corridor of catalog.corridors)
      for (const each of await corridorPrices(quotes, corridor, pickup))
        prices.set(`${each.corridor} ${each.vehicleClass}`, each);
    return { pickup, catalog, prices };
  } finally {
    await quotes.close();
  }
}

export async function corridorPrices(quotes: TerminalQuotes, corridor: Corridor, pickup: string) {
  const { key, origin, destination } = corridor;
  const ends = { origin: quotes.places.nameOf(origin), destination: quotes.places.nameOf(destination) };
  const outcome = await quotes.quote({ ...ends, pickup_datetime: pickup, passengers: 1 });
  if (!outcome.ok) {
    process.stderr.write(`${key}: ${outcome.problem.code}: ${outcome.problem.detail}\n`);
    return [];
  }
  const { options, requiresManualConfirmation } = outcome.priced;
  return options.map(({ vehicleClass, totalRappen, onRequest }) => ({
    ...{ corridor: key, vehicleClass, totalRappen },
    onRequest: onRequest || requiresManualConfirmation,
  }));
}
