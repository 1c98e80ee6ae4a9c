import type { Tariff } from "../catalog/tariff-schema.ts";
import type { PickupTime } from "./calendar.ts";

/** Sentences for the traveler: which surcharges the price includes, and why. */
export function surchargeNotes(tariff: Tariff, outbound: PickupTime, back?: PickupTime): readonly string[] {
  if (!back) return notesOf(tariff, outbound);
  return [
    ...notesOf(tariff, outbound).map((note) => `Outbound: ${note}`),
    ...notesOf(tariff, back).map((note) => `Return: ${note}`),
  ];
}

function notesOf({ night, holidays }: Tariff, pickup: PickupTime): readonly string[] {
  const { fromHour, toHour } = night;
  return [
    ...(pickup.night && night.percent > 0
      ? [`Night surcharge of ${night.percent} % on the fare, from ${clock(fromHour)} to ${clock(toHour)}.`]
      : []),
    ...(pickup.holiday !== undefined && holidays.percent > 0
      ? [`Holiday surcharge of ${holidays.percent} % on the fare (${pickup.holiday}).`]
      : []),
  ];
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}
