import { PublicError } from "../../contract/errors.ts";
import { classNames } from "../../contract/notice-formats.ts";
import { grouped, type Notice, notice, type Part, withValues } from "../../contract/notices.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { VehicleClass } from "../catalog/catalog-schema.ts";
import type { BookingWindow } from "../catalog/offer-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { isWithin } from "../pricing/calendar.ts";
import { isOnRoute, type PricedDirection, type RulePoint } from "../pricing/priced-direction.ts";
import type { Freedom } from "./availability.ts";
import { checkPickup, type PickupRange, pickupRange, rangeTexts, widestRange } from "./journey-times.ts";

/** A vehicle class of the fleet; `refusal` is the first reason for which it is not offered, absent if it is. */
export interface Candidate {
  readonly vehicle: VehicleClass;
  readonly refusal: Notice | undefined;
}

/** What a vehicle must have room for. */
export interface Load {
  readonly seats: number;
  /** Pieces in all. */
  readonly luggage: number;
  /** How many pieces of `luggage` are known to be large. */
  readonly largeLuggage: number;
  /** Room that special items take. */
  readonly specialItemPlaces: number;
  /** The special items that take it, such as 2 golf bags. */
  readonly items: readonly Part[];
}

export function offered(candidates: readonly Candidate[]): readonly VehicleClass[] {
  return candidates.flatMap(({ vehicle, refusal }) => (refusal ? [] : [vehicle]));
}

/** Refuses the offered classes for which there is a reason. */
function refused(candidates: readonly Candidate[], reasonFor: (vehicle: VehicleClass) => Candidate["refusal"]) {
  return candidates.map((each) => (each.refusal ? each : { ...each, refusal: reasonFor(each.vehicle) }));
}

/** The classes that have room, without those for larger parties unless there are no others. */
export function withRoom(fleet: readonly VehicleClass[], load: Load): readonly Candidate[] {
  const candidates = fleet.map((vehicle) => ({ vehicle, refusal: roomRefusal(vehicle, load) }));
  const isForLarger = ({ smallestParty = 1 }: VehicleClass) => smallestParty > load.seats;
  if (offered(candidates).every(isForLarger)) return candidates;
  return refused(candidates, (vehicle) =>
    isForLarger(vehicle) ? notice("NOT_OFFERED", { classes: classesOf(vehicle), larger: 1 }) : undefined,
  );
}

function roomRefusal(vehicle: VehicleClass, load: Load): Candidate["refusal"] {
  const { seats, luggage, largeLuggage: large, items } = load;
  const classes = classesOf(vehicle);
  if (vehicle.passengerCapacity < seats) return notice("NOT_OFFERED", { classes, seats: 1 });
  if (vehicle.luggageCapacity < luggage) return notice("NOT_OFFERED", { classes, luggage });
  if (vehicle.largeLuggageCapacity < large) return notice("NOT_OFFERED", { classes, large });
  return vehicle.specialItemPlaces < load.specialItemPlaces ? notice("NOT_OFFERED", { classes, items }) : undefined;
}

/** The classes that can be hired for the hours that are charged. Throws NO_ELIGIBLE_VEHICLE if none can. */
export function forHours(candidates: readonly Candidate[], { rates }: Tariff, hours: number): readonly Candidate[] {
  const leastOf = ({ id }: VehicleClass) => rates[id]?.minimumHours ?? 1;
  const left = refused(candidates, (vehicle) => {
    const least_hours = leastOf(vehicle);
    return hours < least_hours ? notice("NOT_OFFERED", { classes: classesOf(vehicle), least_hours }) : undefined;
  });
  if (offered(left).length > 0) return left;
  const least = Math.min(...offered(candidates).map(leastOf));
  throw new PublicError(
    "NO_ELIGIBLE_VEHICLE",
    `No vehicle class that fits is hired for ${hours} h; the shortest hire is ${least} h.`,
    { nextAction: `Ask the traveler whether ${least} h will do, and resend with a duration_hours of ${least}.` },
  );
}

