import type { Fare } from "../catalog/offer-schema.ts";
import type { Rate, Tariff } from "../catalog/tariff-schema.ts";
import type { PriceLine } from "./price.ts";
import type { Hire, MeasuredLeg, PricedLeg } from "./priced-leg.ts";
import type { Surcharge } from "./surcharges.ts";

/** The lines of one direction: what discounts are taken of, and what is charged as it is. */
interface LegLines {
  readonly fare: readonly PriceLine[];
  readonly other: readonly PriceLine[];
}

/** What a class is charged by. */
interface ClassTariff {
  readonly tariff: Tariff;
  readonly vehicleClass: string;
  readonly rate: Rate;
}

/** A fixed fare takes precedence over kilometers; on a journey with stops it is the least that is charged. */
export function transferLines(by: ClassTariff, leg: PricedLeg): LegLines {
  const fixed = leg.fares.find(({ rappen }) => by.vehicleClass in rappen);
  const includes = new Set(leg.hasStops ? [] : fixed?.includes);
  const fare = fixed && !leg.hasStops ? [fixedLine(by, fixed)] : [distanceLine(by, leg, fixed)];
  const surcharges = leg.surcharges.filter(({ kind }) => !includes.has(kind));
  const charged = surcharged(by, fare, surcharges);
  const waiting = waitingLine(by, leg.waits, leg.hasStops ? undefined : fixed?.freeWaitingMinutes);
  return {
    fare: charged,
    other: [atMostTheHire(by, leg, waiting, sum(charged)), ...(includes.has("fees") ? [] : leg.fees)],
  };
}

export function hireLines(by: ClassTariff, leg: PricedLeg): LegLines {
  return { fare: leg.hire ? hireFare(by, leg, leg.hire) : [], other: leg.fees };
}

export function sum(lines: readonly PriceLine[]): number {
  return lines.reduce((total, { rappen }) => total + rappen, 0);
}

export function percentOf(rappen: number, percent: number, label: string): PriceLine {
  return { label, rappen: Math.round((rappen * percent) / 100) };
}

function fixedLine({ vehicleClass }: ClassTariff, { label, rappen }: Fare): PriceLine {
  return { label, rappen: rappen[vehicleClass] ?? 0 };
}

function distanceLine(by: ClassTariff, { distanceKm }: MeasuredLeg, fixed: Fare | undefined): PriceLine {
  const rappen = by.rate.baseRappen + kilometers(by, distanceKm);
  const minimum = Math.max(by.rate.minimumRappen, fixed ? fixedLine(by, fixed).rappen : 0);
  const label = `Transfer ${Math.round(distanceKm)} km`;
  return rappen < minimum ? { label: `${label}, minimum fare`, rappen: minimum } : { label, rappen };
}

function hireFare(by: ClassTariff, { distanceKm }: PricedLeg, hire: Hire): readonly PriceLine[] {
  const { firstHourRappen, furtherHourRappen } = by.rate;
  const extraKm = Math.max(0, distanceKm - hire.hours * by.tariff.hourly.includedKmPerHour);
  const fare = [
    { label: `Hire ${hire.hours} h`, rappen: firstHourRappen + (hire.hours - 1) * furtherHourRappen },
    { label: `Extra ${Math.round(extraKm * 10) / 10} km`, rappen: kilometers(by, extraKm) },
  ];
  return surcharged(by, fare, hire.surcharges);
}

/** Percentages are of the fare and not of each other. */
function surcharged(
  { vehicleClass }: ClassTariff,
  fare: readonly PriceLine[],
  surcharges: readonly Surcharge[],
): readonly PriceLine[] {
  const rappen = sum(fare);
  const lines = surcharges
    .filter(({ classes }) => classes?.includes(vehicleClass) ?? true)
    .map(({ label, percent, hours, ofHours }) => percentOf(rappen, (percent * hours) / ofHours, label));
  return [...fare, ...lines];
}

/** A round trip whose driver waits is a hire in all but its name, so that it costs no more than one. */
function atMostTheHire(by: ClassTariff, leg: PricedLeg, waiting: PriceLine, fareRappen: number): PriceLine {
  if (!leg.hire) return waiting;
  const room = Math.max(0, sum(hireFare(by, leg, leg.hire)) - fareRappen);
  return { ...waiting, rappen: Math.min(waiting.rappen, room) };
}

/** The label names the minutes that are charged: whole steps, without the free part. */
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
  return { label: `Waiting ${steps * stepMinutes} min`, rappen: steps * rate.waitingStepRappen };
}

/** Kilometers are charged by the hectometer, in integers throughout. */
function kilometers({ rate }: ClassTariff, km: number): number {
  return Math.round((Math.round(km * 10) * rate.perKmRappen) / 10);
}
