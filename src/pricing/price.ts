import type { VehicleClass } from "../catalog/catalog-schema.ts";
import type { Rate, Tariff } from "../catalog/tariff-schema.ts";
import type { PickupTime } from "./calendar.ts";

/** One line of a price, in whole Rappen; a discount is negative. */
export interface PriceLine {
  readonly label: string;
  readonly rappen: number;
}

/** What one vehicle class costs. The lines add up to the total exactly; what was rounded away is one of them. */
export interface Price {
  readonly lines: readonly PriceLine[];
  readonly totalRappen: number;
}

/** The outbound or the return journey, as measured. */
export interface PricedLeg {
  readonly pickup: PickupTime;
  /** Priced to the hectometer. */
  readonly distanceKm: number;
  /** Driving time without dwell. */
  readonly drivingMinutes: number;
  /** Tolls and car trains on the route, charged as they are. */
  readonly fees: readonly PriceLine[];
  /** Waiting at the pickup and dwell at each place where the car stops, each with its own free part. */
  readonly waits: readonly { readonly minutes: number; readonly atAirport: boolean }[];
}

export interface PricingRequest {
  readonly outbound: PricedLeg;
  readonly return: PricedLeg | null;
  /** Hours of hire, or `null` for a point-to-point transfer. */
  readonly hireHours: number | null;
  /** Of the whole journey, charged as they are: neither surcharged nor discounted. */
  readonly extras: readonly PriceLine[];
}

/** What a vehicle has to take. */
export interface Load {
  readonly seats: number;
  /** Pieces in all. */
  readonly luggage: number;
  /** Of `luggage`, those known to be large. */
  readonly largeLuggage: number;
  /** Room for special items. */
  readonly places: number;
}

/** Every vehicle class that takes the load, in the order of the catalog. */
export function eligibleClasses(classes: readonly VehicleClass[], load: Load): readonly VehicleClass[] {
  return classes.filter(
    (vehicle) =>
      vehicle.passengerCapacity >= load.seats &&
      vehicle.luggageCapacity >= load.luggage &&
      vehicle.largeLuggageCapacity >= load.largeLuggage &&
      vehicle.specialItemPlaces >= load.places,
  );
}

/** The price of one vehicle class. Pure; rounded once. */
export function priceOf(tariff: Tariff, rate: Rate, request: PricingRequest): Price {
  const exact = [...journeyLines(tariff, rate, request), ...request.extras].filter(isCharged);
  const rappen = sum(exact);
  const totalRappen = Math.round(rappen / tariff.roundingRappen) * tariff.roundingRappen;
  return { lines: [...exact, { label: "Rounding", rappen: totalRappen - rappen }].filter(isCharged), totalRappen };
}

/** The lines of one direction: what surcharges and discounts are taken of, and what is charged as it is. */
interface LegLines {
  readonly fare: readonly PriceLine[];
  readonly other: readonly PriceLine[];
}

function journeyLines(tariff: Tariff, rate: Rate, { outbound, ...request }: PricingRequest): readonly PriceLine[] {
  if (request.hireHours !== null) return linesOf(hireLines(tariff, rate, outbound, request.hireHours));
  const out = transferLines(tariff, rate, outbound);
  if (!request.return) return linesOf(out);
  const back = transferLines(tariff, rate, request.return);
  const isSameDay = outbound.pickup.day === request.return.pickup.day;
  return [
    ...linesOf(out, "Outbound: "),
    ...linesOf(back, "Return: "),
    ...(isSameDay ? [sameDayDiscount(tariff, sum(out.fare), sum(back.fare))] : []),
  ];
}

function linesOf({ fare, other }: LegLines, prefix = ""): readonly PriceLine[] {
  return [...fare, ...other].map(({ label, rappen }) => ({ label: `${prefix}${label}`, rappen }));
}

function transferLines(tariff: Tariff, rate: Rate, leg: PricedLeg): LegLines {
  const byDistance = rate.baseRappen + kilometers(rate, leg.distanceKm);
  const label = `Transfer ${Math.round(leg.distanceKm)} km`;
  const isMinimum = byDistance < rate.minimumRappen;
  const fare = isMinimum
    ? { label: `${label}, minimum fare`, rappen: rate.minimumRappen }
    : { label, rappen: byDistance };
  return { fare: surcharged(tariff, leg, [fare]), other: [waitingLine(tariff, rate, leg.waits), ...leg.fees] };
}

function hireLines(tariff: Tariff, rate: Rate, leg: PricedLeg, hours: number): LegLines {
  const billed = billedHours(leg, hours);
  const extraKm = Math.max(0, leg.distanceKm - billed * tariff.hourly.includedKmPerHour);
  const fare = [
    { label: `Hire ${billed} h`, rappen: rate.firstHourRappen + (billed - 1) * rate.furtherHourRappen },
    { label: `Extra ${roundedKm(extraKm)} km`, rappen: kilometers(rate, extraKm) },
  ];
  return { fare: surcharged(tariff, leg, fare), other: leg.fees };
}

/** Started hours of hire, never fewer than the journey itself takes with its stops. */
export function billedHours(leg: PricedLeg, hours: number): number {
  const dwell = leg.waits.reduce((minutes, wait) => minutes + wait.minutes, 0);
  return Math.max(1, Math.ceil(hours), Math.ceil((leg.drivingMinutes + dwell) / 60));
}

/** Never more than the fare of the return: otherwise a return of a few km would make a long journey cheaper. */
function sameDayDiscount(tariff: Tariff, outRappen: number, backRappen: number): PriceLine {
  const percent = tariff.sameDayReturnDiscountPercent;
  const { label, rappen } = percentOf(outRappen + backRappen, -percent, "Same-day return discount");
  return { label, rappen: Math.max(rappen, -backRappen) };
}

/** Percentages are of the fare and not of each other. */
function surcharged(tariff: Tariff, { pickup }: PricedLeg, fare: readonly PriceLine[]): readonly PriceLine[] {
  const rappen = sum(fare);
  return [
    ...fare,
    ...(pickup.night ? [percentOf(rappen, tariff.night.percent, "Night surcharge")] : []),
    ...(pickup.holiday ? [percentOf(rappen, tariff.holidays.percent, "Holiday surcharge")] : []),
  ];
}

/** The label names the minutes that are charged: whole steps, without the free part. */
function waitingLine(tariff: Tariff, rate: Rate, waits: PricedLeg["waits"]): PriceLine {
  const { freeMinutes, freeMinutesAtAirports, stepMinutes } = tariff.waiting;
  const steps = waits.reduce((total, { minutes, atAirport }) => {
    const charged = Math.max(0, minutes - (atAirport ? freeMinutesAtAirports : freeMinutes));
    return total + Math.ceil(charged / stepMinutes);
  }, 0);
  return { label: `Waiting ${steps * stepMinutes} min`, rappen: steps * rate.waitingStepRappen };
}

/** Kilometers are charged by the hectometer, in integers throughout. */
function kilometers(rate: Rate, km: number): number {
  return Math.round((Math.round(km * 10) * rate.perKmRappen) / 10);
}

function roundedKm(km: number): number {
  return Math.round(km * 10) / 10;
}

function percentOf(rappen: number, percent: number, label: string): PriceLine {
  return { label, rappen: Math.round((rappen * percent) / 100) };
}

function isCharged({ rappen }: PriceLine): boolean {
  return rappen !== 0;
}

function sum(lines: readonly PriceLine[]): number {
  return lines.reduce((total, { rappen }) => total + rappen, 0);
}
