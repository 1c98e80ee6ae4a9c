import type { VehicleClass } from "../catalog/catalog-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { hireLines, percentOf, sum, transferLines } from "./leg-lines.ts";
import type { PricedLeg } from "./priced-leg.ts";

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

export interface PricingRequest {
  readonly outbound: PricedLeg;
  readonly return: PricedLeg | null;
  /** A hire by the hour, which the outbound journey describes, rather than a transfer. */
  readonly isHire: boolean;
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

/** The price of one vehicle class, rounded once; `undefined` where the tariff has no rate for it. Pure. */
export function priceOf(tariff: Tariff, vehicleClass: string, request: PricingRequest): Price | undefined {
  const rate = tariff.rates[vehicleClass];
  if (!rate) return undefined;
  const by = { tariff, vehicleClass, rate };
  const lines = [...journeyLines(by, request), ...request.extras].filter(isCharged);
  const rappen = sum(lines);
  const totalRappen = Math.round(rappen / tariff.roundingRappen) * tariff.roundingRappen;
  return { lines: [...lines, { label: "Rounding", rappen: totalRappen - rappen }].filter(isCharged), totalRappen };
}

type LegLines = ReturnType<typeof transferLines>;

function journeyLines(
  by: Parameters<typeof transferLines>[0],
  { outbound, return: back, isHire }: PricingRequest,
): readonly PriceLine[] {
  if (isHire) return linesOf(hireLines(by, outbound));
  const there = transferLines(by, outbound);
  if (!back) return linesOf(there);
  const home = transferLines(by, back);
  const isSameDay = outbound.pickup.day === back.pickup.day;
  return [
    ...linesOf(there, "Outbound: "),
    ...linesOf(home, "Return: "),
    ...(isSameDay ? [sameDayDiscount(by.tariff, sum(there.fare), sum(home.fare))] : []),
  ];
}

function linesOf({ fare, other }: LegLines, prefix = ""): readonly PriceLine[] {
  return [...fare, ...other].map(({ label, rappen }) => ({ label: `${prefix}${label}`, rappen }));
}

/** Never more than the fare of the return: otherwise a return of a few km would make a long journey cheaper. */
function sameDayDiscount(tariff: Tariff, outRappen: number, backRappen: number): PriceLine {
  const percent = tariff.sameDayReturnDiscountPercent;
  const { label, rappen } = percentOf(outRappen + backRappen, -percent, "Same-day return discount");
  return { label, rappen: Math.max(rappen, -backRappen) };
}

function isCharged({ rappen }: PriceLine): boolean {
  return rappen !== 0;
}
