import type { Tariff } from "../catalog/tariff-schema.ts";
import { type Notice, notice } from "../contract/notices.ts";
import type { PickupTime } from "./calendar.ts";

type Direction = "" | "OUTBOUND_" | "RETURN_";

/** For the traveler: which surcharges the price includes, and why. */
export function surchargeNotes(tariff: Tariff, outbound: PickupTime, back?: PickupTime): readonly Notice[] {
  if (!back) return notesOf(tariff, outbound, "");
  return [...notesOf(tariff, outbound, "OUTBOUND_"), ...notesOf(tariff, back, "RETURN_")];
}

function notesOf({ night, holidays }: Tariff, pickup: PickupTime, direction: Direction): readonly Notice[] {
  const { percent, fromHour, toHour } = night;
  const { holiday } = pickup;
  const hours = { from: clock(fromHour), to: clock(toHour) };
  return [
    ...(pickup.night && percent > 0 ? [notice(`${direction}NIGHT_SURCHARGE`, { percent, ...hours })] : []),
    ...(holiday !== undefined && holidays.percent > 0
      ? [notice(`${direction}HOLIDAY_SURCHARGE`, { percent: holidays.percent, holiday })]
      : []),
  ];
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}
