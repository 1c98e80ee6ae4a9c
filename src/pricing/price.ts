import type { VehicleClass } from "../catalog/catalog-schema.ts";
import type { Fare } from "../catalog/offer-schema.ts";
import type { Rate, Tariff } from "../catalog/tariff-schema.ts";
import { durationText, type Part } from "../contract/notices.ts";
import type { Hire, MeasuredLeg, PricedLeg, Surcharge } from "./priced-leg.ts";

/** One line of a price; a discount is negative. Pages in other languages render `code` and `count`, not `label`. */
export interface PriceLine {
  /** In English, for callers. */
  readonly label: string;
  /** Whole Rappen. */
  readonly rappen: number;
  /** Kind of charge, such as "waiting"; absent if the operator wrote the label. */
  readonly code?: string | undefined;
  /** Kilometers, hours or minutes in the label. */
  readonly count?: number | undefined;
  readonly direction?: "outbound" | "return" | undefined;
  /** The label without its direction. */
  readonly name?: string | undefined;
  /** What the name consists of, for its translation; absent where it is one text. */
  readonly item?: Part | undefined;
}

/** The price of one vehicle class. The lines, of which one may be the rounding, add up to the total exactly. */
interface Price {
  readonly lines: readonly PriceLine[];
  readonly totalRappen: number;
}

export interface PricingRequest {
  readonly outbound: PricedLeg;
  readonly return: PricedLeg | null;
  /** Whether `outbound` is an hourly hire instead of a transfer. */
  readonly isHire: boolean;
  /** Further lines, to which no surcharge or discount applies. */
  readonly extras: readonly PriceLine[];
}

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

/** Every vehicle class with room for the load, in catalog order. */
export function eligibleClasses(classes: readonly VehicleClass[], load: Load): readonly VehicleClass[] {
  return classes.filter(
    (vehicle) =>
      vehicle.passengerCapacity >= load.seats &&
      vehicle.luggageCapacity >= load.luggage &&
      vehicle.largeLuggageCapacity >= load.largeLuggage &&
      vehicle.specialItemPlaces >= load.places,
  );
}

/** The price of one vehicle class, rounded once; `undefined` if the tariff has no rate for it. Pure. */
export function priceOf(tariff: Tariff, vehicleClass: string, request: PricingRequest): Price | undefined {
  const rate = tariff.rates[vehicleClass];
  if (!rate) return undefined;
  const by = { tariff, vehicleClass, rate };
  const lines = [...journeyLines(by, request), ...request.extras].filter(isCharged);
  const rappen = sum(lines);
  const totalRappen = Math.round(rappen / tariff.roundingRappen) * tariff.roundingRappen;
  return {
    lines: [...lines, { label: "Rounding", code: "rounding", rappen: totalRappen - rappen }].filter(isCharged),
    totalRappen,
  };
}

function journeyLines(by: ClassTariff, { outbound, return: back, isHire }: PricingRequest): readonly PriceLine[] {
  if (isHire) return linesOf(hireLines(by, outbound));
  const there = transferLines(by, outbound);
  if (!back) return linesOf(there);
  const home = transferLines(by, back);
  const days = (Date.parse(back.pickup.day) - Date.parse(outbound.pickup.day)) / DAY;
  const { withinDays = days } = by.tariff.returnDiscount;
  return [
    ...linesOf(there).map((line) => directed(line, "outbound")),
    ...linesOf(home).map((line) => directed(line, "return")),
    ...(days <= withinDays ? [returnDiscount(by.tariff, sum(there.fare), sum(home.fare))] : []),
  ];
}

function linesOf({ fare, other }: LegLines): readonly PriceLine[] {
  return [...fare, ...other];
}

/** A line marked with its direction, for journeys with a return. */
export function directed(line: PriceLine, direction: "outbound" | "return"): PriceLine {
  const { label } = line;
  return { ...line, label: `${direction === "return" ? "Return" : "Outbound"}: ${label}`, direction, name: label };
}

/** At most the fare of the return, so that adding a return of a few km never makes a long journey cheaper. */
function returnDiscount({ returnDiscount: by }: Tariff, outRappen: number, backRappen: number): PriceLine {
  const isSameDay = by.withinDays === 0;
  const label = isSameDay ? "Same-day return discount" : "Return discount";
  const rappen = Math.max(percentOf(outRappen + backRappen, -by.percent), -backRappen);
  return { label, code: isSameDay ? "same_day" : "return_discount", rappen };
}

const DAY = 24 * 60 * 60 * 1000;

function isCharged({ rappen }: PriceLine): boolean {
  return rappen !== 0;
}

/** The lines of one direction: `fare` is subject to the return discount, `other` is not. */
interface LegLines {
  readonly fare: readonly PriceLine[];
  readonly other: readonly PriceLine[];
}

/** A vehicle class with its rate and the tariff. */
interface ClassTariff {
  readonly tariff: Tariff;
  readonly vehicleClass: string;
  readonly rate: Rate;
}

