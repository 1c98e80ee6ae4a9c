import { hireHoursOf } from "../../contract/charges.ts";
import { type Notice, notice } from "../../contract/notices.ts";
import { MINUTE } from "../../ops/durations.ts";
import { localDateTime } from "../../ops/local-time.ts";
import type { Operator } from "../catalog/load-operator.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import type { MeasuredRoute } from "../routing/router.ts";
import { minutesAfter } from "../routing/timetable.ts";
import { isTerminal, withFreeWaiting } from "./journey-legs.ts";
import { STEP_MINUTES } from "./latest-pickup.ts";
import type { LocatedPoint } from "./locate-points.ts";
import type { ArriveBy, Journey, Leg, PricedOption } from "./quote.ts";
import { endsOf, type RegularJourney } from "./regular-journey.ts";

/** What is known of a journey once it is priced. */
interface Priced {
  readonly travelMinutes: number;
  readonly timeZone: string;
  readonly options: readonly Pick<PricedOption, "vehicleClass" | "charges">[];
}

/**
 * Notices about the places of a journey: car-free places, labels of positions, stops with their times, airport pickups,
 * connections at night and the end of a hire.
 */
export function legNotices(
  legs: readonly Leg[],
  { points, waitingMinutes: minutes, isRoundTrip }: RegularJourney,
  { hireHours, returnAt, flightNumber }: Pick<Journey, "hireHours" | "returnAt" | "flightNumber">,
  { travelMinutes, timeZone, options }: Priced,
): readonly Notice[] {
  const [from, to] = endsOf(points);
  const stops = legs.filter(({ action }) => action === "stop" || action === "pass");
  const unstated = stops.filter((_, index) => points[index + 1]?.dwellMinutes === null);
  const timeOf = timesSince(legs.find(({ action }) => action === "pickup")?.at ?? "", timeZone);
  const hours = hireHoursOf(options[0]?.charges ?? []);
  return [
    ...points.flatMap((point) => {
      // A hire that ends where it starts has two points with the field `origin`.
      if (point === to && to.field === from.field) return [];
      return [...point.notes, ...carFreeNotices(point, returnAt !== null)];
    }),
    ...stops.flatMap(({ action, place, at, departsAt }) =>
      action === "stop" && at && departsAt
        ? [notice("STOP", { places: place, arrival: timeOf(at), departure: timeOf(departsAt) })]
        : [],
    ),
    ...shortStays(legs),
    // The hours of a hire include stays.
    ...(unstated.length > 0
      ? [notice("STOP", { places: unstated.map(({ place }) => ({ text: place })), hours: hours ?? undefined })]
      : []),
    ...(hireHours !== null && minutes > 0 ? [notice("AGREED_WAITING", { minutes, classes: [], hire: 1 })] : []),
    ...airportNotices(from, "outbound"),
    ...(flightNumber !== null && !isAirport(from) && !isAirport(to)
      ? [notice("FLIGHT_ELSEWHERE", { place: from.place.name })]
      : []),
    ...(returnAt ? airportNotices(to, "return") : []),
    ...leaveNotices(legs, timeZone, timeOf),
    ...options.flatMap((option) => connectionNotices(withFreeWaiting(legs, [option]), timeZone, timeOf)),
    ...(hours === null ? [] : hireEndNotices(legs, { isRoundTrip, travelMinutes, hours }, timeOf)),
  ];

  /** From when waiting or the hours of a hire count, what the times exclude, and that a scheduled flight has to be stated. */
  function airportNotices(point: LocatedPoint, direction: Leg["direction"]) {
    if (!isTerminal(point)) return [];
    const { name: place, iata } = point.place;
    const waits = hireHours === null ? 1 : undefined;
    const classes = freeAt(direction, legs, options);
    const isScheduled = iata !== undefined;
    // The field is that of the outbound journey.
    const own =
      direction === "return"
        ? { at_booking: isScheduled ? 1 : undefined, leg: direction }
        : { unknown: isScheduled && flightNumber === null ? 1 : undefined };
    return [notice("AIRPORT_PICKUP", { place, waits, classes, ...own })];
  }
}