function classesOf(...vehicles: readonly VehicleClass[]): readonly Part[] {
  return [{ classes: vehicles.map(({ id }) => id) }];
}

type ClassRange = PickupRange & Pick<Candidate, "vehicle">;

/** The range of accepted pickups of each offered class for a journey over the points: of its booking windows the strictest. */
export function rangesOf(
  { tariff, bookingWindows, vehicleClasses }: Catalog,
  candidates: readonly Candidate[],
  points: readonly RulePoint[],
  now: Date,
): readonly ClassRange[] {
  return offered(candidates).map((vehicle) => {
    const own = bookingWindows.filter((window) => isFor(window, vehicle) && isOnRoute(window.routes, points));
    const leads = own.flatMap(({ leadTimeHours }) => leadTimeHours ?? []);
    const horizons = own.flatMap(({ horizonDays }) => horizonDays ?? []);
    const window = {
      leadTimeHours: leads.length > 0 ? Math.max(...leads) : tariff.leadTimeHours,
      horizonDays: horizons.length > 0 ? Math.min(...horizons) : tariff.horizonDays,
    };
    const ofClass = own.some(({ classes }) => classes) ? classNames(vehicleClasses)(vehicle.id) : undefined;
    return { vehicle, ofClass, ...pickupRange(now, window, tariff) };
  });
}

/** The range outside of which no class accepts a pickup, whatever the route. */
export function rangeOfAll(
  { tariff, bookingWindows }: Pick<Catalog, "tariff" | "bookingWindows">,
  now: Date,
): PickupRange {
  const leads = bookingWindows.flatMap(({ leadTimeHours }) => leadTimeHours ?? []);
  const horizons = bookingWindows.flatMap(({ horizonDays }) => horizonDays ?? []);
  const leadTimeHours = Math.min(tariff.leadTimeHours, ...leads);
  return pickupRange(now, { leadTimeHours, horizonDays: Math.max(tariff.horizonDays, ...horizons) }, tariff);
}

/**
 * The classes whose lead time and horizon allow the journey; `latest` is the latest pickup that any of them accepts.
 * Throws PAST_DATETIME or LEAD_TIME_NOT_SUPPORTED if there is none.
 */
export function inTime(
  catalog: Catalog,
  candidates: readonly Candidate[],
  ranges: readonly ClassRange[],
  { pickupAt, returnAt, now }: { readonly pickupAt: Date; readonly returnAt: Date | null; readonly now: Date },
): { readonly candidates: readonly Candidate[]; readonly latest: Date } {
  checkPickup(pickupAt, now, ranges, catalog);
  const accepting = ranges.filter(({ earliest, latest }) => pickupAt >= earliest && pickupAt <= latest);
  const withReturn = accepting.filter(({ latest }) => returnAt === null || returnAt <= latest);
  // If the return is too late for every class, `checkReturn` rejects it.
  const kept = withReturn.length > 0 ? withReturn : accepting;
  return {
    latest: widestRange(kept).latest,
    candidates: refused(candidates, (vehicle) => {
      const range = ranges.find((each) => each.vehicle === vehicle);
      if (!range || kept.includes(range)) return undefined;
      const times = rangeTexts(range, catalog.tariff.timeZone);
      return notice("NOT_OFFERED", { classes: classesOf(vehicle), ...times });
    }),
  };
}

/**
 * The classes left after stop-sales and the calendar of taken vehicles, and notices about all that are not offered. Some
 * may be on request only, for the reasons in `onRequestBecause` or by their freedom; with `allOnRequest`, the reason of a
 * service rule, all are. Throws NO_ELIGIBLE_VEHICLE if none is left.
 */
