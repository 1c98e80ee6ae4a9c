import type { Corridor } from "../catalog/catalog-schema.ts";
import { type Finding, warning } from "../catalog/finding.ts";
import { openTerminalQuotes } from "../compose/compose-terminal.ts";
import type { Config } from "../config/config.ts";
import { DAY } from "../ops/durations.ts";
import { instantOfLocal, localDateTime } from "../ops/local-time.ts";
import { type CorridorPrices, corridorPrices } from "./corridor-prices.ts";

const WEEK = 7 * DAY;

/** Noon of a Tuesday that is no holiday anywhere. */
const ORDINARY_NOON = "2026-09-15T12:00:00";

/** Corridors that cost less than a shorter one from the same place. Each is reported for one vehicle class. */
export async function auditPrices(config: Config): Promise<readonly Finding[]> {
  let now = new Date();
  const quotes = await openTerminalQuotes(config, { now: () => now }, { everyClass: true });
  try {
    const { corridors, tariff, vehicleClasses } = quotes.catalog;
    const noon = instantOfLocal(ORDINARY_NOON, tariff.timeZone);
    now = new Date(noon.getTime() - WEEK);
    const pickup = localDateTime(noon, tariff.timeZone);
    const priced: (CorridorPrices & Pick<Corridor, "origin">)[] = [];
    for (const corridor of corridors)
      priced.push({ origin: corridor.origin, ...(await corridorPrices(quotes, corridor, pickup)) });
    return priced.flatMap((longer) => {
      const shorter = priced.filter(({ origin, km }) => origin === longer.origin && (km ?? 0) < (longer.km ?? 0));
      for (const { id } of vehicleClasses) {
        const price = withoutFees(longer, id);
        const dearer = shorter.find((each) => (withoutFees(each, id) ?? 0) > (price ?? Number.POSITIVE_INFINITY));
        if (!dearer) continue;
        const costs = (corridor: CorridorPrices) =>
          `${withoutFees(corridor, id)?.toFixed(2)} for ${Math.round(corridor.km ?? 0)} km`;
        const text = `${id} costs ${costs(longer)} without tolls, but ${dearer.key} costs ${costs(dearer)}`;
        return [warning("corridors.json", longer.key, text)];
      }
      return [];
    });
  } finally {
    await quotes.close();
  }
}

function withoutFees({ prices }: CorridorPrices, id: string): number | undefined {
  const price = prices.get(id);
  return price && price.total - price.fees;
}
