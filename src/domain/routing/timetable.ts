import { type Notice, notice } from "../../contract/notices.ts";
import { DAY, MINUTE } from "../../ops/durations.ts";
import { localTimeIn } from "../../ops/local-time.ts";
import type { RoadData } from "../catalog/catalog.ts";
import { isInDays } from "../catalog/fields.ts";
import { type CarTrain, type RoadEdge, WEEKDAYS } from "../catalog/roads-schema.ts";

const UNCERTAIN_DAYS = 21;

export function isClosed({ closed }: Pick<RoadEdge, "closed">, monthDay: string): boolean {
  return closed !== undefined && isInDays(closed, monthDay);
}

/** Whether the road usually opens or closes so near to that day that it may be open or closed. */
export function isUncertain({ closed }: Pick<RoadEdge, "closed">, monthDay: string): boolean {
  if (!closed) return false;
  const today = midnightOf(monthDay);
  // The road opens on the day after its last closed one.
  const changes = [midnightOf(closed.from), midnightOf(closed.to) + DAY];
  return changes.some((change) => daysBetween(change, today) <= UNCERTAIN_DAYS);
}

/** Counted in the shorter direction around the year. */
function daysBetween(a: number, b: number): number {
  const days = Math.abs(a - b) / DAY;
  return Math.min(days, 366 - days);
}

/** The year is a leap year, so that 29 February exists. */
function midnightOf(monthDay: string): number {
  return Date.parse(`2024-${monthDay}T00:00:00Z`);
}

/** A road that is closed in winter, on a given day. Days are MM-DD, both included. */
export interface SeasonalRoad {
  readonly name: string;
  readonly closedFrom: string;
  readonly closedTo: string;
  readonly isClosed: boolean;
  /** Usually opens or closes within three weeks of that day. */
  readonly isUncertain: boolean;
}

/** The roads that have a season, each once. */
export function seasonalRoads(
  route: readonly RoadEdge[],
  { nodes }: Pick<RoadData, "nodes">,
  monthDay: string,
): readonly SeasonalRoad[] {
  const roads = new Map<string, SeasonalRoad>();
  for (const edge of route) {
    // Car trains with a season replace a pass, and run by their timetable.
    if (!edge.closed || edge.carTrain) continue;
    const { from, to } = edge.closed;
    const name = edge.name ?? `The road between ${nodes.get(edge.from)?.name} and ${nodes.get(edge.to)?.name}`;
    roads.set(name, {
      name,
      closedFrom: from,
      closedTo: to,
      isClosed: isClosed(edge, monthDay),
      isUncertain: isUncertain(edge, monthDay),
    });
  }
  return [...roads.values()];
}

/** A doubt where a pass on the route is near its usual opening or closing. */
export function seasonDoubts({ name, closedFrom: from, closedTo: to, isUncertain }: SeasonalRoad): readonly Notice[] {
  return isUncertain ? [notice("PASS_CLOSED", { name, from, to, uncertain: 1 })] : [];
}

/** A note where a pass that the route avoids may be open that day, or is closed so that the route is a detour. */
export function seasonNotes(road: SeasonalRoad, isDetour: boolean): readonly Notice[] {
  const { name, closedFrom: from, closedTo: to, isUncertain, isClosed } = road;
  if (isUncertain) return [notice("PASS_AVOIDED", { name, from, to, uncertain: 1 })];
  return isClosed && isDetour ? [notice("PASS_AVOIDED", { name, from, to })] : [];
}

/** The parts of a local date that closures and timetables depend on. */
export interface LocalDay {
  /** MM-DD */
  readonly monthDay: string;
  readonly weekday: (typeof WEEKDAYS)[number];
}

interface LocalMoment extends LocalDay {
  /** Minutes since midnight, seconds as a fraction. */
  readonly minute: number;
}

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

/** Minutes between arrival at the terminal and departure in the train's hours; `undefined` where none runs that day. */
export function usualWait(train: CarTrain, day: LocalDay): number | undefined {
  if (!train.timetable) return train.loadingMinutes;
  const entry = entryFor(train.timetable, day);
  return entry && train.loadingMinutes + averageWait(entry);
}

/**
 * Minutes between an arrival at that instant and the departure: before the first train until it runs, after the last
 * until the first of the next day; `undefined` where none runs then either. An earlier arrival never leaves later.
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
  return new Date(at.getTime() + minutes * MINUTE);
}

type Departures = NonNullable<CarTrain["timetable"]>[number];

function entryFor(timetable: readonly Departures[], { monthDay, weekday }: LocalDay) {
  return timetable.find(
    ({ season, days }) =>
      (season === undefined || isInDays(season, monthDay)) && (days === undefined || days.includes(weekday)),
  );
}

/** Timetables state intervals: a car waits half of one on average, also for the first train, which may be full. */
function averageWait({ everyMinutes }: Departures): number {
  return Math.ceil(everyMinutes / 2);
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
