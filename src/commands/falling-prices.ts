import { type Finding, warning } from "../catalog/finding.ts";
import type { Config } from "../config/config.ts";
import { instantOfLocal, localDateTime } from "../ops/local-time.ts";
import { type CorridorPrices, pricedCorridors } from "./corridor-prices.ts";

/** Noon of a Tuesday that is no holiday anywhere. */
const ORDINARY_NOON = "2026-09-15T12:00:00";

/** Corridors that cost less than a shorter one from the same place. Each is reported for one vehicle class. */
export async function auditPrices(config: Config): Promise<readonly Finding[]> {
  const { catalog, rows } = await pricedCorridors(config, ({ tariff: { timeZone } }) => ({
    pickup: localDateTime(instantOfLocal(ORDINARY_NOON, timeZone), timeZone),
  }));
  return rows.flatMap((longer) => {
    const shorter = rows.filter(({ origin, km }) => origin === longer.origin && (km ?? 0) < (longer.km ?? 0));
    for (const { id } of catalog.vehicleClasses) {
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
}

function withoutFees({ prices }: CorridorPrices, id: string): number | undefined {
  const price = prices.get(id);
  return price && price.total - price.fees;
}
