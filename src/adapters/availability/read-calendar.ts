import ICAL from "ical.js";
import type { Span } from "../../domain/quotes/availability.ts";
import { DAY } from "../../ops/durations.ts";
import { instantOfLocal, localDateTime } from "../../ops/local-time.ts";
import { ALL, createMeantBy, createWordOf } from "./event-class.ts";

/** What a calendar is read for. Plain data, which another thread can be given. */
export interface CalendarQuestion {
  /** The vehicle classes; only events for all take one without `vehicles`. */
  readonly classes: readonly { readonly id: string; readonly vehicles?: number | undefined }[];
  /** Of times without a zone: all-day events, for example. */
  readonly timeZone: string;
  /** The times of interest. */
  readonly within: Span;
}

/** What a calendar says about vehicles; nothing of the texts of its events. Plain data. */
export type CalendarReading = ReturnType<typeof readCalendar>;

/** A calendar cannot be used. The message quotes nothing of it, nor of its address. */
export class CalendarError extends Error {
  override readonly name = "CalendarError";
}

/** How many events are named by their begin. */
const FEW = 3;

/** How much of a calendar is read, so that it takes neither long nor much memory. */
const LIMITS = {
  events: 50_000,
  /** Of all events, those before the times of interest included. */
  occurrences: 500_000,
  /** At which vehicles are taken, of all classes: the server has to receive and search them. */
  times: 20_000,
};

/**
 * Reads an iCalendar file (RFC 5545). An event whose summary, or else a category, begins with the id of a class takes one
 * of its vehicles from its begin to its end, with its recurrences and their exceptions; a canceled one takes none. A large
 * file takes seconds, and a malicious one any time. Throws CalendarError.
 */
