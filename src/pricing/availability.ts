import type { Catalog } from "../catalog/catalog.ts";
import type { BookingWindow, StopSale } from "../catalog/offer-schema.ts";
import { isWithin } from "./calendar.ts";
import type { PricedLeg } from "./priced-leg.ts";
import { isOnRoute, type LegEnds } from "./routes.ts";

/** How long before a pickup a class can be booked. */
export interface Window {
  readonly leadTimeHours: number;
  readonly horizonDays: number;
}

/** Windows of a class replace the tariff's; of several the strictest holds. Pure. */
export function windowOf(
  { tariff, bookingWindows }: Pick<Catalog, "tariff" | "bookingWindows">,
  vehicleClass: string,
  ends: LegEnds,
): Window {
  const own = bookingWindows.filter((window) => isFor(window, vehicleClass) && isOnRoute(window.routes, ends));
  if (own.length === 0) return tariff;
  const leads = own.flatMap(({ leadTimeHours }) => leadTimeHours ?? []);
  const horizons = own.flatMap(({ horizonDays }) => horizonDays ?? []);
  return {
    leadTimeHours: leads.length > 0 ? Math.max(...leads) : tariff.leadTimeHours,
    horizonDays: horizons.length > 0 ? Math.min(...horizons) : tariff.horizonDays,
  };
}

/** Beyond this window a pickup is accepted for no class and on no route. */
export function widestWindow({ tariff, bookingWindows }: Pick<Catalog, "tariff" | "bookingWindows">): Window {
  const leads = bookingWindows.flatMap(({ leadTimeHours }) => leadTimeHours ?? []);
  const horizons = bookingWindows.flatMap(({ horizonDays }) => horizonDays ?? []);
  return {
    leadTimeHours: Math.min(tariff.leadTimeHours, ...leads),
    horizonDays: Math.max(tariff.horizonDays, ...horizons),
  };
}

/** The stop-sales on one of the legs, of any class. Pure. */
export function stopSalesOn(stopSales: readonly StopSale[], legs: readonly PricedLeg[]): readonly StopSale[] {
  return stopSales.filter((stop) =>
    legs.some(({ ends, times }) => isOnRoute(stop.routes, ends) && times.some((time) => isWithin(stop, time))),
  );
}

/** That of a class: of several, one that does not offer it at all. Pure. */
export function stopSaleOf(stopSales: readonly StopSale[], vehicleClass: string): StopSale | undefined {
  const stops = stopSales.filter((stop) => isFor(stop, vehicleClass));
  return stops.find(({ offer }) => offer === "none") ?? stops[0];
}

function isFor({ classes }: Pick<BookingWindow, "classes">, vehicleClass: string): boolean {
  return classes?.includes(vehicleClass) ?? true;
}
