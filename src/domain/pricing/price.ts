import { type Charge, type ChargeCode, discountCode, isRelevant } from "../../contract/charges.ts";
import { grouped } from "../../contract/notices.ts";
import { DAY } from "../../ops/durations.ts";
import type { Fare } from "../catalog/offer-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import {
  type ClassTariff,
  charge,
  chargedKm,
  kilometers,
  percentOf,
  type Surcharge,
  surchargeOn,
  surchargesOf,
  totalOf,
} from "./charge.ts";
import { type LeastJourney, leastJourneys } from "./least-journeys.ts";
import type { PricedDirection } from "./priced-direction.ts";

export interface PricingRequest {
  readonly outbound: PricedDirection;
  readonly return: PricedDirection | null;
  /** Whether `outbound` is an hourly hire instead of a transfer. */
  readonly isHire: boolean;
  /** Parts of it with a fixed fare, as transfers: it costs at least as much as each of them. */
  readonly parts: readonly PricedDirection[];
  /** Special items, to which no surcharge or discount applies. */
  readonly items: readonly Charge[];
}

/**
 * What a vehicle class is charged, which adds up to the total; `undefined` if the tariff has no rate for it. The sum is rounded once, in the largest of the charges that are not rounded by themselves. Pure.
 */
export function priceOf(tariff: Tariff, vehicleClass: string, request: PricingRequest): readonly Charge[] | undefined {
  const rate = tariff.rates[vehicleClass];
  if (!rate) return undefined;
  const by = { tariff, vehicleClass, rate };
  const own = journeyCharges(by, request);
  const charges = [...own, ...leastCharges(by, request, totalOf(own)), ...request.items].filter(isRelevant);
  const rappen = totalOf(charges);
  const rounding = Math.round(rappen / tariff.roundingRappen) * tariff.roundingRappen - rappen;
  if (rounding === 0) return charges;
  const uneven = charges.filter((each) => each.rappen % tariff.roundingRappen !== 0);
  const largest = uneven.reduce((most, each) => (each.rappen > most.rappen ? each : most));
  return charges.map((each) => (each === largest ? { ...each, rappen: each.rappen + rounding } : each));
}

/** What is missing to the dearest of the journeys that this one costs at least as much as. */
function leastCharges(by: ClassTariff, request: PricingRequest, rappen: number): readonly Charge[] {
  let least: { readonly code: LeastJourney["code"]; readonly rappen: number } | undefined;
  for (const { code, outbound, isHire } of leastJourneys(by, request)) {
    if (code === "part_minimum" && !fixedFareOf(outbound, by.vehicleClass)) continue;
    const total = totalOf(journeyCharges(by, { outbound, return: request.return, isHire }));
    if (total > (least?.rappen ?? rappen)) least = { code, rappen: total };
  }
  if (!least) return [];
  const missing = least.rappen - rappen;
  return [
    least.code === "transfer_minimum" ? charge(least.code, missing, hourlyRates(by)) : charge(least.code, missing, {}),
  ];
}

function journeyCharges(
  by: ClassTariff,
  { outbound, return: back, isHire }: Omit<PricingRequest, "parts" | "items">,
): readonly Charge[] {
  if (isHire) return [...hireCharges(by, outbound), ...feeCharges(outbound), ...placeFeeCharges(by, outbound)];
  const there = transferCharges(by, outbound, back && freeMinutes(by, back));
  if (!back) return there;
  const home = transferCharges(by, back);
  const days = (Date.parse(back.pickup.day) - Date.parse(outbound.pickup.day)) / DAY;
  const { withinDays = Number.POSITIVE_INFINITY } = by.tariff.returnDiscount;
  return [
    ...there.map((each) => ({ ...each, direction: "outbound" as const })),
    ...home.filter(({ code }) => code !== "waiting").map((each) => ({ ...each, direction: "return" as const })),
    ...(days <= withinDays ? [returnDiscount(by.tariff, there, home)] : []),
  ];
}

/** A percentage of both fares, at most the return's with its surcharges: a return never makes the journey cheaper. */
function returnDiscount({ returnDiscount: by }: Tariff, there: readonly Charge[], home: readonly Charge[]): Charge {
  const fares = totalOf([...there, ...home].filter(({ code }) => FARES.includes(code)));
  const rappen = Math.max(
    percentOf(fares, -by.percent),
    Math.min(0, -totalOf(home.filter(({ code }) => !BESIDES_FARE.includes(code)))),
  );
  return charge(discountCode(by), rappen, { percent: by.percent });
}

/** The fares, of which a return discount is a percentage. */
const FARES: readonly ChargeCode[] = ["fixed", "transfer", "minimum"];
/** What is charged besides the fare and its surcharges. */
const BESIDES_FARE: readonly ChargeCode[] = ["waiting", "dwell", "train", "tolls", "place_fee"];

