import type { CarTrain } from "../catalog/roads-schema.ts";
import { localTimeIn } from "../ops/local-time.ts";
import { isWithin } from "./seasons.ts";

/** A day as closures and timetables distinguish it. */
export interface LocalDay {
  /** MM-DD */
  readonly monthDay: string;
  readonly weekday: (typeof WEEKDAYS)[number];
}

interface LocalMoment extends LocalDay {
  /** Minutes since midnight, seconds as a fraction. */
  readonly minute: number;
}

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const MINUTES_A_DAY = 1_440;

export function localMoment(at: Date, timeZone: string): LocalMoment {
  const local = localTimeIn(timeZone)(at);
  const weekday = WEEKDAYS[new Date(`${local.slice(0, 10)}T00:00Z`).getUTCDay()] ?? "sun";
  return {
    monthDay: local.slice(5, 10),
    weekday,
    minute: minuteOf(local.slice(11, 16)) + Number(local.slice(17, 23)) / 60,
  };
}

/** Minutes from the arrival at the terminal to the departure in the train's hours; `undefined` where none runs that day. */
export function usualWait(train: CarTrain, day: LocalDay): number | undefined {
  if (!train.timetable) return train.loadingMinutes;
  const entry = entryFor(train.timetable, day);
  return entry && train.loadingMinutes + averageWait(entry);
}

/**
 * The same for an arrival at that instant: until the first train where none runs yet, and until that of the next day
 * after the last; `undefined` where none runs then either. An earlier arrival never leaves later.
 */
export function waitAt(train: CarTrain, arrival: Date, timeZone: string, isNextDay = false): number | undefined {
  if (!train.timetable) return train.loadingMinutes;
  const moment = localMoment(arrival, timeZone);
  const entry = entryFor(train.timetable, moment);
  const ready = moment.minute + train.loadingMinutes;
  if (entry && ready <= minuteOf(entry.last)) {
    return train.loadingMinutes + Math.max(0, minuteOf(entry.first) - ready) + averageWait(entry);
  }
  if (isNextDay) return undefined;
  const untilMidnight = MINUTES_A_DAY - moment.minute;
  const wait = waitAt(train, minutesAfter(arrival, untilMidnight), timeZone, true);
  return wait === undefined ? undefined : untilMidnight + wait;
}

export function minutesAfter(at: Date, minutes: number): Date {
  return new Date(at.getTime() + minutes * 60_000);
}

type Departures = NonNullable<CarTrain["timetable"]>[number];

function entryFor(timetable: readonly Departures[], { monthDay, weekday }: LocalDay) {
  return timetable.find(
    ({ season, days }) =>
      (season === undefined || isWithin(season, monthDay)) && (days === undefined || days.includes(weekday)),
  );
}

/** Timetables are kept as intervals, and the first train may be full: a car waits for half of one on average. */
function averageWait({ everyMinutes }: Departures): number {
  return Math.ceil(everyMinutes / 2);
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
