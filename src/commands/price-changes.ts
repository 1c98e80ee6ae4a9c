import { colored, columns, csvLine, jsonText, wrapped } from "./columns.ts";
import type { CorridorPrice, CorridorPrices } from "./corridor-prices.ts";

/** Prices of one catalog at a pickup. */
interface CatalogPrices {
  /** Ids of the vehicle classes. */
  readonly classes: readonly string[];
  readonly rows: readonly CorridorPrices[];
}

/** The price of a class on a corridor in two catalogs; absent where one does not offer it. */
interface PriceChange {
  readonly key: string;
  readonly vehicleClass: string;
  readonly before: CorridorPrice | undefined;
  readonly after: CorridorPrice | undefined;
}

interface PriceChanges {
  readonly changes: readonly PriceChange[];
  readonly title: readonly string[];
  readonly currency: string;
  readonly pickup: string;
  /** Versions of the two tariffs. */
  readonly versions: readonly [before: string, after: string];
}

/** What two catalogs charge for every corridor and class of either; only what differs unless `all`. */
export function priceChanges(before: CatalogPrices, after: CatalogPrices, all = false): readonly PriceChange[] {
  const keys = new Set([...after.rows, ...before.rows].map(({ key }) => key));
  const classes = new Set([...after.classes, ...before.classes]);
  const pricesOf = ({ rows }: CatalogPrices) => new Map(rows.map(({ key, prices }) => [key, prices]));
  const [old, current] = [pricesOf(before), pricesOf(after)];
  return [...keys].flatMap((key) =>
    [...classes].flatMap((vehicleClass) => {
      const change = {
        key,
        vehicleClass,
        before: old.get(key)?.get(vehicleClass),
        after: current.get(key)?.get(vehicleClass),
      };
      const isSame =
        change.before?.total === change.after?.total && change.before?.onRequest === change.after?.onRequest;
      return isSame && !all ? [] : [change];
    }),
  );
}

/** The corridors one below the other, each with its classes: old price, new price and their difference. */
export function changesTable({ changes, title }: PriceChanges): string {
  const head = title.map((line) => wrapped(line)).join("");
  if (changes.length === 0) return `${head}\nNo price differs.\n`;
  const price = (of: CorridorPrice | undefined) => (of ? `${of.total.toFixed(2)}${of.onRequest ? "*" : " "}` : "- ");
  const lines = columns(
    changes.map((each) => [`  ${each.vehicleClass}`, price(each.before), "→", price(each.after), differenceOf(each)]),
  );
  const blocks = changes.map(({ key }, n) => {
    const isFirst = changes[n - 1]?.key !== key;
    return `${isFirst ? `\n${colored("bold", key)}\n` : ""}${lines[n]}`;
  });
  const isOnRequest = changes.some(({ before, after }) => before?.onRequest || after?.onRequest);
  return `${head}${blocks.join("")}${isOnRequest ? "\n* needs the operator's confirmation\n" : ""}`;
}

export function changesCsv({ changes, currency, pickup, versions }: PriceChanges): string {
  const head = [
    ...["route_key", "vehicle_class", "before", "after", "change", "before_on_request", "after_on_request"],
    ...["currency", "pickup_datetime", "before_tariff_version", "tariff_version"],
  ];
  const rows = changes.map((each) => [
    ...[each.key, each.vehicleClass],
    ...[each.before?.total.toFixed(2) ?? null, each.after?.total.toFixed(2) ?? null, differenceOf(each) || null],
    ...[each.before, each.after].map((price) => (price ? String(price.onRequest) : null)),
    ...[currency, pickup, ...versions],
  ]);
  return [head, ...rows].map((row) => csvLine(row)).join("");
}

export function changesJson({ changes, currency, pickup, versions: [before, after] }: PriceChanges): string {
  const wirePrice = (price: CorridorPrice | undefined) =>
    price ? { total_price: price.total, on_request: price.onRequest } : null;
  const prices = changes.map((each) => ({
    route_key: each.key,
    vehicle_class: each.vehicleClass,
    before: wirePrice(each.before),
    after: wirePrice(each.after),
  }));
  const versions = { before_tariff_version: before, tariff_version: after };
  return `${jsonText({ pickup_datetime: pickup, currency, ...versions, prices })}\n`;
}

/** `+20.00`; empty where one of the prices is absent. */
function differenceOf({ before, after }: PriceChange): string {
  if (!before || !after) return "";
  const difference = after.total - before.total;
  return `${difference > 0 ? "+" : ""}${difference.toFixed(2)}`;
}
