import type { Tariff } from "../catalog/tariff-schema.ts";
import type { Charge } from "../contract/charges.ts";
import { charge, percentOf } from "./charge.ts";
import type { Surcharge } from "./priced-direction.ts";

export function surchargesOf(surcharges: readonly Surcharge[], vehicleClass: string): readonly Surcharge[] {
  return surcharges.filter(({ classes }) => classes?.includes(vehicleClass) ?? true);
}

/** Each is a percentage of the fare alone; fixed amounts are added to them. */
export function transferSurcharges(tariff: Tariff, fare: number, surcharges: readonly Surcharge[]): readonly Charge[] {
  return surcharges.map((surcharge) => surchargeOn(tariff, surcharge, fare, [surcharge.label]));
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
