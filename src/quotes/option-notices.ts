import { type Notice, withValues } from "../contract/notices.ts";
import type { PricedOption } from "./quote.ts";

/** What is not sold, or only on request, while this option is. */
const OF_OTHERS = ["ON_REQUEST", "STOP_SALE_ON_REQUEST", "NOT_SOLD", "CLASS_BOOKABLE"];

type Vehicle = Pick<PricedOption, "vehicleClass" | "vehicleType">;

/** The notices of a quote for a traveler who has chosen one of its options: without those of other vehicle classes. */
export function optionNotices(notices: readonly Notice[], vehicle: Vehicle): readonly Notice[] {
  return notices.flatMap((notice) => {
    if (OF_OTHERS.includes(notice.code)) return [];
    const values = Object.entries(notice.values).map(
      ([name, value]) => [name, valueFor(name, value, vehicle)] as const,
    );
    if (values.every(([name, value]) => value === notice.values[name])) return [notice];
    if (values.some(([, value]) => value === undefined)) return [];
    return [withValues(notice, Object.fromEntries(values) as Notice["values"])];
  });
}

/** A value of a notice as far as it is about this vehicle; `undefined` where it is about others alone. */
function valueFor(name: string, value: string | number, { vehicleClass, vehicleType }: Vehicle) {
  if (typeof value === "number") return value;
  switch (name) {
    case "prices":
    case "hour_prices":
    case "km_prices":
      return priceOf(value, vehicleClass);
    case "limits":
      return pairsIn(value).find(([id]) => id === vehicleClass)?.[1];
    case "classes":
      return value.split(", ").includes(vehicleClass) ? vehicleType : undefined;
    case "season":
      return seasonOf(value, vehicleClass);
    default:
      return value;
  }
}

/** "CHF 18" of "CHF 15 (sedan, estate), CHF 18 (van)". */
function priceOf(prices: string, vehicleClass: string): string | undefined {
  const groups = [...prices.matchAll(/(CHF [\d.]+) \(([^)]*)\)/g)];
  return groups.find(([, , ids = ""]) => ids.split(", ").includes(vehicleClass))?.[1];
}

/** "sedan 2, estate 3". */
function pairsIn(limits: string): readonly (readonly string[])[] {
  return limits.split(", ").map((each) => each.split(" "));
}

/** "Congress week surcharge (sedan, van)" where it is for some classes only. */
function seasonOf(season: string, vehicleClass: string): string | undefined {
  const [, label, ids] = /^(.*) \(([a-z][a-z0-9_]*(?:, [a-z][a-z0-9_]*)*)\)$/.exec(season) ?? [];
  if (ids === undefined) return season;
  return ids.split(", ").includes(vehicleClass) ? label : undefined;
}
