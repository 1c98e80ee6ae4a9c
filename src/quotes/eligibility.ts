import type { Catalog } from "../catalog/catalog.ts";
import type { VehicleClass } from "../catalog/catalog-schema.ts";
import type { BookingWindow, StopSale } from "../catalog/offer-schema.ts";
import type { ServiceRule } from "../catalog/service-rules-schema.ts";
import { PublicError } from "../contract/errors.ts";
import { type Notice, notice, type Part } from "../contract/notices.ts";
import { isWithin } from "../pricing/calendar.ts";
import { isOnRoute, type PricedDirection, type RulePoint } from "../pricing/priced-direction.ts";
import { checkPickup, type PickupRange, pickupRange, rangeTexts } from "./journey-times.ts";

/** A vehicle class of the fleet; `refusal` is the first reason for which it is not offered, `null` if it is. */
export interface Candidate {
  readonly vehicle: VehicleClass;
  readonly refusal: Refusal | null;
}

type Refusal =
  /** Nothing is said about classes that are too small, or only for larger parties. */
  | { readonly code: "NO_SEATS" | "LARGER_PARTIES" }
  | { readonly code: "NO_ROOM_LUGGAGE" | "NO_ROOM_LARGE" | "NO_ROOM_ITEMS" }
  | { readonly code: "CLASS_BOOKABLE"; readonly range: PickupRange }
  | { readonly code: "NOT_SOLD"; readonly reason: string };

/** What a vehicle must have room for. */
export interface Load {
  readonly seats: number;
  /** Pieces in all. */
  readonly luggage: number;
  /** How many pieces of `luggage` are known to be large. */
  readonly largeLuggage: number;
  /** Units of room for special items. */
  readonly places: number;
}

export function offered(candidates: readonly Candidate[]): readonly VehicleClass[] {
  return candidates.flatMap(({ vehicle, refusal }) => (refusal ? [] : [vehicle]));
}

/** Refuses the offered classes for which there is a reason. */
function refused(candidates: readonly Candidate[], reasonFor: (vehicle: VehicleClass) => Refusal | null) {
  return candidates.map((each) => (each.refusal ? each : { ...each, refusal: reasonFor(each.vehicle) }));
}

/** The classes that have room, without those for larger parties unless there are no others. */
export function withRoom(fleet: readonly VehicleClass[], load: Load): readonly Candidate[] {
  const candidates = fleet.map((vehicle) => ({ vehicle, refusal: roomRefusal(vehicle, load) }));
  const isForLarger = ({ smallestParty = 1 }: VehicleClass) => smallestParty > load.seats;
  if (offered(candidates).every(isForLarger)) return candidates;
  return refused(candidates, (vehicle) => (isForLarger(vehicle) ? { code: "LARGER_PARTIES" } : null));
}

function roomRefusal(vehicle: VehicleClass, { seats, luggage, largeLuggage, places }: Load): Refusal | null {
  if (vehicle.passengerCapacity < seats) return { code: "NO_SEATS" };
  if (vehicle.luggageCapacity < luggage) return { code: "NO_ROOM_LUGGAGE" };
  if (vehicle.largeLuggageCapacity < largeLuggage) return { code: "NO_ROOM_LARGE" };
  return vehicle.specialItemPlaces < places ? { code: "NO_ROOM_ITEMS" } : null;
}

interface ClassRange extends PickupRange {
  readonly vehicle: VehicleClass;
}

/** The range of accepted pickups of each offered class for a journey over the points. */
export function rangesOf(
  catalog: Catalog,
  candidates: readonly Candidate[],
  points: readonly RulePoint[],
  now: Date,
): readonly ClassRange[] {
  return offered(candidates).map((vehicle) => ({
    vehicle,
    ...pickupRange(now, windowOf(catalog, vehicle, points), catalog.tariff),
  }));
}

interface Times {
  readonly pickupAt: Date;
  readonly returnAt: Date | null;
  readonly now: Date;
}

/**
 * The classes whose lead time and horizon allow the journey; `latest` is the latest pickup that any of them accepts.
 * Throws PAST_DATETIME or LEAD_TIME_NOT_SUPPORTED if there is none.
 */
export function inTime(
  catalog: Catalog,
  candidates: readonly Candidate[],
  ranges: readonly ClassRange[],
  { pickupAt, returnAt, now }: Times,
): { readonly candidates: readonly Candidate[]; readonly latest: Date } {
  checkPickup(pickupAt, now, ranges, catalog);
  const accepting = ranges.filter(({ earliest, latest }) => pickupAt >= earliest && pickupAt <= latest);
  const withReturn = accepting.filter(({ latest }) => returnAt === null || returnAt <= latest);
  // If the return is too late for every class, `checkReturn` rejects it.
  const kept = withReturn.length > 0 ? withReturn : accepting;
  return {
    latest: new Date(Math.max(...kept.map(({ latest }) => latest.getTime()))),
    candidates: refused(candidates, (vehicle) => {
      const range = ranges.find((each) => each.vehicle === vehicle);
      return range && !kept.includes(range) ? { code: "CLASS_BOOKABLE", range } : null;
    }),
  };
}

/**
 * The classes left after stop-sales; some may be on request only, for the reasons in `onRequestBecause`, and with a
 * service rule for requests all are. Throws NO_ELIGIBLE_VEHICLE if none is left.
 */
