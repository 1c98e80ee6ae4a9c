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
  const day = local.toISODate() ?? "";
  const { fromHour, toHour } = tariff.night;
  return {
    night: local.hour >= fromHour && local.hour < toHour,
    holiday: tariff.holidays.days.some((holiday) => falls(holiday, day)),
    day,
  };
}

function falls(holiday: Tariff["holidays"]["days"][number], localDay: string): boolean {
  if ("date" in holiday) return localDay.slice(5) === holiday.date;
  const { year, month, day } = easter(Number(localDay.slice(0, 4)));
  return DateTime.utc(year, month, day).plus({ days: holiday.daysFromEaster }).toISODate() === localDay;
}
