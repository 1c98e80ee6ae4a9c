import type { Catalog } from "../catalog/catalog.ts";
import type { Policy } from "../catalog/catalog-schema.ts";
import { PublicError } from "../contract/errors.ts";
import { durationText, type Notice, notice } from "../contract/notices.ts";
import { localDateTime } from "../ops/local-time.ts";
import type { Window } from "./availability.ts";
import type { Journey, PricedJourney } from "./quote.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** First and last instant of a pickup that is accepted. */
export interface PickupRange {
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
export function checkPickup(
  pickupAt: Date,
  now: Date,
  ranges: readonly PickupRange[],
  { tariff: { timeZone }, operator }: Pick<Catalog, "tariff" | "operator">,
): void {
  if (ranges.some(({ earliest, latest }) => pickupAt >= earliest && pickupAt <= latest)) return;
  const { earliest, latest } = widestRange(ranges);
  const { from, to } = rangeTexts({ earliest, latest }, timeZone);
  const range = `from ${from} to ${to}`;
  const isSooner = pickupAt < earliest;
  const nextAction = `Ask the traveler for a pickup ${range}.${isSooner ? ` ${forSooner(operator)}` : ""}`;
  if (pickupAt < now) {
    throw new PublicError("PAST_DATETIME", `The pickup is in the past. Pickups are accepted ${range}.`, {
      nextAction,
      fieldErrors: [{ field: "pickup_datetime", message: `In the past; accepted ${range}.` }],
    });
  }
  const which = isSooner ? "sooner than the lead time" : "later than the horizon";
  throw new PublicError("LEAD_TIME_NOT_SUPPORTED", `The pickup is ${which}. Pickups are accepted ${range}.`, {
    nextAction,
    fieldErrors: [{ field: "pickup_datetime", message: `Accepted ${range}.` }],
  });
}

/** Whoever needs a car tonight has the operator's phone. */
export function forSooner({ name, phone }: Catalog["operator"]): string {
  return `For a sooner pickup the traveler can call ${name}, ${phone}.`;
}

export function widestRange(ranges: readonly PickupRange[]): PickupRange {
  return {
    earliest: new Date(Math.min(...ranges.map(({ earliest }) => earliest.getTime()))),
    latest: new Date(Math.max(...ranges.map(({ latest }) => latest.getTime()))),
  };
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
    const until = formatted(wholeMinute(latest), timeZone);
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
    `The outbound journey takes ${durationText(travelMinutes)}. The earliest return is ${earliest}.`,
    {
      nextAction: `Ask the traveler for a return at ${earliest} or later.`,
      fieldErrors: [{ field: "return_datetime", message: `The earliest valid one is ${earliest}.` }],
    },
  );
}

/** RFC 3339 in the tariff's time zone; both instants are accepted. */
export function rangeTexts({ earliest, latest }: PickupRange, timeZone: string) {
  return { from: formatted(earliest, timeZone), to: formatted(wholeMinute(latest), timeZone) };
}

/** The whole minute at or before an instant. */
function wholeMinute(at: Date): Date {
  return new Date(Math.floor(at.getTime() / MINUTE) * MINUTE);
}

/** RFC 3339 in the tariff's time zone, to the minute. Rounded up, so that the instant it names is accepted. */
function formatted(at: Date, timeZone: string): string {
  const rounded = new Date(Math.ceil(at.getTime() / MINUTE) * MINUTE);
  return localDateTime(rounded, timeZone);
}

/** When a journey ends and until when it can be canceled, ISO 8601 UTC; `null` where there is no such instant. */
type Schedule = Pick<
  PricedJourney,
  "arrivalAt" | "returnArrivalAt" | "freeCancellationUntil" | "returnFreeCancellationUntil"
>;

/** Minutes from the pickup to the arrival by the measured route: drive, car trains and stops. */
interface TravelMinutes {
  readonly outbound: number;
  readonly return: number | null;
}

/** A hire ends with its hours, or with its journey if that takes longer. `policy` is that of cancellations. */
export function scheduleOf(
  { pickupAt, returnAt, waitingMinutes, hireHours }: Omit<Journey, "pickupAt"> & { readonly pickupAt: Date },
  travelMinutes: TravelMinutes,
  policy: Policy | undefined,
): Schedule {
  const outboundMinutes = Math.max((hireHours ?? 0) * 60, waitingMinutes + travelMinutes.outbound);
  const deadlineOf = (pickup: Date | null) => (policy ? shifted(pickup, -policy.fullRefundCutoffHours * HOUR) : null);
  return {
    arrivalAt: shifted(pickupAt, outboundMinutes * MINUTE),
    returnArrivalAt: travelMinutes.return === null ? null : shifted(returnAt, travelMinutes.return * MINUTE),
    freeCancellationUntil: deadlineOf(pickupAt),
    returnFreeCancellationUntil: returnAt && deadlineOf(policy?.legsSeparately ? returnAt : pickupAt),
  };
}

/** Which deadlines have passed (one that lies ahead is a field of the quote), and whether one leg can be canceled alone. */
export function cancellationNotices(
  { freeCancellationUntil, returnFreeCancellationUntil }: Schedule,
  policy: Policy | undefined,
  now: Date,
): readonly Notice[] {
  if (!policy) return [];
  const { fullRefundCutoffHours: hours, legsSeparately } = policy;
  const hasPassed = (deadline: string | null) => deadline !== null && Date.parse(deadline) < now.getTime();
  if (returnFreeCancellationUntil === null || !legsSeparately) {
    return [
      ...(hasPassed(freeCancellationUntil) ? [notice("FREE_CANCELLATION_ENDED", { hours })] : []),
      ...(returnFreeCancellationUntil === null ? [] : [notice("LEGS_CANCELED_TOGETHER", { hours })]),
    ];
  }
  return [
    ...(hasPassed(freeCancellationUntil) ? [notice("OUTBOUND_FREE_CANCELLATION_ENDED", { hours })] : []),
    ...(hasPassed(returnFreeCancellationUntil) ? [notice("RETURN_FREE_CANCELLATION_ENDED", { hours })] : []),
    notice("LEGS_CANCELED_SEPARATELY"),
  ];
}

function shifted(at: Date, milliseconds: number): string;
function shifted(at: Date | null, milliseconds: number): string | null;
function shifted(at: Date | null, milliseconds: number): string | null {
  return at && new Date(at.getTime() + milliseconds).toISOString();
}
