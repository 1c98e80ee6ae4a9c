import type { Charge } from "../contract/charges.ts";
import { grouped } from "../contract/notices.ts";
import {
  type ClassTariff,
  charge,
  chargedKm,
  kilometers,
  type Surcharge,
  surchargeOn,
  surchargesOf,
  totalOf,
} from "./charge.ts";
import type { PricedDirection } from "./priced-direction.ts";

/**
 * The hours of a hire with their surcharges, and the kilometers that they do not include. An hour may cost less than
 * the kilometers that it includes: so that more hours never cost less, the dearest number of hours up to those of the
 * hire is charged.
 */
export function hireCharges(by: ClassTariff, direction: PricedDirection): readonly Charge[] {
  const hours = direction.hire?.hours.length ?? 0;
  if (hours === 0) return [];
  let dearest = { hours, rappen: 0 };
  let charges: readonly Charge[] = [];
  for (let count = isRising(by, direction) ? hours : 1; count <= hours; count++) {
    charges = chargesOf(by, direction, count);
    const rappen = totalOf(charges);
    if (rappen > dearest.rappen) dearest = { hours: count, rappen };
  }
  const missing = dearest.rappen - totalOf(charges);
  return missing > 0 ? [...charges, charge("hire_minimum", missing, { hours: dearest.hours })] : charges;
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
function chargesOf(by: ClassTariff, direction: PricedDirection, ofHours: number): readonly Charge[] {
  const { tariff, rate } = by;
  const { hire, distanceKm, directKm, isRoundTrip } = direction;
  const rateOf = (hour: number) => (hour === 0 ? rate.firstHourRappen : rate.furtherHourRappen);
  const km = ofHours * tariff.hourly.includedKmPerHour;
  const extraKm = Math.max(0, Math.max(distanceKm, directKm) - km);
  const extraRappen = kilometers(by, extraKm);
  const hours = hire?.hours.slice(0, ofHours) ?? [];
  const hoursRappen = hours.reduce((sum, _, hour) => sum + rateOf(hour), 0);
  const surcharged = hours.flatMap((surcharges, hour) =>
    surchargesOf(surcharges, by.vehicleClass).map((surcharge) => ({ surcharge, rappen: rateOf(hour) })),
  );
  const requested = hire?.requestedHours ?? 0;
  const perUnit = { hourRappen: rate.furtherHourRappen, kmRappen: rate.perKmRappen };
  return [
    charge("hire", hoursRappen, { hours: ofHours, requested, km, isRoundTrip, ...perUnit }),
    charge("extra", extraRappen, { km: chargedKm(extraKm) }),
    ...grouped(surcharged, ({ surcharge }) => surcharge.id).map((own) => {
      const [{ surcharge }] = own;
      const onExtra = surcharge.kind === "agreed" ? extraRappen : 0;
      const rappen = own.reduce((sum, each) => sum + each.rappen, onExtra);
      const names = new Set(own.map((each) => each.surcharge.label));
      return surchargeOn(tariff, surcharge, rappen, [...names], { hours: own.length, ofHours });
    }),
  ];
}
