import type { Rate, Tariff } from "../catalog/tariff-schema.ts";
import type { Charge, ChargeCode, ChargeValues } from "../contract/charges.ts";

/** A vehicle class with its rate and the tariff. */
export interface ClassTariff {
  readonly tariff: Tariff;
  readonly vehicleClass: string;
  readonly rate: Rate;
}

export function charge<C extends ChargeCode>(
  code: C,
  rappen: number,
  values: ChargeValues[C],
  discountable = false,
): Charge<C> {
  return { code, rappen, values, direction: null, discountable };
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
