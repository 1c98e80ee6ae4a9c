import type { Catalog } from "../catalog/catalog.ts";
import type { Corridor } from "../catalog/catalog-schema.ts";
import { openTerminalQuotes, type TerminalQuotes } from "../compose/compose-terminal.ts";
import type { Config } from "../config/config.ts";
import { feesIn } from "../contract/charges.ts";
import { DAY } from "../ops/durations.ts";

export interface CorridorPrice {
  readonly total: number;
  /** Tolls and car trains, which are part of the total. */
  readonly fees: number;
  readonly onRequest: boolean;
}

export interface CorridorPrices extends Pick<Corridor, "key" | "origin" | "destination"> {
  readonly km: number | null;
  readonly minutes: number | null;
  /** By vehicle class, in francs; a class that is not offered is missing. */
  readonly prices: ReadonlyMap<string, CorridorPrice>;
  /** Why there is no price at all. */
  readonly why?: string;
}

/** What a quote for one passenger costs at a pickup. */
export async function corridorPrices(
  quotes: TerminalQuotes,
  corridor: Corridor,
  pickup: string,
): Promise<CorridorPrices> {
  const { key, origin, destination } = corridor;
  const ends = { origin: quotes.places.nameOf(origin), destination: quotes.places.nameOf(destination) };
  const outcome = await quotes.quote({ ...ends, pickup_datetime: pickup, passengers: 1 });
  const prices = new Map<string, CorridorPrice>();
  const own = { key, origin, destination, prices };
  if (!outcome.ok)
    return { ...own, km: null, minutes: null, why: `${outcome.problem.code}: ${outcome.problem.detail}` };
  const { route, options, requiresManualConfirmation } = outcome.priced;
  for (const { vehicleClass, totalRappen, charges, onRequest } of options) {
    const isManual = onRequest || requiresManualConfirmation;
    prices.set(vehicleClass, { total: totalRappen / 100, fees: feesIn(charges) / 100, onRequest: isManual });
  }
  return { ...own, km: route.distanceKm, minutes: route.durationMinutes };
}

/** Journeys are priced as if they were requested so many days before, so that lead times and the horizon do not matter. */
const DAYS_AHEAD = 7;

interface Wanted {
  /** RFC 3339. */
  readonly pickup: string;
  /** Keys of the corridors; all by default. */
  readonly keys?: readonly string[];
}

/** Prices the corridors of the configured catalog, of which `wantedIn` chooses some and the pickup. */
export async function pricedCorridors<W extends Wanted>(config: Config, wantedIn: (catalog: Catalog) => W) {
  let now = new Date();
  const quotes = await openTerminalQuotes(config, { now: () => now }, { everyClass: true });
  try {
    const { catalog } = quotes;
    const wanted = wantedIn(catalog);
    const { pickup, keys } = wanted;
    now = new Date(Date.parse(pickup) - DAYS_AHEAD * DAY);
    const rows: CorridorPrices[] = [];
    for (const corridor of catalog.corridors)
      if (keys?.includes(corridor.key) ?? true) rows.push(await corridorPrices(quotes, corridor, pickup));
    return { ...wanted, catalog, rows };
  } finally {
    await quotes.close();
  }
}
