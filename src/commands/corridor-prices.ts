import type { Corridor } from "../catalog/catalog-schema.ts";
import type { TerminalQuotes } from "../compose/compose-terminal.ts";

interface CorridorPrice {
  readonly total: number;
  /** The part of it for tolls and car trains. */
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

/** Lines that are charged as they are, whatever the distance. */
const FEES = ["Car train", "Tolls"];

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
  const { route_basis: route, options: offered = [] } = outcome.quote;
  const prices = new Map<string, CorridorPrice>();
  for (const { vehicle_class, total_price: total, price_lines = [], requires_manual_confirmation } of offered) {
    const fees = price_lines.filter(({ label }) => FEES.includes(label)).reduce((sum, { amount }) => sum + amount, 0);
    prices.set(vehicle_class, { total, fees, onRequest: requires_manual_confirmation ?? false });
  }
  return { key, km: route.distance_km ?? null, minutes: route.duration_min ?? null, prices };
}
