import type { Catalog } from "../catalog/catalog.ts";
import type { VehicleClass } from "../catalog/catalog-schema.ts";
import type { BookingWindow, StopSale } from "../catalog/offer-schema.ts";
import type { ServiceRule } from "../catalog/service-rules-schema.ts";
import { PublicError } from "../contract/errors.ts";
import { type Notice, notice } from "../contract/notices.ts";
import { isWithin } from "../pricing/calendar.ts";
import { isOnRoute, type PricedDirection, type RulePoint } from "../pricing/priced-direction.ts";
import { checkPickup, type PickupRange, pickupRange, rangeTexts } from "./journey-times.ts";

/** Vehicle classes that are sold, and notices about those that are not. */
interface Sold {
  readonly classes: readonly VehicleClass[];
  readonly notes: readonly Notice[];
  /** Sentences that give the reason for which a stop-sale offers some classes on request only; empty if none does. */
  readonly onRequestBecause?: string;
}

interface Times {
  readonly pickupAt: Date;
  readonly returnAt: Date | null;
  readonly now: Date;
}

interface ClassRange extends PickupRange {
  readonly vehicle: VehicleClass;
}

/** The range of accepted pickups of each class for a journey over the points. */
export function rangesOf(
  catalog: Catalog,
  classes: readonly VehicleClass[],
  points: readonly RulePoint[],
  now: Date,
): readonly ClassRange[] {
  return classes.map((vehicle) => ({ vehicle, ...pickupRange(now, windowOf(catalog, vehicle.id, points)) }));
}

/**
 * The classes whose lead time and horizon allow the journey; `latest` is the latest pickup that any of them accepts.
 * Throws PAST_DATETIME or LEAD_TIME_NOT_SUPPORTED if there is none.
 */
export function bookableClasses(
  catalog: Catalog,
  ranges: readonly ClassRange[],
  { pickupAt, returnAt, now }: Times,
): Sold & { readonly latest: Date } {
  const { timeZone } = catalog.tariff;
  checkPickup(pickupAt, now, ranges, catalog);
  const inTime = ranges.filter(({ earliest, latest }) => pickupAt >= earliest && pickupAt <= latest);
  const withReturn = inTime.filter(({ latest }) => returnAt === null || returnAt <= latest);
  // If the return is too late for every class, `checkReturn` rejects it.
  const kept = withReturn.length > 0 ? withReturn : inTime;
  return {
    classes: kept.map(({ vehicle }) => vehicle),
    latest: new Date(Math.max(...kept.map(({ latest }) => latest.getTime()))),
    notes: ranges
      .filter((range) => !kept.includes(range))
      .map((range) =>
        notice("CLASS_BOOKABLE", { vehicle: [{ classes: [range.vehicle.id] }], ...rangeTexts(range, timeZone) }),
      ),
  };
}

/**
 * The classes left after stop-sales; some may be on request only, and with a service rule for requests all are. Throws
 * NO_ELIGIBLE_VEHICLE if none is left.
 */
export function soldClasses(
  { stopSales, operator }: Catalog,
  classes: readonly VehicleClass[],
  directions: readonly PricedDirection[],
  rule: ServiceRule | undefined,
): Sold {
  const stops = stopSalesOn(stopSales, directions);
  const isOnRequest = rule?.offer === "on_request";
  if (stops.length === 0 && !isOnRequest) return { classes, notes: [] };
  const judged = classes.map((vehicle) => ({ vehicle, stop: stopSaleOf(stops, vehicle.id) }));
  const sold = judged.filter(({ stop }) => stop?.offer !== "none");
  if (sold.length === 0) {
    const why = [...new Set(judged.flatMap(({ stop }) => stop?.reason ?? []))].join(" ");
    const { name, phone, email } = operator;
    throw new PublicError("NO_ELIGIBLE_VEHICLE", `No vehicle class that fits is sold at that time. ${why}`, {
      nextAction: `Tell the traveler the reason and ask for another date or time, or to contact ${name} (${phone}, ${email}).`,
    });
  }
  return {
    classes: sold.map(({ vehicle, stop }) => (stop || isOnRequest ? { ...vehicle, onRequest: true } : vehicle)),
    notes: [...new Set(judged.flatMap(({ stop }) => (stop?.offer === "none" ? stop : [])))].map((stop) => {
      const stopped = judged.filter((each) => each.stop === stop).map(({ vehicle }) => vehicle.id);
      return notice("NOT_SOLD", { classes: [{ classes: stopped }], reason: stop.reason });
    }),
    onRequestBecause: [
      ...new Set([...(isOnRequest ? [rule.reason ?? ""] : []), ...sold.flatMap(({ stop }) => stop?.reason ?? [])]),
    ].join(" "),
  };
}

/** A class can be booked at least `leadTimeHours` and at most `horizonDays` before the pickup. */
export interface Window {
  readonly leadTimeHours: number;
  readonly horizonDays: number;
}

/** The strictest of the booking windows for a class over the points; without any, the tariff's. Pure. */
function windowOf(
  { tariff, bookingWindows }: Pick<Catalog, "tariff" | "bookingWindows">,
  vehicleClass: string,
  points: readonly RulePoint[],
): Window {
  const own = bookingWindows.filter((window) => isFor(window, vehicleClass) && isOnRoute(window.routes, points));
  if (own.length === 0) return tariff;
  const leads = own.flatMap(({ leadTimeHours }) => leadTimeHours ?? []);
  const horizons = own.flatMap(({ horizonDays }) => horizonDays ?? []);
  return {
    leadTimeHours: leads.length > 0 ? Math.max(...leads) : tariff.leadTimeHours,
    horizonDays: horizons.length > 0 ? Math.min(...horizons) : tariff.horizonDays,
  };
}

/** The window outside of which no class accepts a pickup, whatever the route. */
export function widestWindow({ tariff, bookingWindows }: Pick<Catalog, "tariff" | "bookingWindows">): Window {
  const leads = bookingWindows.flatMap(({ leadTimeHours }) => leadTimeHours ?? []);
  const horizons = bookingWindows.flatMap(({ horizonDays }) => horizonDays ?? []);
  return {
    leadTimeHours: Math.min(tariff.leadTimeHours, ...leads),
    horizonDays: Math.max(tariff.horizonDays, ...horizons),
  };
}

/** The stop-sales, for whichever class, that apply to at least one of the directions. Pure. */
function stopSalesOn(stopSales: readonly StopSale[], directions: readonly PricedDirection[]): readonly StopSale[] {
  return stopSales.filter((stop) =>
    directions.some(
      ({ points, times }) => isOnRoute(stop.routes, points) && times.some((time) => isWithin(stop, time)),
    ),
  );
}

/** The stop-sale of a vehicle class, preferably one that removes it entirely. Pure. */
function stopSaleOf(stopSales: readonly StopSale[], vehicleClass: string): StopSale | undefined {
  const stops = stopSales.filter((stop) => isFor(stop, vehicleClass));
  return stops.find(({ offer }) => offer === "none") ?? stops[0];
}

function isFor({ classes }: Pick<BookingWindow, "classes">, vehicleClass: string): boolean {
  return classes?.includes(vehicleClass) ?? true;
}
