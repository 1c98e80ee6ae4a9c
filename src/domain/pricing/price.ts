import { type Charge, type ChargeCode, discountCode, isRelevant } from "../../contract/charges.ts";
import { DAY } from "../../ops/durations.ts";
import type { Fare } from "../catalog/offer-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import {
  type ClassTariff,
  charge,
  chargedKm,
  kilometers,
  MOST_DISCOUNT_PERCENT,
  type Surcharge,
  surchargeOn,
  surchargesOf,
  totalOf,
} from "./charge.ts";
import { hireCharges } from "./hire-charges.ts";
import { type LeastJourney, leastJourneys } from "./least-journeys.ts";
import type { PricedDirection } from "./priced-direction.ts";

export interface PricingRequest {
  readonly outbound: PricedDirection;
  readonly return: PricedDirection | null;
  /** Whether `outbound` is an hourly hire instead of a transfer. */
  readonly isHire: boolean;
  /** Parts of it, as transfers, that may cost more alone: it costs at least as much as each of them. */
  readonly parts: readonly PricedDirection[];
  /** Special items, to which no surcharge or discount applies. */
  readonly items: readonly Charge[];
}

/**
 * What a vehicle class is charged, which adds up to the total; `undefined` if the tariff has no rate for it. The
 * charges of each direction, the discount of a return and the special items are each rounded once. Pure.
 */
export function priceOf(tariff: Tariff, vehicleClass: string, request: PricingRequest): readonly Charge[] | undefined {
  const rate = tariff.rates[vehicleClass];
  if (!rate) return undefined;
  const by = { tariff, vehicleClass, rate };
  const own = journeyCharges(by, request);
  const items = DIRECTIONS.flatMap((way) =>
    rounded(
      tariff,
      request.items.filter(({ direction }) => direction === way),
    ),
  );
  const least = leastCharges(by, request, totalOf(own));
  return [...withNextHour(tariff, own, totalOf(least)), ...least, ...items].filter(isRelevant);
}

/** What the next hour of a hire adds, rounded: what is charged to a least price pays for it. */
function withNextHour(tariff: Tariff, charges: readonly Charge[], paidRappen: number): readonly Charge[] {
  const isHire = (each: Charge): each is Charge<"hire"> => each.code === "hire";
  return charges.map((each) => {
    if (!isHire(each) || each.values.nextRappen === undefined) return each;
    const nextRappen = roundedRappen(tariff, Math.max(0, each.values.nextRappen - paidRappen));
    return { ...each, values: { ...each.values, nextRappen } };
  });
}

const DIRECTIONS = ["outbound", "return", null] as const;

/**
 * The charges with their sum rounded: in the fare by distance, so that a percentage is one of the fare beside it; where
 * the operator set the fare, or there is none, in the largest that is no round amount.
 */
function rounded(tariff: Tariff, charges: readonly Charge[]): readonly Charge[] {
  const rappen = totalOf(charges);
  const rounding = roundedRappen(tariff, rappen) - rappen;
  if (rounding === 0) return charges;
  const uneven = charges.filter((each) => each.rappen % tariff.roundingRappen !== 0);
  const largest = uneven.reduce((most, each) => (each.rappen > most.rappen ? each : most));
  const one =
    charges.find(({ code }) => code === "transfer") ?? uneven.find(({ code }) => FARES.includes(code)) ?? largest;
  return charges.map((each) => (each === one ? { ...each, rappen: each.rappen + rounding } : each));
}

function roundedRappen({ roundingRappen }: Tariff, rappen: number): number {
  return Math.round(rappen / roundingRappen) * roundingRappen;
}

/**
 * Whether the discounts on some hour of the journey reach `MOST_DISCOUNT_PERCENT` together, which is a mistake of the
 * catalog. Nothing is sold at them.
 */
export function isOverDiscounted(
  vehicleClass: string,
  { outbound, return: back }: Pick<PricingRequest, "outbound" | "return">,
): boolean {
  const percentIn = (surcharges: readonly Surcharge[]) =>
    surchargesOf(surcharges, vehicleClass).reduce((sum, { percent }) => sum + Math.min(0, percent), 0);
  const most = [outbound, ...(back ? [back] : [])].flatMap(({ surcharges, later, hire }) =>
    [surcharges, ...later.map((each) => each.surcharges), ...(hire?.hours ?? [])].map(percentIn),
  );
  return most.some((percent) => percent <= -MOST_DISCOUNT_PERCENT);
}

/** What is missing to the dearest of the journeys that this one costs at least as much as. */
function leastCharges(by: ClassTariff, request: PricingRequest, rappen: number): readonly Charge[] {
  let least: { readonly code: LeastJourney["code"]; readonly rappen: number } | undefined;
  for (const { code, outbound, isHire } of leastJourneys(by, request)) {
    const total = totalOf(journeyCharges(by, { outbound, return: request.return, isHire }));
    if (total > (least?.rappen ?? rappen)) least = { code, rappen: total };
  }
  if (!least) return [];
  const missing = least.rappen - rappen;
  return [charge(least.code, missing, { rappen: missing })];
}

function journeyCharges(
  by: ClassTariff,
  { outbound, return: back, isHire }: Omit<PricingRequest, "parts" | "items">,
): readonly Charge[] {
  const { tariff, rate } = by;
  if (isHire) {
    const full = hireCharges(by, outbound, rate.minimumHours);
    const hire = atLeastTheMinimum(by, totalOf(full.filter((each) => !isDiscount(each))), full);
    return rounded(tariff, [...hire, ...feeCharges(outbound), ...placeFeeCharges(by, outbound)]);
  }
  const there = rounded(tariff, transferCharges(by, outbound, back && freeMinutes(by, back)));
  if (!back) return there;
  const home = rounded(tariff, transferCharges(by, back));
  const days = (Date.parse(back.pickup.day) - Date.parse(outbound.pickup.day)) / DAY;
  const { withinDays = Number.POSITIVE_INFINITY } = by.tariff.returnDiscount;
  return [
    ...there.map((each) => ({ ...each, direction: "outbound" as const })),
    ...home.filter(({ code }) => code !== "waiting").map((each) => ({ ...each, direction: "return" as const })),
    ...(days <= withinDays ? [returnDiscount(by.tariff, there, home)] : []),
  ];
}

