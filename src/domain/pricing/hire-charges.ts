import type { Charge } from "../../contract/charges.ts";
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
 * hire is charged, from `leastHours`, with which the class is sold. The sums of the hours grow with each, so that they
 * are read once.
 */
export function hireCharges(by: ClassTariff, direction: PricedDirection, leastHours = 1): readonly Charge[] {
  const { hours = [] } = direction.hire ?? {};
  const isEachDearer = isRising(by, direction);
  const sums: HoursSums = { hours: 0, rappen: 0, surcharges: new Map() };
  let dearest = { hours: hours.length, rappen: 0 };
  let charges: readonly Charge[] = [];
  for (const surcharges of hours) {
    addHour(by, sums, surcharges);
    if (sums.hours < hours.length && (isEachDearer || sums.hours < leastHours)) continue;
    charges = chargesOfHours(by, direction, sums);
    const rappen = totalOf(charges);
    if (rappen > dearest.rappen) dearest = { hours: sums.hours, rappen };
  }
  const missing = dearest.rappen - totalOf(charges);
  return missing > 0 ? [...charges, charge("hire_minimum", missing, { hours: dearest.hours })] : charges;
}

/** What some hours of a hire cost without their surcharges, and the rates of those that carry each surcharge. */
interface HoursSums {
  hours: number;
  rappen: number;
  readonly surcharges: Map<string, SurchargedHours>;
}
interface SurchargedHours {
  readonly surcharge: Surcharge;
  readonly names: Set<string>;
  hours: number;
  rappen: number;
}

function addHour({ rate, vehicleClass }: ClassTariff, sums: HoursSums, surcharges: readonly Surcharge[]): void {
  const rappen = sums.hours === 0 ? rate.firstHourRappen : rate.furtherHourRappen;
  sums.hours += 1;
  sums.rappen += rappen;
  for (const surcharge of surchargesOf(surcharges, vehicleClass)) {
    const own = sums.surcharges.get(surcharge.id) ?? { surcharge, names: new Set(), hours: 0, rappen: 0 };
    own.names.add(surcharge.label);
    own.hours += 1;
    own.rappen += rappen;
    sums.surcharges.set(surcharge.id, own);
  }
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
function chargesOfHours(by: ClassTariff, direction: PricedDirection, sums: HoursSums): readonly Charge[] {
  const { tariff, rate } = by;
  const { hire, distanceKm, isRoundTrip } = direction;
  const { hours, rappen } = sums;
  const { furtherHourRappen: hourRappen, perKmRappen: kmRappen } = rate;
  const hourKm = tariff.hourly.includedKmPerHour;
  const km = hours * hourKm;
  const extraKm = Math.max(0, distanceKm - km);
  const extraRappen = kilometers(by, extraKm);
  const replacedRappen = extraRappen - kilometers(by, Math.max(0, extraKm - hourKm));
  const nextRappen = replacedRappen > 0 ? Math.max(0, hourRappen - replacedRappen) : undefined;
  const requested = hire?.requestedHours ?? 0;
  const pricedKm = Math.max(km, chargedKm(distanceKm));
  return [
    charge("hire", rappen, { hours, requested, km, pricedKm, isRoundTrip, hourRappen, nextRappen, hourKm, kmRappen }),
    ...(extraRappen > 0 ? [charge("extra", extraRappen, { km: chargedKm(extraKm) })] : []),
    ...Array.from(sums.surcharges.values(), ({ surcharge, names, ...own }) => {
      const onExtra = surcharge.kind === "agreed" ? extraRappen : 0;
      return surchargeOn(tariff, surcharge, own.rappen + onExtra, [...names], { hours: own.hours, ofHours: hours });
    }),
  ];
}
