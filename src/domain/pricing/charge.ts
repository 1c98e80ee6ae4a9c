import type { ChargeValues } from "../../contract/charge-sentences.ts";
import type { Charge, ChargeCode } from "../../contract/charges.ts";
import type { Fare } from "../catalog/offer-schema.ts";
import type { Rate, Tariff } from "../catalog/tariff-schema.ts";

/** A vehicle class with its rate and the tariff. */
export interface ClassTariff {
  readonly tariff: Tariff;
  readonly vehicleClass: string;
  readonly rate: Rate;
}

export function charge<C extends ChargeCode>(code: C, rappen: number, values: ChargeValues[C]): Charge<C> {
  return { code, rappen, values, direction: null };
}

export function totalOf(charges: readonly Charge[]): number {
  return charges.reduce((total, { rappen }) => total + rappen, 0);
}

export function percentOf(rappen: number, percent: number): number {
  return Math.round((rappen * percent) / 100);
}

/** The price of a distance in Rappen. Distances are rounded to 100 m; the arithmetic uses integers to stay exact. */
export function kilometers({ rate }: ClassTariff, km: number): number {
  return Math.round((Math.round(km * 10) * rate.perKmRappen) / 10);
}

/** A distance as it is charged, by which a reader can recompute the price. */
export function chargedKm(km: number): number {
  return Math.round(km * 10) / 10;
}

/** Discounts that can meet stay below it together. */
export const MOST_DISCOUNT_PERCENT = 60;

/** A percentage of the fare; a negative one is a discount. */
export interface Surcharge {
  /** Of the season; night and holidays have their kind. */
  readonly id: string;
  readonly kind: Exclude<Fare["includes"][number], "fees" | "place_fees"> | "agreed";
  /** The name of the holiday; empty at night. */
  readonly label: string;
  readonly percent: number;
  /** A fixed amount in Rappen for the whole journey, added to the percentage. */
  readonly amount: number;
  /** Vehicle classes to which it applies; `undefined` = all. */
  readonly classes?: readonly string[] | undefined;
}

export function surchargesOf(surcharges: readonly Surcharge[], vehicleClass: string): readonly Surcharge[] {
  return surcharges.filter(({ classes }) => classes?.includes(vehicleClass) ?? true);
}

/** A surcharge on `rappen`; `names` are the holidays, and `share` are its hours of a hire. */
export function surchargeOn(
  { night }: Tariff,
  { kind, label, percent, amount }: Surcharge,
  rappen: number,
  names: readonly string[],
  share: { readonly hours?: number; readonly ofHours?: number } = {},
): Charge {
  const total = percentOf(rappen, percent) + amount;
  if (kind === "night") {
    const period = { from: clock(night.fromHour), to: clock(night.toHour) };
    return charge("night", total, { percent, rappen: amount, ...period, ...share });
  }
  if (kind === "holidays") return charge("holidays", total, { percent, names, ...share });
  return charge(kind === "agreed" ? "agreed" : "season", total, { label, percent, ...share });
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}
