import type { Operator } from "../catalog/load-operator.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { type Notice, notice } from "../contract/notices.ts";
import { localDateTime } from "../ops/local-time.ts";
import type { MeasuredRoute } from "../routing/router.ts";
import type { LocatedPoint } from "./locate-points.ts";
import type { ArriveBy, Journey, Leg, PricedJourney } from "./quote.ts";

/** Notices about the places of a journey: car-free places, labels of positions, stops with their times, and airport pickups. */
export function legNotices(
  legs: readonly Leg[],
  points: readonly LocatedPoint[],
  { hireHours, returnAt, flightNumber }: Pick<Journey, "hireHours" | "returnAt" | "flightNumber">,
  timeOf: TimeOf,
): readonly Notice[] {
  const last = points.length - 1;
  const stops = legs.filter(({ action }) => action === "stop" || action === "pass");
  const unstated = stops.filter((_, index) => points[index + 1]?.dwellMinutes === null);
  // The hours of a hire include stays.
  const unstatedCode = hireHours === null ? "STOPS_WITHOUT_STAY" : "HIRE_STOPS";
  return [
    ...points.flatMap((point, index) => {
      const isEnd = index === last && point.field !== points[0]?.field;
      const code = index === 0 ? "CAR_FREE_PICKUP" : isEnd ? "CAR_FREE" : "CAR_FREE_STOP";
      return index === last && !isEnd ? [] : [...point.notes, ...carFreeNotices(code, point)];
    }),
    ...points.flatMap(({ position, text, place }) =>
      position ? [notice("STOP_NEAR", { text, place: place.near ?? place.name })] : [],
    ),
    ...stops.flatMap(({ action, place, at, departsAt }) =>
      action === "stop" && at && departsAt
        ? [notice("STOP", { place, arrival: timeOf(at), departure: timeOf(departsAt) })]
        : [],
    ),
    ...(unstated.length > 0 ? [notice(unstatedCode, { places: unstated.map(({ place }) => ({ text: place })) })] : []),
    ...points
      .slice(0, 1)
      .filter(({ place }) => place.kind === "airport")
      .flatMap(({ place }) => [
        ...(hireHours === null ? [notice("AIRPORT_PICKUP", { place: place.name })] : []),
        ...(flightNumber === null ? [notice("FLIGHT_NUMBER")] : []),
      ]),
    ...(returnAt ? returnStopNotices(points[last], points[0]) : []),
  ];
}

/** The hours in which connections to car-free places may not run. */
const NIGHT = { fromHour: 23, untilHour: 6 };

/** Notices about connections to and from car-free places at night: the catalog has no timetables of them. */
export function connectionNotices(legs: readonly Leg[], timeZone: string, timeOf: TimeOf): readonly Notice[] {
  return legs.flatMap(({ place: stop, at, direction }, index) => {
    const beside = [legs[index - 1], legs[index + 1]].find(
      (leg) => leg?.direction === direction && (leg.action === "leave" || leg.action === "arrive"),
    );
    if (!beside || at === null) return [];
    const hour = Number(localDateTime(new Date(at), timeZone).slice(11, 13));
    if (hour < NIGHT.fromHour && hour >= NIGHT.untilHour) return [];
    return [notice("CONNECTION_AT_NIGHT", { stop, time: timeOf(at), place: beside.place })];
  });
}

/** How a notice writes an instant of the journey. */
type TimeOf = (instant: string) => string;

/** Writes the time alone on the day of the pickup, and the whole local date-time on other days. */
export function timesSince(pickupAt: Date, timeZone: string): TimeOf {
  const day = localDateTime(pickupAt, timeZone).slice(0, 10);
  return (instant) => {
    const local = localDateTime(new Date(instant), timeZone);
    return local.startsWith(day) ? local.slice(11, 16) : local;
  };
}