export function readCalendar(text: string, { classes, timeZone, within }: CalendarQuestion, limits = LIMITS) {
  const components = eventsIn(text);
  if (components.length > limits.events) throw new CalendarError(`it has more than ${limits.events} events`);
  const ids = classes.map(({ id }) => id);
  const [wordOf, meantBy] = [createWordOf(ids), createMeantBy(ids)];
  const exceptions = new Lists<unknown, ICAL.Component>();
  for (const component of components.filter(isException)) exceptions.add(uidOf(component), component);
  const named = new Map<string, number>();
  const spans = new Lists<string, Span>();
  const ownZone = new IanaZone(timeZone);
  const [unnamed, reversed]: [number[], number[]] = [[], []];
  const misspelled = new Lists<string | undefined, number>();
  let steps = 0;
  let unreadable = 0;
  for (const component of components) {
    try {
      const word = wordOf(component);
      if (word !== undefined) named.set(word, (named.get(word) ?? 0) + 1);
      const related = isException(component) ? [] : [...exceptions.of(uidOf(component))];
      const event = new ICAL.Event(component, { exceptions: related });
      const begin = instantOf(event.startDate);
      if (word === undefined) {
        unnamed.push(begin);
        if (!isCanceled(component)) misspelled.add(meantBy(component), begin);
      } else if (instantOf(event.endDate) < begin) reversed.push(begin);
      if (word !== undefined || related.length > 0) addOccurrences(event);
    } catch (error) {
      if (error instanceof CalendarError) throw error;
      unreadable += 1;
    }
  }
  const takenOf = ({ id, vehicles = 1 }: CalendarQuestion["classes"][number], isCounted: boolean) =>
    fullSpans(vehicles, isCounted ? spans.of(id) : [], spans.of(ALL));
  const taken = classes.map((each) => [each.id, takenOf(each, each.vehicles !== undefined)] as const);
  if (taken.reduce((sum, [, times]) => sum + times.length, 0) > limits.times)
    throw new CalendarError(`its events take vehicles at more than ${limits.times} times`);
  const meant = ids.map((id) => [id, nextOf(misspelled.of(id))] as const).filter(([, begins]) => begins.length > 0);
  return {
    /** When no vehicle of a class is free, by id of the class, in order of time. */
    taken: new Map(taken),
    /** Number of events; one that repeats counts once, and so does each of its exceptions. */
    events: components.length,
    /** How many of them begin with the id of a class or with "all", by that word. */
    named,
    /** How many of them cannot be read, and take no vehicle. */
    unreadable,
    /** When the next few begin that name neither, such as `2026-12-08 14:00`. */
    nextUnnamed: nextOf(unnamed),
    /** Those of them that almost begin with the id of a class, by this id. */
    nextMisspelled: new Map(meant),
    /** The same of those that do, but end before they begin, and take no vehicle. */
    nextReversed: nextOf(reversed),
  };

  function nextOf(begins: readonly number[]): readonly string[] {
    const next = begins.filter((begin) => begin >= within.from).sort((a, b) => a - b);
    return next.slice(0, FEW).map((at) => localDateTime(new Date(at), timeZone).slice(0, 16).replace("T", " "));
  }

  function addOccurrences(event: ICAL.Event): void {
    if (!event.isRecurring()) return add(event, event.startDate, event.endDate);
    for (const at of beginsOf(event)) {
      const { item, startDate, endDate } = event.getOccurrenceDetails(at);
      // An exception is an event of its own, unless it stands for the later occurrences too.
      const isReplaced = item.isRecurrenceException() && instantOf(item.recurrenceId) === instantOf(at);
      if (!isReplaced) add(item, startDate, endDate);
    }
  }

  /** When a recurring event begins, each time once. */
  function* beginsOf(event: ICAL.Event): Generator<ICAL.Time> {
    const { component, rangeExceptions } = event;
    const excluded = excludedBy(component);
    // The expansion of ical.js misses an excluded time after one that excludes nothing.
    component.removeAllProperties("exdate");
    const duration = event.duration.toSeconds() * 1000;
    const isPast = (at: ICAL.Time) => rangeExceptions.length === 0 && shownTime(at) + duration < within.from - DAY;
    const occurrences = event.iterator();
    // It gives the first time with a rule alone.
    let at = component.hasProperty("rrule") ? occurrences.next() : event.startDate;
    for (const given = new Set<number>(); at && shownTime(at) < within.to + DAY; at = occurrences.next()) {
      steps += 1;
      if (steps > limits.occurrences) throw new CalendarError(`its events occur more than ${limits.occurrences} times`);
      if (isPast(at)) continue;
      const instant = instantOf(at);
      if (!given.has(instant) && !excluded(at)) yield at;
      given.add(instant);
    }
  }

  function add({ component }: ICAL.Event, start: ICAL.Time, end: ICAL.Time): void {
    // Whatever the zone; most events of a calendar are long past.
    if (shownTime(end) < within.from - DAY) return;
    const span = { from: instantOf(start), to: instantOf(end) };
    if (!(span.from < span.to)) return;
    if (span.to <= within.from || span.from >= within.to) return;
    const word = wordOf(component);
    if (word === undefined || isCanceled(component)) return;
    spans.add(word, span);
  }

  function instantOf(time: ICAL.Time): number {
    const zone = time.zone === ICAL.Timezone.localTimezone ? ownZone : time.zone;
    return shownTime(time) - zone.utcOffset(time) * 1000;
  }

  /** Dates exclude every occurrence that begins on them. */
  function excludedBy(component: ICAL.Component): (at: ICAL.Time) => boolean {
    const values = component.getAllProperties("exdate").flatMap((each) => each.getValues() as ICAL.Time[]);
    const times = new Set(values.map((each) => (each.isDate ? localText(each).slice(0, 10) : instantOf(each))));
    return (at) => times.has(instantOf(at)) || times.has(localText(at).slice(0, 10));
  }
}

