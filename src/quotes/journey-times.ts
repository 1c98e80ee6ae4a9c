import { PublicError } from "../contract/errors.ts";
import { localDateTime } from "../ops/local-time.ts";
import type { Window } from "../pricing/availability.ts";

const MINUTE = 60_000;

/** First and last instant of a pickup that is accepted. */
interface PickupRange {
  readonly earliest: Date;
  readonly latest: Date;
}

export function pickupRange(now: Date, { leadTimeHours, horizonDays }: Window): PickupRange {
  return {
    earliest: new Date(now.getTime() + leadTimeHours * 60 * MINUTE),
    latest: new Date(now.getTime() + horizonDays * 24 * 60 * MINUTE),
  };
}

/** Throws PAST_DATETIME or LEAD_TIME_NOT_SUPPORTED where a pickup lies in none of the ranges. */
export function checkPickup(pickupAt: Date, now: Date, ranges: readonly PickupRange[], timeZone: string): void {
  if (ranges.some(({ earliest, latest }) => pickupAt >= earliest && pickupAt <= latest)) return;
  const earliest = new Date(Math.min(...ranges.map((range) => range.earliest.getTime())));
  const latest = new Date(Math.max(...ranges.map((range) => range.latest.getTime())));
  const { from, to } = rangeTexts({ earliest, latest }, timeZone);
  const range = `from ${from} to ${to}`;
  const nextAction = `Ask the traveler for a pickup ${range}.`;
  if (pickupAt < now) {
    throw new PublicError("PAST_DATETIME", `The pickup is in the past. Pickups are accepted ${range}.`, {
      nextAction,
      fieldErrors: [{ field: "pickup_datetime", message: `In the past; accepted ${range}.` }],
    });
  }
  const which = pickupAt < earliest ? "sooner than the lead time" : "later than the horizon";
  throw new PublicError("LEAD_TIME_NOT_SUPPORTED", `The pickup is ${which}. Pickups are accepted ${range}.`, {
    nextAction,
    fieldErrors: [{ field: "pickup_datetime", message: `Accepted ${range}.` }],
  });
}

/**
 * Throws RETURN_TIME_INVALID where the return would start before the outbound journey, with its stops, has ended (the
 * car leaves when the wait at the pickup is over), and
 * LEAD_TIME_NOT_SUPPORTED where it lies beyond the horizon.
 */
export function checkReturn(
  returnAt: Date,
  { leavesAt, travelMinutes, latest }: { leavesAt: Date; travelMinutes: number; latest: Date },
  timeZone: string,
): void {
  if (returnAt > latest) {
    const until = formatted(wholeSecond(latest), timeZone);
    throw new PublicError("LEAD_TIME_NOT_SUPPORTED", `The return is later than the horizon, ${until}.`, {
      nextAction: `Ask the traveler for a return at ${until} or earlier.`,
      fieldErrors: [{ field: "return_datetime", message: `The latest valid one is ${until}.` }],
    });
  }
  const arrival = new Date(leavesAt.getTime() + travelMinutes * MINUTE);
  if (returnAt > arrival) return;
  const earliest = formatted(new Date(arrival.getTime() + MINUTE), timeZone);
  throw new PublicError(
    "RETURN_TIME_INVALID",
    `The outbound journey takes ${travelMinutes} min. The earliest return is ${earliest}.`,
    {
      nextAction: `Ask the traveler for a return at ${earliest} or later.`,
      fieldErrors: [{ field: "return_datetime", message: `The earliest valid one is ${earliest}.` }],
    },
  );
}

/** RFC 3339 in the tariff's time zone; both instants are accepted. */
export function rangeTexts({ earliest, latest }: PickupRange, timeZone: string) {
  return { from: formatted(earliest, timeZone), to: formatted(wholeSecond(latest), timeZone) };
}

/** The whole second at or before an instant. */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}

/** RFC 3339 in the tariff's time zone, to the second. Rounded up, so that the instant it names is accepted. */
function formatted(at: Date, timeZone: string): string {
  const rounded = new Date(Math.ceil(at.getTime() / 1000) * 1000);
  return localDateTime(rounded, timeZone);
}