/** Stays at the car stop of a car-free place that the way to that place and back leaves nothing of. */
function shortStays(legs: readonly Leg[]): readonly Notice[] {
  return legs.flatMap(({ at, departsAt, place: stop, minutes, everyMinutes }, index) => {
    const visit = legs[index + 1];
    if (visit?.action !== "visit" || !at || !departsAt || minutes === null || visit.minutes === null) return [];
    const stay = (Date.parse(departsAt) - Date.parse(at)) / MINUTE;
    const way = minutes + visit.minutes;
    if (stay > way + (everyMinutes ?? 0)) return [];
    const every_min = everyMinutes ?? undefined;
    return [notice("SHORT_STAY", { stop, place: visit.place, minutes: stay, way_min: way, every_min })];
  });
}

/** The hours in which connections to car-free places may not run. */
const NIGHT = { fromHour: 23, untilHour: 6 };

/** The classes whose driver waits free after a landing, empty for all, `undefined` for none; requested waiting is in the times. */
function freeAt(direction: Leg["direction"], legs: readonly Leg[], options: Priced["options"]) {
  const waiting = options.filter((option) =>
    withFreeWaiting(legs, [option]).some(
      (leg) => leg.direction === direction && leg.landing && freeMilliseconds(leg) > 0,
    ),
  );
  if (waiting.length === 0) return undefined;
  return waiting.length < options.length ? [{ classes: waiting.map(({ vehicleClass }) => vehicleClass) }] : [];
}

/** How much later than stated the car may leave because the driver waits free. */
function freeMilliseconds({ departsAt, freeUntil }: Leg): number {
  return departsAt === null || freeUntil === null ? 0 : Math.max(0, Date.parse(freeUntil) - Date.parse(departsAt));
}

/**
 * Notices about connections to and from car-free places at night: the catalog has no timetables of them. A traveler who
 * leaves is on the way before the car is there, and after free waiting at the pickup it arrives later than its legs say.
 */
function connectionNotices(legs: readonly Leg[], timeZone: string, timeOf: TimeOf): readonly Notice[] {
  return legs.flatMap(({ place: stop, at, direction }, index) => {
    const own = legs.filter((leg) => leg.direction === direction);
    const beside = [legs[index - 1], legs[index + 1]].find(
      (leg) => leg && own.includes(leg) && ["leave", "visit", "arrive"].includes(leg.action),
    );
    if (!beside || at === null) return [];
    const late = beside.action === "arrive" ? Math.max(...own.map(freeMilliseconds)) : 0;
    const early = beside.action === "leave" ? (beside.minutes ?? 0) + (beside.everyMinutes ?? 0) : 0;
    const times = [minutesAfter(new Date(at), -early), new Date(at), new Date(Date.parse(at) + late)];
    if (!times.some(isAtNight)) return [];
    return [notice("CONNECTION_AT_NIGHT", { stop, time: timeOf(at), place: beside.place })];
  });

  function isAtNight(time: Date): boolean {
    const hour = Number(localDateTime(time, timeZone).slice(11, 13));
    return hour >= NIGHT.fromHour || hour < NIGHT.untilHour;
  }
}

/**
 * By when to leave a car-free place: no timetable is known, so that a whole interval of the connection is added. Where
 * the interval is unknown, any time could be too late; a taxi has none.
 */
function leaveNotices(legs: readonly Leg[], timeZone: string, timeOf: TimeOf): readonly Notice[] {
  return legs.flatMap(({ action, town: place, direction, means, minutes, everyMinutes }, index) => {
    const { place: stop, at } = legs[index + 1] ?? { place: "", at: null };
    if (action !== "leave" || means === "taxi" || minutes === null || at === null) return [];
    const by = everyMinutes === null ? undefined : minutesAfter(new Date(at), -minutes - everyMinutes).toISOString();
    const time = by && timesSince(at, timeZone)(by);
    const leg = direction === "return" ? direction : undefined;
    return [notice("LEAVE_PLACE_BY", { place, time, stop, at: timeOf(at), leg })];
  });
}

/** How a notice writes an instant of the journey. */
type TimeOf = (instant: string) => string;

/** Writes the time alone on the day of the pickup, and the whole local date-time on other days. */
export function timesSince(pickupAt: string, timeZone: string): TimeOf {
  const localOf = (instant: string) => localDateTime(new Date(instant), timeZone);
  const dayOf = (local: string) => local.slice(0, 10);
  const day = dayOf(localOf(pickupAt));
  return (instant) => {
    const local = localOf(instant);
    return dayOf(local) === day ? local.slice(11, 16) : local;
  };
}