/** The events of all calendars in a text; their zones are known to ical.js. */
function eventsIn(text: string): readonly ICAL.Component[] {
  const parts = calendarsIn(text).flatMap(([, , parts]) => parts);
  // Without the calendar around them: ical.js looks for the zone of each time in all parts of that.
  const componentsOf = (name: string) =>
    parts.filter((part) => part[0] === name).map((part) => new ICAL.Component(part));
  ICAL.TimezoneService.reset();
  for (const zone of componentsOf("vtimezone"))
    if (zone.hasProperty("tzid")) ICAL.TimezoneService.register(new ICAL.Timezone(zone));
  // The rules of Node for a zone that it knows are complete.
  for (const name of new Set([...text.matchAll(/;TZID="?([^":;,\r\n]+)/g)].map(([, name = ""]) => name)))
    if (isTimeZone(name)) ICAL.TimezoneService.register(new IanaZone(name), name);
  return componentsOf("vevent");
}

/** A component as RFC 7265 writes it: its name, its properties and its parts. */
type JCal = [name: string, properties: unknown[], parts: JCal[]];

function calendarsIn(text: string): readonly JCal[] {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR\s/i.test(text)) throw new CalendarError("it is no iCalendar file");
  try {
    const parsed: JCal | JCal[] = ICAL.parse(text.replace(/^\uFEFF/, ""));
    return typeof parsed[0] === "string" ? [parsed as JCal] : (parsed as JCal[]);
  } catch {
    // The error quotes the line.
    throw new CalendarError("it is broken iCalendar");
  }
}

/** A zone of Node's own data. */
class IanaZone extends ICAL.Timezone {
  /** By day: the offset of every hour of it, or `undefined` if clocks change. */
  readonly #days = new Map<string, number | undefined>();

  constructor(name: string) {
    super({ tzid: name });
  }

  /** In seconds. */
  override utcOffset(time: ICAL.Time): number {
    const local = localText(time);
    const day = local.slice(0, 10);
    if (!this.#days.has(day)) {
      const first = this.#offsetAt(`${day}T00:00:00`);
      this.#days.set(day, first === this.#offsetAt(`${day}T23:59:59`) ? first : undefined);
    }
    return this.#days.get(day) ?? this.#offsetAt(local);
  }

  #offsetAt(local: string): number {
    return (Date.parse(`${local}Z`) - instantOfLocal(local, this.tzid).getTime()) / 1000;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** As if clocks showed UTC. */
function shownTime({ year, month, day, hour, minute, second }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** "2026-12-24T10:00:00", as clocks show it; midnight of a date. */
function localText({ year, month, day, hour, minute, second }: ICAL.Time): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`;
}

function isCanceled(component: ICAL.Component): boolean {
  return component.getFirstPropertyValue("status") === "CANCELLED";
}

function isException(component: ICAL.Component): boolean {
  return component.hasProperty("recurrence-id");
}

function uidOf(component: ICAL.Component): unknown {
  return component.getFirstPropertyValue("uid");
}

/** A list for each key. */
class Lists<Key, Value> {
  readonly #lists = new Map<Key, Value[]>();

  of(key: Key): readonly Value[] {
    return this.#lists.get(key) ?? [];
  }

  add(key: Key, value: Value): void {
    const list = this.#lists.get(key);
    if (list) list.push(value);
    else this.#lists.set(key, [value]);
  }
}

/** When at least `vehicles` are taken by spans of one vehicle each, or of all. */
function fullSpans(vehicles: number, ofOne: readonly Span[], ofAll: readonly Span[]): readonly Span[] {
  const changes = (spans: readonly Span[], count: number) =>
    spans.flatMap(({ from, to }) => [
      { at: from, by: count },
      { at: to, by: -count },
    ]);
  // At one instant vehicles become free before others are taken.
  const all = [...changes(ofOne, 1), ...changes(ofAll, vehicles)].sort((a, b) => a.at - b.at || a.by - b.by);
  const full: Span[] = [];
  let count = 0;
  let from = 0;
  for (const { at, by } of all) {
    const wasFull = count >= vehicles;
    count += by;
    if (!wasFull && count >= vehicles) from = at;
    if (wasFull && count < vehicles) full.push({ from, to: at });
  }
  return full;
}
