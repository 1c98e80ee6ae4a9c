import { easter } from "date-easter";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { localTimeIn } from "../ops/local-time.ts";

/** A pickup by the tariff's clock and calendar. */
export interface PickupTime {
  readonly night: boolean;
  /** Its name, or `undefined` on other days. */
  readonly holiday: string | undefined;
  /** Local calendar day, YYYY-MM-DD. */
  readonly day: string;
}

export function pickupTime(tariff: Tariff, at: Date): PickupTime {
  const local = localTimeIn(tariff.timeZone)(at);
  const day = local.slice(0, 10);
  const hour = Number(local.slice(11, 13));
  const { fromHour, toHour } = tariff.night;
  return {
    night: hour >= fromHour && hour < toHour,
    holiday: tariff.holidays.days.find((holiday) => falls(holiday, day))?.name,
    day,
  };
}

function falls(holiday: Tariff["holidays"]["days"][number], localDay: string): boolean {
  if ("date" in holiday) return localDay.slice(5) === holiday.date;
  const { year, month, day } = easter(Number(localDay.slice(0, 4)));
  const date = new Date(Date.UTC(year, month - 1, day + holiday.daysFromEaster));
  return date.toISOString().slice(0, 10) === localDay;
}
