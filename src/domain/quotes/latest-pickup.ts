import { PublicError } from "../../contract/errors.ts";
import { MINUTE } from "../../ops/durations.ts";
import { instantOfLocal, localDateTime } from "../../ops/local-time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { MeasuredRoute } from "../routing/router.ts";
import { minutesAfter } from "../routing/timetable.ts";
import { forSooner, type PickupRange, widestRange, withClasses } from "./journey-times.ts";
import type { ArriveBy } from "./quote.ts";

/** Minutes between the pickups that are tried. */
export const STEP_MINUTES = 5;
const STEP = STEP_MINUTES * MINUTE;
/** No drive takes longer, even if it waits overnight for the first car train. */
const MOST_DAYS = 3;

interface Arrival extends ArriveBy {
  readonly waitingMinutes: number;
  /** Sum over all stops. */
  readonly dwellMinutes: number;
  /** A lower bound of the driving time: the caller's own duration on an estimate, otherwise 0. */
  readonly leastMinutes: number;
}

interface TimedPickup {
  readonly pickupAt: Date;
  readonly route: MeasuredRoute;
  readonly arrivesAt: Date;
}

interface Site {
  readonly now: Date;
  /** The accepted pickups of each vehicle class. */
  readonly ranges: readonly PickupRange[];
  readonly catalog: Catalog;
  measureAt(leavesAt: Date): Promise<MeasuredRoute>;
}

/**
 * The latest pickup with which the car arrives in time, and its route. Throws PAST_DATETIME or LEAD_TIME_NOT_SUPPORTED,
 * whose message contains the earliest or latest accepted arrival.
 */
export async function pickupToArrive(
  arrival: Arrival,
  { now, ranges, catalog, measureAt }: Site,
): Promise<TimedPickup> {
  const { arriveBy, waitingMinutes, dwellMinutes } = arrival;
  const { operator, tariff } = catalog;
  const { earliest, latest } = widestRange(ranges);
  const found = await latestPickup(arrival, { earliest, latest, timeZone: tariff.timeZone }, arrivalOf);
  if (found && found.pickupAt <= latest) return found;
  const accepted = await arrivalOf(found ? stepBefore(latest.getTime()) : stepAfter(earliest.getTime()));
  const at = localDateTime(accepted.arrivesAt, tariff.timeZone);
  const limited = withClasses(ranges, found ? "latest" : "earliest");
  const limit = `The ${found ? "latest" : "earliest"} arrival that is accepted${limited} is ${at}.`;
  const isPast = !found && (arriveBy < now || (await arrivalOf(stepAfter(now.getTime()))).arrivesAt > arriveBy);
  const when = found ? "later than the horizon" : isPast ? "in the past" : "sooner than the lead time";
  const detail = `The pickup for this arrival is ${when}. ${limit}`;
  throw new PublicError(isPast ? "PAST_DATETIME" : "LEAD_TIME_NOT_SUPPORTED", detail, {
    nextAction: `Ask the traveler for an arrival at ${at} or ${found ? "earlier." : `later. ${forSooner(operator)}`}`,
    fieldErrors: [{ field: "arrive_by", message: limit }],
  });

  async function arrivalOf(pickup: number): Promise<TimedPickup> {
    const leavesAt = minutesAfter(new Date(pickup), waitingMinutes);
    const route = await measureAt(leavesAt);
    return {
      pickupAt: new Date(pickup),
      route,
      arrivesAt: minutesAfter(leavesAt, dwellMinutes + route.durationMinutes),
    };
  }
}

/**
 * The latest pickup, in steps of 5 minutes, with which the car arrives in time. It is at most one step after `latest`;
 * `undefined` if it would be before `earliest`.
 *
 * Each local day is searched separately, the last one first, because roads open and close at midnight. Within a day a
 * later pickup never arrives earlier: the car waits for the first train, and takes a detour after the last one. Mostly
 * the driving time does not depend on the hour. Then the first estimate is right and the next step is too late, which
 * takes three measurements. Otherwise the interval is bisected.
 */
async function latestPickup(
  { arriveBy, waitingMinutes, dwellMinutes, leastMinutes }: Arrival,
  { earliest, latest, timeZone }: PickupRange & { readonly timeZone: string },
  arrivalOf: (pickup: number) => Promise<TimedPickup>,
): Promise<TimedPickup | undefined> {
  const lowest = stepAfter(earliest.getTime());
  const deadline = arriveBy.getTime();
  const fixed = (waitingMinutes + dwellMinutes + leastMinutes) * MINUTE;
  let last = Math.min(stepBefore(deadline - fixed), stepBefore(latest.getTime()) + STEP);
  let closed: PublicError | undefined;
  for (let day = 0; day < MOST_DAYS && last >= lowest; day++) {
    const first = Math.max(lowest, firstOfDay(last));
    const found = await latestIn(first, last);
    if (found) return found;
    last = first - STEP;
  }
  if (closed && last >= lowest) throw closed;
  return undefined;

  async function latestIn(first: number, last: number): Promise<TimedPickup | undefined> {
    const atLast = await measured(last);
    if (atLast && isInTime(atLast)) return atLast;
    const near = atLast ? Math.max(first, stepBefore(deadline - (atLast.arrivesAt.getTime() - last))) : first;
    const atNear = await measured(near);
    if (atNear && isInTime(atNear)) return latestBetween(atNear, last);
    const atFirst = near > first ? await measured(first) : undefined;
    return atFirst && isInTime(atFirst) ? latestBetween(atFirst, near) : undefined;
  }

  /** The latest pickup that arrives in time, between `found`, which does, and `tooLate`, which does not. */
  async function latestBetween(found: TimedPickup, tooLate: number): Promise<TimedPickup> {
    let [latest, end] = [found, tooLate];
    let probe = latest.pickupAt.getTime() + STEP;
    while (probe < end) {
      const next = await measured(probe);
      if (next && isInTime(next)) latest = next;
      else end = probe;
      probe = stepBefore((latest.pickupAt.getTime() + end + STEP) / 2);
    }
    return latest;
  }

  /** `undefined` if no road is open. */
  async function measured(pickup: number): Promise<TimedPickup | undefined> {
    try {
      return await arrivalOf(pickup);
    } catch (error) {
      if (!(error instanceof PublicError) || error.code !== "UNSUPPORTED_ROUTE") throw error;
      closed = error;
      return undefined;
    }
  }

  function isInTime({ arrivesAt }: TimedPickup): boolean {
    return arrivesAt.getTime() <= deadline;
  }

  /** The first pickup for which the car leaves, after the wait, on the same local day as for this pickup. */
  function firstOfDay(pickup: number): number {
    const waiting = waitingMinutes * MINUTE;
    const day = localDateTime(new Date(pickup + waiting), timeZone).slice(0, 10);
    return stepAfter(instantOfLocal(`${day}T00:00:00`, timeZone).getTime() - waiting);
  }
}

function stepBefore(at: number): number {
  return Math.floor(at / STEP) * STEP;
}

function stepAfter(at: number): number {
  return Math.ceil(at / STEP) * STEP;
}
