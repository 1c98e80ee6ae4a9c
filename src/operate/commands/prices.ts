import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Corridor } from "../../domain/catalog/catalog-schema.ts";
import { DAY } from "../../ops/durations.ts";
import { openTerminalQuotes, type TerminalQuotes } from "../compose/compose-terminal.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import type { Arguments } from "./command.ts";
import { shownTime, timeArgument } from "./local-time-argument.ts";
import { type Columns, formatOf, francs, print } from "./print.ts";
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
  const rows = [...new Map([...prices, ...old]).keys()]
    .map((key): PriceChange => ({ before: old.get(key), after: prices.get(key) }))
    .filter((each) => earlier === undefined || all || !isSame(each));
  const as = formatOf(values);
  if (as === "table") {
    const { currency, timeZone, version } = catalog.tariff;
    const versions = earlier ? `${earlier.catalog.tariff.version} → ${version}` : version;
    const price = `${currency}, one way for one passenger; VAT, tolls, car trains and place fees included`;
    process.stdout.write(`${wrapped(price)}\nPickup ${shownTime(pickup)} (${timeZone}), tariff ${versions}\n\n`);
  }
  await print(rows, earlier ? CHANGES : PRICES, as);
  return 0;
}

/** What a quote for one passenger costs, by vehicle class. */
type CorridorPrice = Awaited<ReturnType<typeof corridorPrices>>[number];

/** One of the two is absent where only one of the catalogs has the corridor or the class. */
interface PriceChange {
  readonly before?: CorridorPrice | undefined;
  readonly after?: CorridorPrice | undefined;
}

const isSame = ({ before, after }: PriceChange) =>
  before?.totalRappen === after?.totalRappen && before?.onRequest === after?.onRequest;
const eitherOf = ({ before, after }: PriceChange) => after ?? before;

const NAMED: Columns<PriceChange> = {
  route_key: (each) => eitherOf(each)?.key ?? "",
  vehicle_class: (each) => eitherOf(each)?.vehicleClass ?? "",
};
const PRICES: Columns<PriceChange> = {
  ...NAMED,
  chf: ({ after }) => francs(after?.totalRappen),
  on_request: ({ after }) => after?.onRequest ?? null,
};
const CHANGES: Columns<PriceChange> = {
  ...NAMED,
  before: ({ before }) => francs(before?.totalRappen),
  after: ({ after }) => francs(after?.totalRappen),
  change: ({ before, after }) => francs(before && after && after.totalRappen - before.totalRappen),
  on_request: ({ before, after }) => [...new Set([before, after].map((each) => each?.onRequest ?? ""))].join(" → "),
};

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
    const prices = new Map<string, CorridorPrice>();
    for (const corridor of catalog.corridors)
      for (const each of await corridorPrices(quotes, corridor, pickup))
        prices.set(`${each.key} ${each.vehicleClass}`, each);
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
    ...{ key, vehicleClass, totalRappen },
    onRequest: onRequest || requiresManualConfirmation,
  }));
}