export function sold(
  { stopSales, tariff, operator: { name, phone, email } }: Catalog,
  candidates: readonly Candidate[],
  directions: readonly PricedDirection[],
  allOnRequest: string | undefined,
  freedomOf: (vehicle: VehicleClass) => Freedom,
) {
  const applying = stopSales.filter((stop) =>
    directions.some(
      ({ points, times }) => isOnRoute(stop.routes, points) && times.some((time) => isWithin(stop, time)),
    ),
  );
  /** Preferably one that removes the class entirely. */
  const stopOf = (vehicle: VehicleClass) => {
    const stops = applying.filter((stop) => isFor(stop, vehicle));
    return stops.find(({ offer }) => offer === "none") ?? stops[0];
  };
  const isLeftOut = (vehicle: VehicleClass) => tariff.takenClasses === "left_out" && freedomOf(vehicle) === "taken";
  const left = refused(candidates, (vehicle) => {
    const stop = stopOf(vehicle);
    const classes = classesOf(vehicle);
    if (stop?.offer === "none") return notice("NOT_OFFERED", { classes, reason: stop.reason });
    return isLeftOut(vehicle) ? notice("NOT_OFFERED", { classes, taken: 1 }) : undefined;
  });
  const vehicles = offered(left);
  if (vehicles.length === 0) {
    const fitting = offered(candidates);
    const taken = fitting.some(isLeftOut) ? [{ reason: "All vehicles are taken." }] : [];
    const why = reasonsOf([...fitting.map(stopOf), ...taken]);
    throw new PublicError("NO_ELIGIBLE_VEHICLE", `No vehicle class that fits is sold at that time. ${why}`, {
      nextAction: `Tell the traveler the reason and ask for another date or time, or to contact ${name} (${phone}, ${email}).`,
    });
  }
  return {
    candidates: left,
    vehicles: vehicles.map((vehicle) =>
      allOnRequest || stopOf(vehicle) || freedomOf(vehicle) !== "free" ? { ...vehicle, onRequest: true } : vehicle,
    ),
    onRequestBecause: reasonsOf([{ reason: allOnRequest }, ...vehicles.map(stopOf)]),
    notices: [
      ...refusalNotices(left),
      ...onRequestNotice(
        vehicles.filter((vehicle) => freedomOf(vehicle) === "taken"),
        { taken: 1 },
      ),
      ...onRequestNotice(vehicles.filter((vehicle) => freedomOf(vehicle) === "unknown")),
    ],
  };
}

function onRequestNotice(vehicles: readonly VehicleClass[], because: { readonly taken?: 1 } = {}): readonly Notice[] {
  return vehicles.length > 0 ? [notice("VEHICLES_ON_REQUEST", { classes: classesOf(...vehicles), ...because })] : [];
}

function reasonsOf(rules: readonly ({ readonly reason?: string | undefined } | undefined)[]): string {
  return [...new Set(rules.flatMap((rule) => rule?.reason ?? []))].join(" ");
}

/** Why classes are not offered, those with the same reason together; nothing where that is the size of the party alone. */
function refusalNotices(candidates: readonly Candidate[]): readonly Notice[] {
  const said = candidates.flatMap(({ vehicle, refusal }) => (refusal ? [{ vehicle, refusal }] : []));
  if (said.every(({ refusal: { values } }) => values.seats ?? values.larger)) return [];
  return grouped(said, ({ refusal: { values } }) => ({ ...values, classes: [] })).map((group) => {
    const [{ refusal }, ...others] = group;
    if (others.length === 0) return refusal;
    return withValues(refusal, { classes: classesOf(...group.map(({ vehicle }) => vehicle)) });
  });
}

/** Whether a notice is about vehicle classes other than the one that a traveler has chosen. */
export function isAboutOtherClasses({ code }: Notice): boolean {
  return code === "ON_REQUEST" || code === "VEHICLES_ON_REQUEST" || code === "NOT_OFFERED";
}

export function isFor({ classes }: Pick<BookingWindow, "classes">, { id }: VehicleClass): boolean {
  return classes?.includes(id) ?? true;
}