export function sold(
  { stopSales, operator }: Catalog,
  candidates: readonly Candidate[],
  directions: readonly PricedDirection[],
  rule: ServiceRule | undefined,
): { readonly candidates: readonly Candidate[]; readonly onRequestBecause: string } {
  const stops = stopSalesOn(stopSales, directions);
  const isOnRequest = rule?.offer === "on_request";
  const stopOf = (vehicle: VehicleClass) => stopSaleOf(stops, vehicle);
  const left = refused(candidates, (vehicle) => {
    const stop = stopOf(vehicle);
    return stop?.offer === "none" ? { code: "NOT_SOLD", reason: stop.reason } : null;
  });
  if (offered(left).length === 0) {
    const { name, phone, email } = operator;
    const why = reasonsOf(offered(candidates).map(stopOf));
    throw new PublicError("NO_ELIGIBLE_VEHICLE", `No vehicle class that fits is sold at that time. ${why}`, {
      nextAction: `Tell the traveler the reason and ask for another date or time, or to contact ${name} (${phone}, ${email}).`,
    });
  }
  return {
    candidates: left.map(({ vehicle, refusal }) =>
      refusal || !(isOnRequest || stopOf(vehicle))
        ? { vehicle, refusal }
        : { vehicle: { ...vehicle, onRequest: true }, refusal },
    ),
    onRequestBecause: reasonsOf([...(isOnRequest ? [rule] : []), ...offered(left).map(stopOf)]),
  };
}

function reasonsOf(rules: readonly ({ readonly reason?: string | undefined } | undefined)[]): string {
  return [...new Set(rules.flatMap((rule) => rule?.reason ?? []))].join(" ");
}

/** Why classes are not offered, those with the same reason together. */
export function refusalNotices(
  candidates: readonly Candidate[],
  { luggage, largeLuggage: large, items }: Pick<Load, "luggage" | "largeLuggage"> & { readonly items: readonly Part[] },
  timeZone: string,
): readonly Notice[] {
  const groups = new Map<string, { readonly refusal: Refusal; readonly ids: string[] }>();
  for (const { vehicle, refusal } of candidates) {
    if (!refusal) continue;
    const own = refusal.code === "CLASS_BOOKABLE" ? vehicle.id : "";
    const key = JSON.stringify([refusal, own]);
    const group = groups.get(key) ?? { refusal, ids: [] };
    group.ids.push(vehicle.id);
    groups.set(key, group);
  }
  const ordered = [...groups.values()].sort((a, b) => ORDER.indexOf(a.refusal.code) - ORDER.indexOf(b.refusal.code));
  return ordered.flatMap(({ refusal, ids }) => {
    const classes = [{ classes: ids }];
    switch (refusal.code) {
      case "NO_ROOM_LUGGAGE":
        return [notice(refusal.code, { classes, luggage })];
      case "NO_ROOM_LARGE":
        return [notice(refusal.code, { classes, large })];
      case "NO_ROOM_ITEMS":
        return [notice(refusal.code, { classes, items })];
      case "CLASS_BOOKABLE":
        return [notice(refusal.code, { vehicle: classes, ...rangeTexts(refusal.range, timeZone) })];
      case "NOT_SOLD":
        return [notice(refusal.code, { classes, reason: refusal.reason })];
      default:
        return [];
    }
  });
}

/** The largest class that can be paid at once, where only those on request have room. */
export function severalVehiclesNotices(candidates: readonly Candidate[]): readonly Notice[] {
  if (offered(candidates).some(({ onRequest }) => !onRequest)) return [];
  const payable = candidates.flatMap(({ vehicle, refusal }) =>
    !vehicle.onRequest && refusal && TOO_SMALL.includes(refusal.code) ? [vehicle] : [],
  );
  const [largest] = payable.sort((a, b) => b.passengerCapacity - a.passengerCapacity);
  if (!largest) return [];
  const { id, passengerCapacity: seats, luggageCapacity: luggage } = largest;
  return [notice("SEVERAL_VEHICLES", { vehicle: [{ classes: [id] }], seats, luggage })];
}

const TOO_SMALL: readonly Refusal["code"][] = ["NO_SEATS", "NO_ROOM_LUGGAGE", "NO_ROOM_LARGE", "NO_ROOM_ITEMS"];

const ORDER: readonly Refusal["code"][] = [
  ...(["NO_SEATS", "LARGER_PARTIES", "NO_ROOM_LUGGAGE", "NO_ROOM_LARGE", "NO_ROOM_ITEMS"] as const),
  ...(["CLASS_BOOKABLE", "NOT_SOLD"] as const),
];

/** Whether a notice is about vehicle classes other than the one that a traveler has chosen. */
export function isAboutOtherClasses({ code }: Notice): boolean {
  return code === "ON_REQUEST" || code === "SEVERAL_VEHICLES" || ORDER.some((each) => each === code);
}

/** A class can be booked at least `leadTimeHours` and at most `horizonDays` before the pickup. */
export interface Window {
  readonly leadTimeHours: number;
  readonly horizonDays: number;
}

/** The strictest of the booking windows for a class over the points; without any, the tariff's. Pure. */
function windowOf(
  { tariff, bookingWindows }: Pick<Catalog, "tariff" | "bookingWindows">,
  vehicle: VehicleClass,
  points: readonly RulePoint[],
): Window {
  const own = bookingWindows.filter((window) => isFor(window, vehicle) && isOnRoute(window.routes, points));
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
function stopSaleOf(stopSales: readonly StopSale[], vehicle: VehicleClass): StopSale | undefined {
  const stops = stopSales.filter((stop) => isFor(stop, vehicle));
  return stops.find(({ offer }) => offer === "none") ?? stops[0];
}

/** A rule of a class is also one of several vehicles of it. */
function isFor({ classes }: Pick<BookingWindow, "classes">, { id, several }: VehicleClass): boolean {
  return classes?.some((each) => each === id || each === several?.class) ?? true;
}
