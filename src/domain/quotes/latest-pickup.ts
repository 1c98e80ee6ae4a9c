import { PublicError } from "../../contract/errors.ts";
import { DAY, HOUR, MINUTE } from "../../ops/durations.ts";
import { localDateTime } from "../../ops/local-time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { unlessClosed } from "../routing/router.ts";
import { minutesAfter } from "../routing/timetable.ts";
import { forSooner, type PickupRange, widestRange, withClasses } from "./journey-times.ts";
import type { ChargedRoute } from "./measured-journey.ts";
import type { ArriveBy } from "./quote.ts";

/** Minutes between the pickups that are tried. */
export const STEP_MINUTES = 5;
const STEP = STEP_MINUTES * MINUTE;
/** No drive takes longer, even if it waits overnight for the first car train. */
const MOST_DAYS = 3;

/** Where no road is open, so much earlier is tried. */
const CLOSED_STEP = 6 * HOUR;

interface Arrival extends ArriveBy {
  readonly waitingMinutes: number;
  /** Sum over all stops. */
  readonly dwellMinutes: number;
  /** A lower bound of the driving time: the caller's own duration on an estimate, otherwise 0. */
  readonly leastMinutes: number;
}

interface TimedPickup {
  readonly pickupAt: Date;
  readonly route: ChargedRoute;
  readonly arrivesAt: Date;
}

interface Site {
  readonly now: Date;
  /** The accepted pickups of each vehicle class. */
  readonly ranges: readonly PickupRange[];
  readonly catalog: Catalog;
  measureAt(leavesAt: Date): Promise<ChargedRoute>;
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
  const found = await latestPickup(arrival, { earliest, latest }, arrivalOf);
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
 * `undefined` if it would be before `earliest`. Throws what the router throws where no road is open in these days.
 *
 * A pickup that is too late by some minutes is tried again by as many minutes earlier, one that is too early later. The
 * driving time mostly does not depend on the hour: then the first is right and the next step too late, which takes three
 * measurements. Where a train or a closed road makes a jump, what lies between two tries is halved.
 */
async function latestPickup(
  { arriveBy, waitingMinutes, dwellMinutes, leastMinutes }: Arrival,
  { earliest, latest }: PickupRange,
  arrivalOf: (pickup: number) => Promise<TimedPickup>,
): Promise<TimedPickup | undefined> {
  const fixed = (waitingMinutes + dwellMinutes + leastMinutes) * MINUTE;
  const last = Math.min(stepBefore(arriveBy.getTime() - fixed), stepBefore(latest.getTime()) + STEP);
  const first = Math.max(stepAfter(earliest.getTime()), last - MOST_DAYS * DAY);
  let found: TimedPickup | undefined;
  let closed: unknown;
  let tooLate = last + STEP;
  for (let pickup = last; pickup >= first && pickup < tooLate; ) {
    const tried = await arrivalOf(pickup).catch((error) => {
      closed = error;
      return unlessClosed(error);
    });
    const spare = tried ? arriveBy.getTime() - tried.arrivesAt.getTime() : -CLOSED_STEP;
    const next = stepBefore(pickup + spare);
    if (tried && spare >= 0) {
      found = tried;
      pickup = next > pickup && next < tooLate ? next : pickup + STEP;
    } else {
      tooLate = pickup;
      pickup = found ? stepBefore((found.pickupAt.getTime() + STEP + tooLate) / 2) : Math.min(next, pickup - STEP);
    }
  }
  if (!found && closed && first > earliest.getTime() + STEP) throw closed;
  return found;
}

function stepBefore(at: number): number {
  return Math.floor(at / STEP) * STEP;
}

function stepAfter(at: number): number {
  return Math.ceil(at / STEP) * STEP;
}
