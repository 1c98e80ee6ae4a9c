import type { Catalog } from "../catalog/catalog.ts";
import { colored, columns, csvLine, jsonText, wrapped } from "./columns.ts";
import type { CorridorPrice, CorridorPrices } from "./corridor-prices.ts";

/** Prices of one catalog at a pickup. */
interface CatalogPrices {
  readonly catalog: Pick<Catalog, "tariff">;
  readonly pickup: string;
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
  readonly title: readonly string[];
  readonly changes: readonly PriceChange[];
  readonly before: CatalogPrices;
  readonly after: CatalogPrices;
}

/** What two catalogs charge for every corridor and class of either; only what differs unless `all`. */
export function priceChanges(before: CatalogPrices, after: CatalogPrices, all = false): readonly PriceChange[] {
  const keys = new Set([...after.rows, ...before.rows].map(({ key }) => key));
  const classes = new Set([...after.classes, ...before.classes]);
  const priceIn = ({ rows }: CatalogPrices, key: string, vehicleClass: string) =>
    rows.find((row) => row.key === key)?.prices.get(vehicleClass);
  return [...keys].flatMap((key) =>
    [...classes].flatMap((vehicleClass) => {
      const [old, current] = [priceIn(before, key, vehicleClass), priceIn(after, key, vehicleClass)];
      const isSame = old?.total === current?.total && old?.onRequest === current?.onRequest;
      return isSame && !all ? [] : [{ key, vehicleClass, before: old, after: current }];
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

export function changesCsv({ changes, before, after }: PriceChanges): string {
  const head = [
    ...["route_key", "vehicle_class", "before", "after", "change", "before_on_request", "after_on_request"],
    ...["currency", "pickup_datetime", "before_tariff_version", "tariff_version"],
  ];
  const { currency, version } = after.catalog.tariff;
  const rows = changes.map((each) => [
    ...[each.key, each.vehicleClass],
    ...[each.before?.total.toFixed(2) ?? null, each.after?.total.toFixed(2) ?? null, differenceOf(each) || null],
    ...[each.before, each.after].map((price) => (price ? String(price.onRequest) : null)),
    ...[currency, after.pickup, before.catalog.tariff.version, version],
  ]);
  return [head, ...rows].map((row) => csvLine(row)).join("");
}

export function changesJson({ changes, before, after }: PriceChanges): string {
  const { currency, version } = after.catalog.tariff;
  const wirePrice = (price: CorridorPrice | undefined) =>
    price ? { total_price: price.total, on_request: price.onRequest } : null;
  const prices = changes.map((each) => ({
    route_key: each.key,
    vehicle_class: each.vehicleClass,
    before: wirePrice(each.before),
    after: wirePrice(each.after),
  }));
  const versions = { before_tariff_version: before.catalog.tariff.version, tariff_version: version };
  return `${jsonText({ pickup_datetime: after.pickup, currency, ...versions, prices })}\n`;
}

/** `+20.00`; empty where one of the prices is absent. */
function differenceOf({ before, after }: PriceChange): string {
  if (!before || !after) return "";
  const difference = after.total - before.total;
  return `${difference > 0 ? "+" : ""}${difference.toFixed(2)}`;
}
