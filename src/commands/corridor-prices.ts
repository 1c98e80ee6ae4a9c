import type { Corridor } from "../catalog/catalog-schema.ts";
import type { TerminalQuotes } from "../compose/compose-terminal.ts";
import { feesIn } from "../contract/charges.ts";

export interface CorridorPrice {
  readonly total: number;
  /** Tolls and car trains, which are part of the total. */
  readonly fees: number;
  readonly onRequest: boolean;
}

export interface CorridorPrices {
  readonly key: string;
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
  { key, ...corridor }: Corridor,
  pickup: string,
): Promise<CorridorPrices> {
  const [origin, destination] = [corridor.origin, corridor.destination].map(quotes.places.nameOf);
  const outcome = await quotes.quote({ origin, destination, pickup_datetime: pickup, passengers: 1 });
  if (!outcome.ok) {
    const { code, detail } = outcome.problem;
    return { key, km: null, minutes: null, prices: new Map(), why: `${code}: ${detail}` };
  }
  const { route, options, requiresManualConfirmation } = outcome.priced;
  const prices = new Map<string, CorridorPrice>();
  for (const { vehicleClass, totalRappen, charges, onRequest } of options) {
    const fees = feesIn(charges);
    const isManual = onRequest || requiresManualConfirmation;
    prices.set(vehicleClass, { total: totalRappen / 100, fees: fees / 100, onRequest: isManual });
  }
  return { key, km: route.distanceKm, minutes: route.durationMinutes, prices };
}
