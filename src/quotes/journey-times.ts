import type { Catalog } from "../catalog/catalog.ts";
import type { Policy } from "../catalog/catalog-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { PublicError } from "../contract/errors.ts";
import { durationText } from "../contract/notice-formats.ts";
import { type Notice, notice, ofDirections } from "../contract/notices.ts";
import { DAY, HOUR, MINUTE } from "../ops/durations.ts";
import { instantOfLocal, localDateTime } from "../ops/local-time.ts";
import type { Window } from "./eligibility.ts";
import type { PricedJourney } from "./quote.ts";

/** First and last accepted pickup. */
export interface PickupRange {
  readonly earliest: Date;
  readonly latest: Date;
}

export function pickupRange(
  now: Date,
  { leadTimeHours, horizonDays }: Window,
  { officeHours, timeZone }: Pick<Tariff, "officeHours" | "timeZone">,
): PickupRange {
  const lead = leadTimeHours * HOUR;
  return {
    earliest: officeHours ? afterOfficeTime(now, lead, officeHours, timeZone) : new Date(now.getTime() + lead),
    latest: new Date(now.getTime() + horizonDays * DAY),
  };
}

/** The instant at which so much time of the office's hours has passed, in milliseconds; outside of them none passes. */
function afterOfficeTime(
  now: Date,
  milliseconds: number,
  { from, to }: NonNullable<Tariff["officeHours"]>,
  timeZone: string,
): Date {
  let left = milliseconds;
  let at = now.getTime();
  while (left > 0) {
    const day = Date.parse(localDateTime(new Date(at), timeZone).slice(0, 10));
    const hourOf = (hour: number) =>
      instantOfLocal(new Date(day + hour * HOUR).toISOString().slice(0, 19), timeZone).getTime();
    const start = Math.max(at, hourOf(from));
    const passing = Math.min(left, Math.max(0, hourOf(to) - start));
    left -= passing;
    at = left > 0 ? hourOf(24) : start + passing;
  }
  return new Date(at);
}

/** Throws PAST_DATETIME or LEAD_TIME_NOT_SUPPORTED if a pickup is in none of the ranges. */
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
 * Throws LEAD_TIME_NOT_SUPPORTED if the return is later than `latest`, and RETURN_TIME_INVALID if it is not after the
 * end of the outbound journey. That leaves at `leavesAt`, after the wait at the pickup; `travelMinutes` include its
 * stops.
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

/** A range in RFC 3339, to the minute and in the given time zone, rounded so that both instants are accepted. */
export function rangeTexts({ earliest, latest }: PickupRange, timeZone: string) {
  return { from: formatted(earliest, timeZone), to: formatted(wholeMinute(latest), timeZone) };
}

/** The whole minute at or before an instant. */
function wholeMinute(at: Date): Date {
  return new Date(Math.floor(at.getTime() / MINUTE) * MINUTE);
}

/** RFC 3339 in the given time zone, rounded up to the minute, so that an earliest instant is accepted. */
function formatted(at: Date, timeZone: string): string {
  const rounded = new Date(Math.ceil(at.getTime() / MINUTE) * MINUTE);
  return localDateTime(rounded, timeZone);
}

/** Cancellation deadlines, ISO 8601 UTC; `null` if there is none. */
type Deadlines = Pick<PricedJourney, "freeCancellationUntil" | "returnFreeCancellationUntil">;

/** `policy` is the cancellation policy. */
export function deadlinesOf(pickupAt: Date, returnAt: Date | null, policy: Policy | undefined): Deadlines {
  const deadlineOf = (pickup: Date | null) => (policy ? shifted(pickup, -policy.fullRefundCutoffHours * HOUR) : null);
  return {
    freeCancellationUntil: deadlineOf(pickupAt),
    returnFreeCancellationUntil: returnAt && deadlineOf(policy?.legsSeparately ? returnAt : pickupAt),
  };
}

/** Notices about passed deadlines (others are fields of the quote) and about canceling one direction alone. */
export function cancellationNotices(
  { freeCancellationUntil, returnFreeCancellationUntil }: Deadlines,
  policy: Policy | undefined,
  now: Date,
  timeZone: string,
): readonly Notice[] {
  if (!policy) return [];
  const { fullRefundCutoffHours: hours, legsSeparately } = policy;
  const refundsFor = (deadline: string | null) => refundNotices(deadline, policy, now, timeZone);
  const hasPassed = (deadline: string | null) => deadline !== null && Date.parse(deadline) < now.getTime();
  if (returnFreeCancellationUntil === null || !legsSeparately) {
    return [
      ...(hasPassed(freeCancellationUntil) ? [notice("FREE_CANCELLATION_ENDED", { hours })] : []),
      ...refundsFor(freeCancellationUntil),
      ...(returnFreeCancellationUntil === null ? [] : [notice("LEGS_CANCELED_TOGETHER", { hours })]),
    ];
  }
  return [
    ...(hasPassed(freeCancellationUntil) ? [notice("OUTBOUND_FREE_CANCELLATION_ENDED", { hours })] : []),
    ...(hasPassed(returnFreeCancellationUntil) ? [notice("RETURN_FREE_CANCELLATION_ENDED", { hours })] : []),
    ...ofDirections(refundsFor(freeCancellationUntil), refundsFor(returnFreeCancellationUntil)),
    notice("LEGS_CANCELED_SEPARATELY"),
  ];
}

/** What a cancellation after the deadline refunds: the tiers that have not passed, and from when nothing. */
function refundNotices(
  deadline: string | null,
  { fullRefundCutoffHours, partialRefunds = [] }: Policy,
  now: Date,
  timeZone: string,
): readonly Notice[] {
  if (deadline === null || partialRefunds.length === 0) return [];
  const tiers = partialRefunds.map(({ hours, percent }) => {
    const end = Date.parse(deadline) + (fullRefundCutoffHours - hours) * HOUR;
    return { percent, end, until: localDateTime(wholeMinute(new Date(end)), timeZone) };
  });
  return [
    ...tiers
      .filter(({ end }) => end >= now.getTime())
      .map(({ until, percent }) => notice("PARTIAL_REFUND", { until, percent })),
    notice("NO_REFUND", { from: tiers.at(-1)?.until ?? "" }),
  ];
}

function shifted(at: Date, milliseconds: number): string;
function shifted(at: Date | null, milliseconds: number): string | null;
function shifted(at: Date | null, milliseconds: number): string | null {
  return at && new Date(at.getTime() + milliseconds).toISOString();
}