/** The operator's own texts for each direction, outbound first: where to meet the driver, and the text for the corridor. */
export function operatorNotices(
  { name: operator, phone, meetingPoints = {}, corridorTexts = {} }: Operator,
  directions: readonly { readonly from: LocatedPoint; readonly corridor: string | null }[],
): readonly Notice[] {
  return directions.flatMap(({ from, corridor }, index) => {
    const { name: place, kind, isSite, id } = from.place;
    const meetingPoint = meetingPoints[id ?? ""];
    const text = corridorTexts[corridor ?? ""];
    // Anywhere else the traveler gives the address.
    const isLarge = !isSite && (kind === "airport" || kind === "station");
    const told = meetingPoint ? { text: meetingPoint } : isLarge ? { operator, phone } : undefined;
    const leg = index === 0 ? undefined : "return";
    return [
      ...(told ? [notice("MEETING_POINT", { place, ...told, leg })] : []),
      ...(text ? [notice("CORRIDOR_TEXT", { text })] : []),
    ];
  });
}

/** Notice about a pickup that was calculated from `arrive_by`. */
export function arrivalNotice(
  { arriveBy, waitingMinutes }: ArriveBy & Pick<Journey, "waitingMinutes">,
  [start, end]: readonly [LocatedPoint, LocatedPoint],
  { notes }: MeasuredRoute,
  { timeZone }: Tariff,
): Notice {
  const local = localDateTime(arriveBy, timeZone);
  const trains = notes.flatMap(({ code, values }) => (code === "CAR_TRAIN" ? [{ text: String(values.name) }] : []));
  return notice("ARRIVE_BY", {
    place: end.carStop.name,
    time: local.slice(11, 16),
    date: local.slice(0, 10),
    step_min: STEP_MINUTES,
    at_airport: isAirport(end) ? 1 : undefined,
    // Waiting that was requested is in the arrival time.
    lands: isTerminal(start) && waitingMinutes === 0 ? 1 : undefined,
    name: trains.length > 0 ? trains : undefined,
  });
}

/** The roads of each direction, where they are known; those of the return only where they are others. */
export function viaNotices([outbound = [], back = []]: readonly (readonly string[] | undefined)[]): readonly Notice[] {
  const isSame = setOf(outbound) === setOf(back);
  const said = (via: readonly string[], leg?: "return") =>
    via.length > 0 ? [notice("VIA", { roads: via.map((text) => ({ text })), leg })] : [];
  return [...said(outbound), ...said(isSame ? [] : back, "return")];
}

/** The parts in no order, with borders the same in either direction. */
function setOf(via: readonly string[]): string {
  return via
    .map((text) => text.split("–").sort().join())
    .sort()
    .join();
}

function isAirport({ place }: LocatedPoint): boolean {
  return place.kind === "airport";
}

/** How to get on from the car stop of a car-free place; empty if the car reaches the place. */
export function carFreeNotices(
  { connection, carStop }: Pick<LocatedPoint, "connection" | "carStop">,
  hasReturn = false,
): readonly Notice[] {
  if (!connection) return [];
  const { name: place, onward, included } = connection;
  const flags = { included: included ? 1 : undefined, returns: hasReturn ? 1 : undefined };
  return [notice("CAR_FREE", { place, stop: carStop.name, onward, ...flags })];
}

/** Notices about where and when a hire ends, and whether its hours are too few to drive back as well. */
function hireEndNotices(
  legs: readonly Leg[],
  { isRoundTrip, travelMinutes, hours }: { isRoundTrip: boolean; travelMinutes: number; hours: number },
  timeOf: TimeOf,
): readonly Notice[] {
  const start = legs.find(({ action }) => action === "pickup");
  const end = legs.find(({ action }) => action === "hire_end");
  if (!start?.at || !end?.at) return [];
  const [origin, place, time] = [start.place, end.place, timeOf(end.at)];
  // A traveler with a flight needs the arrival, which may be before the end of the paid hours.
  const thereAt = minutesAfter(new Date(start.departsAt ?? start.at), travelMinutes).toISOString();
  const isThereBefore = travelMinutes > 0 && Date.parse(thereAt) < Date.parse(end.at);
  const there = isThereBefore ? [notice("HIRE_THERE_FROM", { place, time: timeOf(thereAt) })] : [];
  if (isRoundTrip) return [notice("HIRE_ENDS", { place, time }), ...there];
  // With stops, the drive back may be shorter than the drive out.
  const hasStops = legs.some(({ action }) => action === "stop" || action === "pass");
  const isTooShort = !hasStops && 2 * travelMinutes > hours * 60;
  return [notice("HIRE_ENDS", { place, time, origin, hours: isTooShort ? hours : undefined }), ...there];
}
