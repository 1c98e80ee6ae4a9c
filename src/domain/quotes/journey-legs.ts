import { freeWaitingOf } from "../../contract/charges.ts";
import { townText } from "../places/place-finder.ts";
import { minutesAfter } from "../routing/timetable.ts";
import { type LocatedPoint, stopOf } from "./locate-points.ts";
import { type Driven, dwellOf } from "./measured-journey.ts";
import type { Leg, PricedJourney, PricedOption } from "./quote.ts";
import { endsOf } from "./regular-journey.ts";

/**
 * The legs of one direction, in order of travel: one for each place where one has to be. Everything that is said about
 * where the car is, and when, derives from them. `hours` are those that a hire is charged, `null` for a transfer.
 */
export function legsOf(way: Driven, hours: number | null): readonly Leg[] {
  const { direction, points, pickupAt, waitingMinutes, route } = way;
  const [from, to] = endsOf(points);
  const stages = stagesOf(way);
  /** By default a place where the car is not, and from where the journey does not go on. */
  const leg = (action: Leg["action"], own: Pick<Leg, "place" | "town" | "exact"> & Partial<Leg>): Leg => ({
    direction,
    action,
    at: null,
    departsAt: null,
    landing: false,
    freeUntil: null,
    means: null,
    minutes: null,
    everyMinutes: null,
    included: false,
    ...own,
  });
  const legs: Leg[] = [];
  const leavesAt = minutesAfter(pickupAt, waitingMinutes);
  if (from.connection) legs.push(leg("leave", { ...carFreePlace(from), ...onwardFrom(from) }));
  const times = { at: pickupAt.toISOString(), departsAt: leavesAt.toISOString() };
  const landing = hours === null && isTerminal(from);
  legs.push(leg("pickup", { ...placeOf(from), ...times, landing, ...byCar(stages[0]) }));
  let at: Date | null = leavesAt;
  points.slice(1, -1).forEach((point, index) => {
    const { dwellMinutes } = point;
    at = later(at, stages[index]);
    const departsAt = later(at, dwellMinutes ?? 0);
    const times = { at: at?.toISOString() ?? null, departsAt: departsAt?.toISOString() ?? null };
    const onward = byCar(stages[index + 1]);
    const isVisited = point.connection !== undefined && Boolean(dwellMinutes);
    const way = isVisited ? onwardFrom(point) : onward;
    legs.push(leg(dwellMinutes ? "stop" : "pass", { ...placeOf(point), ...times, ...way }));
    // From the car stop to the car-free place and back, while the car waits.
    if (isVisited) {
      const goesOn = { at: times.departsAt, departsAt: times.departsAt };
      legs.push(
        leg("visit", { ...carFreePlace(point), ...way }),
        leg("resume", { ...placeOf(point), ...goesOn, ...onward }),
      );
    }
    at = departsAt;
  });
  // A hire ends with its charged hours, a transfer when the car has driven its way with all stays.
  const end =
    hours === null
      ? minutesAfter(leavesAt, route.durationMinutes + dwellOf(points))
      : minutesAfter(pickupAt, hours * 60);
  const arrival = { ...placeOf(to), at: end.toISOString() };
  legs.push(leg(hours === null ? "drop_off" : "hire_end", { ...arrival, ...(to.connection && onwardFrom(to)) }));
  if (to.connection) legs.push(leg("arrive", carFreePlace(to)));
  return legs;
}

/** The legs with the free waiting that these options are charged. */
export function withFreeWaiting(legs: readonly Leg[], options: readonly Pick<PricedOption, "charges">[]) {
  const free = options.flatMap(({ charges }) => freeWaitingOf(charges) ?? []);
  return legs.map((leg) => {
    const minutes = free.flatMap((each) => each[leg.direction] ?? []);
    if (leg.action !== "pickup" || leg.at === null || minutes.length === 0) return leg;
    return { ...leg, freeUntil: minutesAfter(new Date(leg.at), Math.min(...minutes)).toISOString() };
  });
}

/** Whether flights are met at the point: not at a hotel at the airport. */
export function isTerminal({ place }: LocatedPoint): boolean {
  return place.kind === "airport" && !place.isSite;
}

/** Minutes from each point to the next; `null` where unknown, and for a hire that leads nowhere in particular. */
function stagesOf({ points, hireHours, route }: Driven): readonly (number | null)[] {
  const { durationMinutes, stageMinutes } = route;
  const isKnown = hireHours === null || durationMinutes > 0;
  if (isKnown && stageMinutes?.length === points.length - 1) return stageMinutes;
  return points.slice(1).map(() => (isKnown && points.length === 2 ? durationMinutes : null));
}

function carFreePlace({ place, connection }: LocatedPoint) {
  return { place: place.name, town: connection?.name ?? place.name, exact: true };
}

function placeOf(point: LocatedPoint) {
  const { name, isPosition, town } = point.carStop;
  // An address that was given is not agreed later, although its position is unknown.
  return {
    place: name,
    town: isPosition ? townText(town) : name,
    exact: !stopOf(point).isAnywhereInTown || point.isOnlyTownKnown === true,
  };
}

function byCar(minutes: number | null | undefined) {
  return { means: "car", minutes: minutes ?? null, included: true } as const;
}

/** The connection between a car-free place and its car stop, in either direction. */
function onwardFrom({ connection }: LocatedPoint) {
  const { means = null, minutes = null, everyMinutes = null, included = false } = connection ?? {};
  return { means, minutes, everyMinutes, included };
}

function later(at: Date | null, minutes: number | null | undefined): Date | null {
  return at === null || minutes === null || minutes === undefined ? null : minutesAfter(at, minutes);
}

/** When the car is at the end of each direction. */
export function arrivalsOf({ legs }: Pick<PricedJourney, "legs">) {
  const endOfDirection = (direction: Leg["direction"]) =>
    legs.find((leg) => leg.direction === direction && (leg.action === "drop_off" || leg.action === "hire_end"))?.at;
  return { arrivalAt: endOfDirection("outbound") ?? null, returnArrivalAt: endOfDirection("return") ?? null };
}
