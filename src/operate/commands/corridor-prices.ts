import { feesIn } from "../../contract/charges.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Corridor } from "../../domain/catalog/catalog-schema.ts";
import { DAY } from "../../ops/durations.ts";
import { openTerminalQuotes, type TerminalQuotes } from "../compose/compose-terminal.ts";
import type { Loaded } from "../compose/embedded-pricing.ts";
import type { Config } from "../config/config.ts";

export interface CorridorPrice {
  readonly total: number;
  /** Tolls, car trains and fees of places, which are part of the total. */
  readonly fees: number;
  readonly onRequest: boolean;
}

type CorridorPrices = Awaited<ReturnType<typeof corridorPrices>>;

/** What a quote for one passenger costs at a pickup. */
export async function corridorPrices(quotes: TerminalQuotes, corridor: Corridor, pickup: string) {
  const { key, origin, destination } = corridor;
  const ends = { origin: quotes.places.nameOf(origin), destination: quotes.places.nameOf(destination) };
  const outcome = await quotes.quote({ ...ends, pickup_datetime: pickup, passengers: 1 });
  const priced = outcome.ok ? outcome.priced : undefined;
  /** By vehicle class, in francs; a class that is not offered is missing. */
  const prices = new Map<string, CorridorPrice>();
  for (const { vehicleClass, totalRappen, charges, onRequest } of priced?.options ?? []) {
    const isManual = onRequest || priced?.requiresManualConfirmation === true;
    prices.set(vehicleClass, { total: totalRappen / 100, fees: feesIn(charges) / 100, onRequest: isManual });
  }
  const km = priced?.route.distanceKm ?? null;
  const minutes = priced?.route.durationMinutes ?? null;
  /** Why there is no price at all. */
  const why = outcome.ok ? undefined : `${outcome.problem.code}: ${outcome.problem.detail}`;
  return { key, origin, km, minutes, prices, why };
}

/** Journeys are priced as if they were requested so many days before, so that lead times and the horizon do not matter. */
const DAYS_AHEAD = 7;

/**
 * Prices the corridors of the configured catalog at the pickup (RFC 3339) that `pickupIn` returns. `read` is the catalog
 * where it has been read already.
 */
export async function pricedCorridors(config: Config, pickupIn: (catalog: Catalog) => string, read?: Loaded) {
  let now = new Date();
  const quotes = await openTerminalQuotes(config, { now: () => now }, { everyClass: true, read });
  try {
    const { catalog } = quotes;
    const pickup = pickupIn(catalog);
    now = new Date(Date.parse(pickup) - DAYS_AHEAD * DAY);
    const rows: CorridorPrices[] = [];
    for (const corridor of catalog.corridors) rows.push(await corridorPrices(quotes, corridor, pickup));
    return { pickup, catalog, classes: catalog.vehicleClasses.map(({ id }) => id), rows };
  } finally {
    await quotes.close();
  }
}

export type PriceList = Awaited<ReturnType<typeof pricedCorridors>>;
