import type { Tariff } from "../catalog/tariff-schema.ts";
import { PublicError } from "../contract/errors.ts";
import { localDateTime } from "../ops/local-time.ts";

const MINUTE = 60_000;

/** Throws PAST_DATETIME or LEAD_TIME_NOT_SUPPORTED where a pickup cannot be quoted at this hour. */
export function checkPickup(pickupAt: Date, now: Date, tariff: Tariff): void {
  const earliest = new Date(now.getTime() + tariff.leadTimeHours * 60 * MINUTE);
  const latest = latestPickup(now, tariff);
  if (pickupAt >= earliest && pickupAt <= latest) return;
  const range = `from ${formatted(earliest, tariff)} to ${formatted(wholeSecond(latest), tariff)}`;
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
 * Throws RETURN_TIME_INVALID where the return would start before the outbound journey, with its stops, has ended, and
 * LEAD_TIME_NOT_SUPPORTED where it lies beyond the horizon.
 */
export function checkReturn(
  returnAt: Date,
  { pickupAt, travelMinutes, now }: { pickupAt: Date; travelMinutes: number; now: Date },
  tariff: Tariff,
): void {
  const latest = latestPickup(now, tariff);
  if (returnAt > latest) {
    const until = formatted(wholeSecond(latest), tariff);
    throw new PublicError("LEAD_TIME_NOT_SUPPORTED", `The return is later than the horizon, ${until}.`, {
      nextAction: `Ask the traveler for a return at ${until} or earlier.`,
      fieldErrors: [{ field: "return_datetime", message: `The latest valid one is ${until}.` }],
    });
  }
  const arrival = new Date(pickupAt.getTime() + travelMinutes * MINUTE);
  if (returnAt > arrival) return;
  const earliest = formatted(new Date(arrival.getTime() + MINUTE), tariff);
  throw new PublicError(
    "RETURN_TIME_INVALID",
    `The outbound journey takes ${travelMinutes} min. The earliest return is ${earliest}.`,
    {
      nextAction: `Ask the traveler for a return at ${earliest} or later.`,
      fieldErrors: [{ field: "return_datetime", message: `The earliest valid one is ${earliest}.` }],
    },
  );
}

function latestPickup(now: Date, { horizonDays }: Tariff): Date {
  return new Date(now.getTime() + horizonDays * 24 * 60 * MINUTE);
}

/** The whole second at or before an instant. */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}

/** RFC 3339 in the tariff's time zone, to the second. Rounded up, so that the instant it names is accepted. */
function formatted(at: Date, { timeZone }: Tariff): string {
  const rounded = new Date(Math.ceil(at.getTime() / 1000) * 1000);
  return localDateTime(rounded, timeZone);
}
