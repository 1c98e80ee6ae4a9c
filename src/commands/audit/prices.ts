import type { Corridor } from "../../catalog/catalog-schema.ts";
import type { TerminalQuotes } from "../../compose/compose-terminal.ts";
import { instantOfLocal, localDateTime } from "../../ops/local-time.ts";
import { type CorridorPrices, corridorPrices } from "../corridor-prices.ts";
import { type Finding, warning } from "./finding.ts";

/** Noon of a Tuesday that is no holiday anywhere. */
const ORDINARY_NOON = "2026-09-15T12:00:00";
export const ordinaryNoon = (timeZone: string) => instantOfLocal(ORDINARY_NOON, timeZone);

/** Corridors that cost less than a shorter one from the same place, each with the first class of which that is true. */
export async function auditPrices(quotes: TerminalQuotes): Promise<readonly Finding[]> {
  const { corridors, tariff, vehicleClasses } = quotes.catalog;
  const pickup = localDateTime(ordinaryNoon(tariff.timeZone), tariff.timeZone);
  const priced: (CorridorPrices & Pick<Corridor, "origin">)[] = [];
  for (const corridor of corridors)
    priced.push({ origin: corridor.origin, ...(await corridorPrices(quotes, corridor, pickup)) });
  return priced.flatMap((longer) => {
    const shorter = priced.filter(({ origin, km }) => origin === longer.origin && (km ?? 0) < (longer.km ?? 0));
    for (const { id } of vehicleClasses) {
      const price = withoutFees(longer, id);
      const dearer = shorter.find((each) => (withoutFees(each, id) ?? 0) > (price ?? Number.POSITIVE_INFINITY));
      if (!dearer) continue;
      const costs = (corridor: CorridorPrices) => `${withoutFees(corridor, id)?.toFixed(2)} for ${corridor.km} km`;
      const text = `${id} costs ${costs(longer)} without tolls, but ${dearer.key} costs ${costs(dearer)}`;
      return [warning("corridors.json", longer.key, text)];
    }
    return [];
  });
}

function withoutFees({ prices }: CorridorPrices, id: string): number | undefined {
  const price = prices.get(id);
  return price && price.total - price.fees;
}