/** A fixed fare replaces the price by distance; on a journey with stops it is only the minimum. */
function transferLines(by: ClassTariff, leg: PricedLeg): LegLines {
  const { fixed, surcharges } = rulesOf(leg, by.vehicleClass);
  const fare = fixed ? fixedLine(by, fixed) : distanceLine(by, leg);
  const charged = surcharged([fare], surcharges);
  const waiting = waitingLine(by, leg.waits, fixed?.freeWaitingMinutes);
  return {
    fare: charged,
    other: [atMostTheHire(by, leg, waiting, sum(charged)), ...(fixed?.includes.includes("fees") ? [] : leg.fees)],
  };
}

/** The fixed fare of a class on a leg without stops, and the surcharges that are charged and not included in it. */
export function rulesOf({ hasStops, fares, surcharges }: PricedLeg, vehicleClass: string) {
  const fixed = hasStops ? undefined : fareOf(fares, vehicleClass);
  const includes = new Set<string>(fixed?.includes);
  return { fixed, surcharges: surchargesOf(surcharges, vehicleClass).filter(({ kind }) => !includes.has(kind)) };
}

function fareOf(fares: readonly Fare[], vehicleClass: string): Fare | undefined {
  return fares.find(({ rappen }) => vehicleClass in rappen);
}

export function surchargesOf(surcharges: readonly Surcharge[], vehicleClass: string): readonly Surcharge[] {
  return surcharges.filter(({ classes }) => classes?.includes(vehicleClass) ?? true);
}

function hireLines(by: ClassTariff, leg: PricedLeg): LegLines {
  return { fare: leg.hire ? hireFare(by, leg, leg.hire) : [], other: leg.fees };
}

function sum(lines: readonly PriceLine[]): number {
  return lines.reduce((total, { rappen }) => total + rappen, 0);
}

function percentOf(rappen: number, percent: number): number {
  return Math.round((rappen * percent) / 100);
}

function fixedLine({ vehicleClass }: ClassTariff, { label, rappen }: Fare): PriceLine {
  return { label, rappen: rappen[vehicleClass] ?? 0 };
}

function distanceLine(by: ClassTariff, { distanceKm, fares }: PricedLeg): PriceLine {
  const fixed = fareOf(fares, by.vehicleClass);
  const rappen = by.rate.baseRappen + kilometers(by, distanceKm);
  const minimum = Math.max(by.rate.minimumRappen, fixed ? fixedLine(by, fixed).rappen : 0);
  const count = Math.round(distanceKm);
  const label = `Transfer ${count} km`;
  return rappen < minimum
    ? { label: `${label}, minimum fare`, code: "minimum", count, rappen: minimum }
    : { label, code: "transfer", count, rappen };
}

function hireFare(by: ClassTariff, { distanceKm }: PricedLeg, hire: Hire): readonly PriceLine[] {
  const { firstHourRappen, furtherHourRappen } = by.rate;
  const { hours, surcharges } = hire;
  const extraKm = Math.max(0, distanceKm - hours * by.tariff.hourly.includedKmPerHour);
  const count = Math.round(extraKm * 10) / 10;
  const hoursRappen = firstHourRappen + (hours - 1) * furtherHourRappen;
  const fare = [
    { label: `Hire ${hours} h`, code: "hire", count: hours, rappen: hoursRappen },
    { label: `Extra ${count} km`, code: "extra", count, rappen: kilometers(by, extraKm) },
  ];
  return surcharged(fare, surchargesOf(surcharges, by.vehicleClass));
}

/** The fare with its surcharges. Percentages apply to the fare alone; fixed amounts are added to them. */
function surcharged(fare: readonly PriceLine[], surcharges: readonly Surcharge[]): readonly PriceLine[] {
  const rappen = sum(fare);
  const lines = surcharges.map(({ kind, label, percent, amount, hours, ofHours }) => ({
    label,
    ...((kind === "night" || kind === "holidays") && { code: kind }),
    rappen: percentOf(rappen, (percent * hours) / ofHours) + amount,
  }));
  return [...fare, ...lines];
}

/** Limits waiting so that a round trip, on which the driver waits, costs no more than a hire of the same hours. */
function atMostTheHire(by: ClassTariff, leg: PricedLeg, waiting: PriceLine, fareRappen: number): PriceLine {
  if (!leg.hire) return waiting;
  const room = Math.max(0, sum(hireFare(by, leg, leg.hire)) - fareRappen);
  return { ...waiting, rappen: Math.min(waiting.rappen, room) };
}

/** The label contains the charged minutes: whole steps, without the free minutes. */
function waitingLine(
  { tariff, rate }: ClassTariff,
  waits: MeasuredLeg["waits"],
  freeAtPickup: number | undefined,
): PriceLine {
  const { freeMinutes, freeMinutesAtAirports, stepMinutes } = tariff.waiting;
  const steps = waits.reduce((total, { minutes, atAirport }, index) => {
    const usual = atAirport ? freeMinutesAtAirports : freeMinutes;
    const free = index === 0 ? (freeAtPickup ?? usual) : usual;
    return total + Math.ceil(Math.max(0, minutes - free) / stepMinutes);
  }, 0);
  const count = steps * stepMinutes;
  return { label: `Waiting ${durationText(count)}`, code: "waiting", count, rappen: steps * rate.waitingStepRappen };
}

/** The price of a distance in Rappen. Distances are rounded to 100 m; the arithmetic uses integers to stay exact. */
function kilometers({ rate }: ClassTariff, km: number): number {
  return Math.round((Math.round(km * 10) * rate.perKmRappen) / 10);
}
