import type { Corridor } from "../catalog/catalog-schema.ts";
import type { TerminalQuotes } from "../compose/compose-terminal.ts";
import type { Problem } from "../contract/problem.ts";

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
  if (!outcome.ok) return { key, km: null, minutes: null, prices: new Map(), why: whyOf(outcome.problem) };
  const { route_basis: route, options: offered = [] } = outcome.quote;
  return {
    key,
    km: route.distance_km ?? null,
    minutes: route.duration_min ?? null,
    prices: new Map(
      offered.map(
        ({
          vehicle_class,
          total_price: total,
          price_lines: lines = [],
          requires_manual_confirmation: onRequest = false,
        }) => {
          const fees = lines.filter(({ label }) => FEES.includes(label)).reduce((sum, { amount }) => sum + amount, 0);
          return [vehicle_class, { total, fees, onRequest }];
        },
      ),
    ),
  };
}

function whyOf({ code, detail }: Problem): string {
  return `${code}: ${detail}`;
}