/** A fixed fare replaces the price by distance; on a journey with stops it is only the minimum. */
function transferCharges(
  by: ClassTariff,
  direction: PricedDirection,
  returnFreeMinutes: number | null = null,
): readonly Charge[] {
  const fixed = fixedFareOf(direction, by.vehicleClass);
  const fare = fixed ? fixedCharge(by, direction, fixed) : distanceCharge(by, direction);
  const included = new Set<string>(fixed?.includes);
  const surcharges = surchargesOf(direction.surcharges, by.vehicleClass).filter(({ kind }) => !included.has(kind));
  const fares = [fare, ...surcharges.map((each) => surchargeOn(by.tariff, each, fare.rappen, [each.label]))];
  const waits = waitCharges(by, direction, returnFreeMinutes);
  return [
    ...fares,
    ...(direction.isRoundTrip ? atMostTheHire(by, direction, waits, totalOf(fares)) : waits),
    ...(included.has("fees") ? [] : feeCharges(direction)),
    ...(included.has("place_fees") ? [] : placeFeeCharges(by, direction)),
  ];
}

/** The fixed fare of a class, if there are no stops. */
function fixedFareOf({ hasStops, fares }: PricedDirection, vehicleClass: string): Fare | undefined {
  return hasStops ? undefined : fareOf(fares, vehicleClass);
}

function fareOf(fares: readonly Fare[], vehicleClass: string): Fare | undefined {
  return fares.find(({ rappen }) => vehicleClass in rappen);
}

function fixedCharge(by: ClassTariff, direction: PricedDirection, { label, rappen, includes }: Fare): Charge {
  const values = {
    label,
    includes: includes.flatMap((kind) => includedParts(by, direction, kind)),
    freeMinutes: freeMinutes(by, direction),
  };
  return charge("fixed", rappen[by.vehicleClass] ?? 0, values);
}

/** What a fixed fare includes of what this journey would be charged besides: no car train where there is none. */
function includedParts(by: ClassTariff, direction: PricedDirection, kind: Fare["includes"][number]): readonly string[] {
  if (kind === "fees") return feeCharges(direction).flatMap(({ code, rappen }) => (rappen > 0 ? [code] : []));
  if (kind === "place_fees") return placeFeeCharges(by, direction).length > 0 ? [kind] : [];
  const surcharges = surchargesOf(direction.surcharges, by.vehicleClass);
  return surcharges.some((each) => each.kind === kind && (each.percent > 0 || each.amount > 0)) ? [kind] : [];
}

function distanceCharge(by: ClassTariff, { distanceKm, fares }: PricedDirection): Charge {
  const fixed = fareOf(fares, by.vehicleClass);
  const rappen = by.rate.baseRappen + kilometers(by, distanceKm);
  const minimum = Math.max(by.rate.minimumRappen, fixed?.rappen[by.vehicleClass] ?? 0);
  const values = { km: chargedKm(distanceKm), fareWithoutStops: fixed?.label };
  return rappen < minimum ? charge("minimum", minimum, values) : charge("transfer", rappen, values);
}

function feeCharges({ trainsRappen, tollsRappen }: PricedDirection): readonly Charge[] {
  return [charge("train", trainsRappen, {}), charge("tolls", tollsRappen, {})];
}

/** Fees of places, those with the same label together. */
function placeFeeCharges({ vehicleClass }: ClassTariff, { placeFees }: PricedDirection): readonly Charge[] {
  const rappen = new Map<string, number>();
  for (const fee of placeFees)
    if (fee.classes?.includes(vehicleClass) ?? true) rappen.set(fee.label, (rappen.get(fee.label) ?? 0) + fee.rappen);
  return [...rappen].map(([label, sum]) => charge("place_fee", sum, { label }));
}

/** Free minutes at the pickup: those of the fixed fare of the ends, if any, with stops too. */
function freeMinutes({ tariff: { waiting }, vehicleClass }: ClassTariff, direction: PricedDirection): number {
  const usual = direction.waits[0]?.atAirport ? waiting.freeMinutesAtAirports : waiting.freeMinutes;
  return fareOf(direction.fares, vehicleClass)?.freeWaitingMinutes ?? usual;
}