/** A percentage of both fares, at most the return's with its surcharges: a return never makes the journey cheaper. */
function returnDiscount(tariff: Tariff, there: readonly Charge[], home: readonly Charge[]): Charge {
  const { returnDiscount: by } = tariff;
  const fares = totalOf([...there, ...home].filter(({ code }) => FARES.includes(code)));
  const most = Math.max(0, totalOf(home.filter(({ code }) => !BESIDES_FARE.includes(code))));
  const rappen = roundedRappen(tariff, Math.min((fares * by.percent) / 100, most));
  return charge(discountCode(by), -rappen, { percent: by.percent });
}

/** The fares, of which a return discount is a percentage. */
const FARES: readonly ChargeCode[] = ["fixed", "transfer", "minimum"];
/** What is charged besides the fare and its surcharges. */
const BESIDES_FARE: readonly ChargeCode[] = ["waiting", "dwell", "train", "tolls", "place_fee"];

/** The dearest time from the pickup to the departure decides: waiting does not move a journey out of the night. */
function transferCharges(
  by: ClassTariff,
  direction: PricedDirection,
  returnFreeMinutes: number | null = null,
): readonly Charge[] {
  const times = direction.later.map((later) => chargesAtOneTime(by, { ...direction, ...later }, returnFreeMinutes));
  return times.reduce(
    (most, each) => (totalOf(each) > totalOf(most) ? each : most),
    chargesAtOneTime(by, direction, returnFreeMinutes),
  );
}

/** A fixed fare replaces the price by distance; on a detour, or with stops off its way, it is only the minimum. */
function chargesAtOneTime(
  by: ClassTariff,
  direction: PricedDirection,
  returnFreeMinutes: number | null,
): readonly Charge[] {
  const fixed = fixedFareOf(direction, by.vehicleClass);
  const fare = fixed ? fixedCharge(by, direction, fixed) : distanceCharge(by, direction);
  const included = new Set<string>(fixed?.includes);
  const surcharges = surchargesOf(direction.surcharges, by.vehicleClass).filter(({ kind }) => !included.has(kind));
  const fares = atLeastTheMinimum(by, fare.rappen, [
    fare,
    ...surcharges.map((each) => surchargeOn(by.tariff, each, fare.rappen, [each.label])),
  ]);
  const waits = waitCharges(by, direction, returnFreeMinutes);
  return [
    ...fares,
    ...(direction.isRoundTrip ? atMostTheHire(by, direction, waits, totalOf(fares)) : waits),
    ...(included.has("fees") ? [] : feeCharges(direction)),
    ...(included.has("place_fees") ? [] : placeFeeCharges(by, direction)),
  ];
}

/** Limits discounts, so that they do not bring the fare, or a hire, below the class's minimum. */
function atLeastTheMinimum({ rate }: ClassTariff, fareRappen: number, fares: readonly Charge[]): readonly Charge[] {
  let missing = Math.min(fareRappen, rate.minimumRappen) - totalOf(fares);
  return fares.map((each) => {
    if (missing <= 0 || !isDiscount(each)) return each;
    const rappen = Math.min(0, each.rappen + missing);
    missing -= rappen - each.rappen;
    return { ...each, rappen, values: { ...each.values, isLimited: true } };
  });
}

function isDiscount(each: Charge): each is Charge<"season" | "agreed"> {
  return each.rappen < 0 && (each.code === "season" || each.code === "agreed");
}

function fixedFareOf({ keepsFixedFare, fares }: PricedDirection, vehicleClass: string): Fare | undefined {
  return keepsFixedFare ? fareOf(fares, vehicleClass) : undefined;
}

function fareOf(fares: readonly Fare[], vehicleClass: string): Fare | undefined {
  return fares.find(({ rappen }) => vehicleClass in rappen);
}

function fixedCharge(by: ClassTariff, direction: PricedDirection, { label, rappen, includes }: Fare): Charge {
  const values = {
    label,
    hasStops: direction.points.length > 2,
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

function distanceCharge(by: ClassTariff, { distanceKm, freeKm = 0, fares, isDetour }: PricedDirection): Charge {
  const fixed = fareOf(fares, by.vehicleClass);
  const rappen = by.rate.baseRappen + kilometers(by, distanceKm);
  const minimum = Math.max(by.rate.minimumRappen, fixed?.rappen[by.vehicleClass] ?? 0);
  const freeTrainKm = freeKm > 0 ? chargedKm(freeKm) : undefined;
  const values = { km: chargedKm(distanceKm), freeTrainKm, otherFare: fixed?.label, isDetour: isDetour || undefined };
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
      const own = stays.filter(
        ({ atAirport, minutes }) => minutes > 0 && (atAirport ? freeMinutesAtAirports : usual) === free,
      );
      const minutes = own.map((stay) => stay.minutes);
      const stayMinutes = minutes.reduce((sum, each) => sum + each, 0);
      const { rappen, values } = waited(minutes, free);
      const places = own.map(({ place }) => ({ text: place }));
      return stayMinutes > 0 ? [charge("dwell", rappen, { ...values, stayMinutes, places, isRoundTrip })] : [];
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
