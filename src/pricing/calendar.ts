import { easter } from "date-easter";
import { DateTime } from "luxon";
import type { Tariff } from "../published/schema.ts";

/** What the tariff's clock and calendar say of a pickup. */
export interface PickupTime {
  readonly night: boolean;
  readonly holiday: boolean;
  /** Local calendar day, YYYY-MM-DD. */
  readonly day: string;
}

export function pickupTime(tariff: Tariff, at: Date): PickupTime {
  const local = DateTime.fromJSDate(at, { zone: tariff.timeZone });
  const { fromHour, toHour } = tariff.night;
  return {
    night: local.hour >= fromHour && local.hour < toHour,
    holiday: tariff.holidays.days.some((day) => falls(day, local)),
    day: local.toISODate() ?? "",
  };
}

function falls(day: Tariff["holidays"]["days"][number], local: DateTime): boolean {
  if ("date" in day) return local.toFormat("MM-dd") === day.date;
  const { year, month, day: dayOfMonth } = easter(local.year);
  const sunday = DateTime.fromObject({ year, month, day: dayOfMonth }, { zone: local.zone });
  return sunday.plus({ days: day.daysFromEaster }).hasSame(local, "day");
}