/** The operator's own texts for each direction, outbound first: the meeting point, and the text for the corridor. */
export function operatorNotices(
  { meetingPoints = {}, corridorTexts = {} }: Pick<Operator, "meetingPoints" | "corridorTexts">,
  directions: readonly { readonly from: LocatedPoint | undefined; readonly corridor: string | null }[],
): readonly Notice[] {
  return directions.flatMap(({ from, corridor }, index) => {
    const meetingPoint = meetingPoints[from?.place.id ?? ""];
    const text = corridorTexts[corridor ?? ""];
    const code = index === 0 ? "MEETING_POINT" : "RETURN_MEETING_POINT";
    return [
      ...(from && meetingPoint ? [notice(code, { place: from.place.name, text: meetingPoint })] : []),
      ...(text ? [notice("CORRIDOR_TEXT", { text })] : []),
    ];
  });
}

/** Notices about a pickup that was calculated from `arrive_by`. */
export function arrivalNotices(
  { arriveBy }: ArriveBy,
  points: readonly LocatedPoint[],
  { notes }: MeasuredRoute,
  { timeZone }: Tariff,
): readonly Notice[] {
  const local = localDateTime(arriveBy, timeZone);
  const end = points[points.length - 1];
  const place = end?.carStop.name ?? "";
  const trains = notes.flatMap(({ code, values }) => (code === "CAR_TRAIN" ? [{ text: String(values.name) }] : []));
  return [
    notice("ARRIVE_BY", { place, time: local.slice(11, 16), date: local.slice(0, 10) }),
    ...(end?.place.kind === "airport" ? [notice("CHECK_IN")] : []),
    ...(trains.length > 0 ? [notice("ARRIVE_BY_TRAIN", { name: trains })] : []),
  ];
}

function returnStopNotices(from: LocatedPoint | undefined, to: LocatedPoint | undefined): readonly Notice[] {
  return [
    ...(from && isElsewhere(from)
      ? [notice("RETURN_PICKUP_IN", { place: from.carStop.name, from: from.place.name })]
      : []),
    ...(from?.place.kind === "airport" ? [notice("RETURN_AIRPORT_PICKUP", { place: from.place.name })] : []),
    ...(to && isElsewhere(to) ? [notice("RETURN_ENDS_AT", { place: to.carStop.name })] : []),
  ];
}

/** How to get on from the car stop of a car-free place; empty if the car reaches the place. */
export function carFreeNotices(
  code: "CAR_FREE" | "CAR_FREE_STOP" | "CAR_FREE_PICKUP",
  { connection, carStop }: Pick<LocatedPoint, "connection" | "carStop">,
): readonly Notice[] {
  if (!connection) return [];
  const { name: place, onward, included = false } = connection;
  return [notice(code, { place, stop: carStop.name, onward, included: included ? 1 : 0 })];
}

/** Notices about where and when a hire ends, and whether its hours are too few to drive back as well. */
export function hireEndNotices(
  legs: readonly Leg[],
  { hours, isRoundTrip, travelMinutes }: { hours: number; isRoundTrip: boolean; travelMinutes: number },
  timeOf: TimeOf,
): readonly Notice[] {
  const origin = legs.find(({ action }) => action === "pickup")?.place ?? "";
  const end = legs.find(({ action }) => action === "hire_end");
  if (!end?.at) return [];
  const { place } = end;
  const time = timeOf(end.at);
  if (isRoundTrip) return [notice("HIRE_RETURNS", { place, time })];
  // With stops, the drive back may be shorter than the drive out.
  const hasStops = legs.some(({ action }) => action === "stop" || action === "pass");
  const isTooShort = !hasStops && 2 * travelMinutes > hours * 60;
  return [
    notice("HIRE_ENDS_AT", { place, time, origin }),
    ...(isTooShort ? [notice("HIRE_NO_WAY_BACK", { hours, origin })] : []),
  ];
}

/** The car stop of a point in a car-free place; `null` if the car reaches the point itself. */
export function carStopOf(point: LocatedPoint | undefined): PricedJourney["carStopAtOrigin"] {
  return point?.connection ? { place: point.carStop.name, onward: point.connection.onward } : null;
}

/** Whether the car stops at another place, because it cannot drive into a car-free one. */
function isElsewhere({ place, carStop }: Pick<LocatedPoint, "place" | "carStop">): boolean {
  return carStop.id !== place.id;
}