/** Waiting at the pickup, and the stays at stops, together where they have the same free minutes. */
function waitCharges(
  by: ClassTariff,
  direction: PricedDirection,
  returnFreeMinutes: number | null,
): readonly Charge<"waiting" | "dwell">[] {
  const { stepMinutes, freeMinutes: usual, freeMinutesAtAirports } = by.tariff.waiting;
  const stepRappen = by.rate.waitingStepRappen;
  const { isRoundTrip } = direction;
  const [pickup, ...stays] = direction.waits;
  const waited = (minutes: readonly number[], free: number) => {
    const steps = minutes.reduce((sum, each) => sum + Math.ceil(Math.max(0, each - free) / stepMinutes), 0);
    const values = { minutes: steps * stepMinutes, freeMinutes: free, stepMinutes, stepRappen };
    return { rappen: steps * stepRappen, values };
  };
  const agreedMinutes = pickup?.minutes ?? 0;
  const { rappen, values } = waited([agreedMinutes], freeMinutes(by, direction));
  return [
    charge("waiting", rappen, { agreedMinutes, hasStays: pickup?.hasStays ?? false, ...values, returnFreeMinutes }),
    ...[...new Set([usual, freeMinutesAtAirports])].flatMap((free) => {
      const own = stays.filter(({ atAirport }) => (atAirport ? freeMinutesAtAirports : usual) === free);
      const minutes = own.map((stay) => stay.minutes);
      const stayMinutes = minutes.reduce((sum, each) => sum + each, 0);
      const { rappen, values } = waited(minutes, free);
      return stayMinutes > 0 ? [charge("dwell", rappen, { ...values, stayMinutes, isRoundTrip })] : [];
    }),
  ];
}

/** Limits waiting so that a round trip, on which the driver waits, costs no more than a hire of the same hours. */
function atMostTheHire(
  by: ClassTariff,
  direction: PricedDirection,
  waits: readonly Charge[],
  fareRappen: number,
): readonly Charge[] {
  let room = Math.max(0, totalOf(hireCharges(by, direction)) - fareRappen);
  return waits.map((wait) => {
    const rappen = Math.min(wait.rappen, room);
    room -= rappen;
    return { ...wait, rappen };
  });
}

/**
 * The hours of a hire with their surcharges, and the kilometers that they do not include. An hour may cost less than
 * the kilometers that it includes: so that more hours never cost less, the dearest number of hours up to those of the
 * hire is charged.
 */
function hireCharges(by: ClassTariff, direction: PricedDirection): readonly Charge[] {
  const hours = direction.hire?.hours.length ?? 0;
  if (hours === 0) return [];
  let dearest = { hours, rappen: 0 };
  let charges: readonly Charge[] = [];
  for (let count = isRising(by, direction) ? hours : 1; count <= hours; count++) {
    charges = chargesOfHours(by, direction, count);
    const rappen = totalOf(charges);
    if (rappen > dearest.rappen) dearest = { hours: count, rappen };
  }
  const missing = dearest.rappen - totalOf(charges);
  return missing > 0 ? [...charges, charge("hire_minimum", missing, { hours: dearest.hours })] : charges;
}

function hourlyRates({ tariff, rate }: ClassTariff) {
  const { furtherHourRappen: hourRappen, perKmRappen: kmRappen } = rate;
  return { hourRappen, hourKm: tariff.hourly.includedKmPerHour, kmRappen };
}

/** Whether each further hour costs more than the kilometers that it includes. */
function isRising({ tariff, rate }: ClassTariff, { hire }: PricedDirection): boolean {
  const isDiscount = ({ kind, percent }: Surcharge) => kind !== "agreed" && percent < 0;
  return (
    rate.furtherHourRappen >= tariff.hourly.includedKmPerHour * rate.perKmRappen &&
    !hire?.hours.some((surcharges) => surcharges.some(isDiscount))
  );
}

/** A percentage counts for the hours at whose start it applies. Kilometers carry what was agreed with a client alone. */
function chargesOfHours(by: ClassTariff, direction: PricedDirection, ofHours: number): readonly Charge[] {
  const { tariff, rate } = by;
  const { hire, distanceKm, isRoundTrip } = direction;
  const rateOf = (hour: number) => (hour === 0 ? rate.firstHourRappen : rate.furtherHourRappen);
  const km = ofHours * tariff.hourly.includedKmPerHour;
  const extraKm = Math.max(0, distanceKm - km);
  const extraRappen = kilometers(by, extraKm);
  const hours = hire?.hours.slice(0, ofHours) ?? [];
  const hoursRappen = hours.reduce((sum, _, hour) => sum + rateOf(hour), 0);
  const surcharged = hours.flatMap((surcharges, hour) =>
    surchargesOf(surcharges, by.vehicleClass).map((surcharge) => ({ surcharge, rappen: rateOf(hour) })),
  );
  const requested = hire?.requestedHours ?? 0;
  return [
    charge("hire", hoursRappen, { hours: ofHours, requested, km, isRoundTrip, ...hourlyRates(by) }),
    ...(extraRappen > 0
      ? [charge("extra", extraRappen, { km: chargedKm(extraKm), hourKm: tariff.hourly.includedKmPerHour })]
      : []),
    ...grouped(surcharged, ({ surcharge }) => surcharge.id).map((own) => {
      const [{ surcharge }] = own;
      const onExtra = surcharge.kind === "agreed" ? extraRappen : 0;
      const rappen = own.reduce((sum, each) => sum + each.rappen, onExtra);
      const names = new Set(own.map((each) => each.surcharge.label));
      return surchargeOn(tariff, surcharge, rappen, [...names], { hours: own.length, ofHours });
    }),
  ];
}
