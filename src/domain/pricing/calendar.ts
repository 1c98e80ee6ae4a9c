import { easter } from "date-easter";
import { DAY } from "../../ops/durations.ts";
import { localTimeIn } from "../../ops/local-time.ts";
import { isInDays } from "../catalog/fields.ts";
import { WEEKDAYS, type When } from "../catalog/offer-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";

/** A pickup in the tariff's time zone, with what the tariff's calendar says about it. */
export interface PickupTime {
  readonly night: boolean;
  /** Name of the holiday, the first if there are several; `undefined` on other days. */
  readonly holiday: string | undefined;
  /** Local calendar day, YYYY-MM-DD. */
  readonly day: string;
  /** Local hour, 0 to 23. */
  readonly hour: number;
}

export function pickupTime(tariff: Tariff, at: Date): PickupTime {
  const local = localTimeIn(tariff.timeZone)(at);
  const day = local.slice(0, 10);
  const hour = Number(local.slice(11, 13));
  const { fromHour, toHour } = tariff.night;
  return {
    night: isHourIn({ from: fromHour, to: toHour }, hour),
    holiday: holidayOn(day, tariff.holidays.days),
    day,
    hour,
  };
}

/** Whether a rule applies at a time; an absent condition does not limit it. */
export function isWithin({ dates, weekdays, hours }: When, { day, hour }: PickupTime): boolean {
  if (dates && !dates.some((range) => isInDays(range, day))) return false;
  if (weekdays && !weekdays.includes(weekdayOf(day))) return false;
  return !hours || isHourIn(hours, hour);
}

/** `to` is exclusive, and smaller than `from` if the span crosses midnight. */
export function isHourIn({ from, to }: NonNullable<When["hours"]>, hour: number): boolean {
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
}

function weekdayOf(day: string): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? "sunday";
}

function holidayOn(day: string, holidays: Tariff["holidays"]["days"]): string | undefined {
  const year = Number(day.slice(0, 4));
  const sunday = easter(year);
  const daysFromEaster = (Date.parse(day) - Date.UTC(year, sunday.month - 1, sunday.day)) / DAY;
  const isOnDay = (holiday: (typeof holidays)[number]) =>
    "date" in holiday ? holiday.date === day.slice(5) : holiday.daysFromEaster === daysFromEaster;
  return holidays.find(isOnDay)?.name;
}
