import type { VehicleClass } from "../catalog/catalog-schema.ts";
import type { Rate, Tariff } from "../catalog/tariff-schema.ts";
import type { PickupTime } from "./calendar.ts";

/** The outbound or the return journey, as measured. */
export interface PricedLeg {
  readonly pickup: PickupTime;
  /** Priced to the hectometer. */
  readonly distanceKm: number;
  /** Driving time without dwell. */
  readonly drivingMinutes: number;
  /** Tolls and car trains on the route. */
  readonly feesRappen: number;
  /** Waiting at the pickup and dwell at each place where the car stops, each with its own free part. */
  readonly waits: readonly { readonly minutes: number; readonly atAirport: boolean }[];
}

export interface PricingRequest {
  readonly outbound: PricedLeg;
  readonly return: PricedLeg | null;
  /** Hours of hire, or `null` for a point-to-point transfer. */
  readonly hireHours: number | null;
}

/** One line of a price, in whole Rappen; a discount is negative. */
export interface PriceLine {
  readonly label: string;
  readonly rappen: number;
}

/** Every vehicle class that seats `seats` people and takes `luggage` units, in the order of the catalog. */
export function eligibleClasses(
  classes: readonly VehicleClass[],
  party: { readonly seats: number; readonly luggage: number },
): readonly VehicleClass[] {
  return classes.filter(
    ({ passengerCapacity, luggageCapacity }) => passengerCapacity >= party.seats && luggageCapacity >= party.luggage,
  );
}

/** The lines of one vehicle class's price. Pure; they add up to the total before rounding. */
export function priceLines(tariff: Tariff, rate: Rate, request: PricingRequest): readonly PriceLine[] {
  const { outbound, hireHours } = request;
  if (hireHours !== null) return hireLines(tariff, rate, outbound, hireHours);
  const out = transferLines(tariff, rate, outbound);
  if (!request.return) return out;
  const back = transferLines(tariff, rate, request.return);
  const sameDay = outbound.pickup.day === request.return.pickup.day;
  return [...out, ...back, ...(sameDay ? [sameDayDiscount(tariff, faresOf(out), faresOf(back))] : [])];
}

/** The total of one vehicle class in Rappen, rounded once. */
export function totalRappen(tariff: Tariff, lines: readonly PriceLine[]): number {
  return Math.round(sum(lines) / tariff.roundingRappen) * tariff.roundingRappen;
}

const FARE = "fare";
const NIGHT = "night";
const HOLIDAY = "public holiday";
/** Surcharges and the return discount are of the fare; waiting, tolls and car trains are charged as they are. */
const FARE_LABELS: ReadonlySet<string> = new Set([FARE, NIGHT, HOLIDAY]);

function transferLines(tariff: Tariff, rate: Rate, leg: PricedLeg): PriceLine[] {
  const byDistance = rate.baseRappen + kilometers(rate, leg.distanceKm);
  const fare = Math.max(rate.minimumRappen, byDistance);
  const waiting = sum(leg.waits.map((wait) => waitingLine(tariff, rate, wait)));
  return [
    ...fareLines(tariff, leg, fare),
    { label: "waiting", rappen: waiting },
    { label: "tolls and car trains", rappen: leg.feesRappen },
  ].filter(isCharged);
}

function hireLines(tariff: Tariff, rate: Rate, leg: PricedLeg, hours: number): PriceLine[] {
  const billed = billedHours(leg, hours);
  const extraKm = Math.max(0, leg.distanceKm - billed * tariff.hourly.includedKmPerHour);
  const fare = rate.firstHourRappen + (billed - 1) * rate.furtherHourRappen + kilometers(rate, extraKm);
  return [...fareLines(tariff, leg, fare), { label: "tolls and car trains", rappen: leg.feesRappen }].filter(isCharged);
}

/** Started hours of hire, never fewer than the journey itself takes with its stops. */
export function billedHours(leg: PricedLeg, hours: number): number {
  const dwell = leg.waits.reduce((minutes, wait) => minutes + wait.minutes, 0);
  return Math.max(1, Math.ceil(hours), Math.ceil((leg.drivingMinutes + dwell) / 60));
}

/** Never more than the fare of the return: otherwise a return of a few km would make a long journey cheaper. */
function sameDayDiscount(tariff: Tariff, outRappen: number, backRappen: number): PriceLine {
  const percent = tariff.sameDayReturnDiscountPercent;
  const { label, rappen } = percentOf(outRappen + backRappen, -percent, "same-day return");
  return { label, rappen: Math.max(rappen, -backRappen) };
}

function faresOf(lines: readonly PriceLine[]): number {
  return sum(lines.filter(({ label }) => FARE_LABELS.has(label)));
}

function fareLines(tariff: Tariff, leg: PricedLeg, fare: number): PriceLine[] {
  const { night, holiday } = leg.pickup;
  return [
    { label: FARE, rappen: fare },
    ...(night ? [percentOf(fare, tariff.night.percent, NIGHT)] : []),
    ...(holiday ? [percentOf(fare, tariff.holidays.percent, HOLIDAY)] : []),
  ];
}

function waitingLine(tariff: Tariff, rate: Rate, wait: PricedLeg["waits"][number]): PriceLine {
  const { freeMinutes, freeMinutesAtAirports, stepMinutes } = tariff.waiting;
  const charged = Math.max(0, wait.minutes - (wait.atAirport ? freeMinutesAtAirports : freeMinutes));
  return { label: "waiting", rappen: Math.ceil(charged / stepMinutes) * rate.waitingStepRappen };
}

/** Kilometers are charged by the hectometer, in integers throughout. */
function kilometers(rate: Rate, km: number): number {
  return Math.round((Math.round(km * 10) * rate.perKmRappen) / 10);
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
