import { PublicError } from "../../contract/errors.ts";
import { durationText } from "../../contract/notice-formats.ts";
import { type Notice, notice, ofBoth, withValues } from "../../contract/notices.ts";
import { DAY, HOUR, MINUTE } from "../../ops/durations.ts";
import { instantOfLocal, localDateTime } from "../../ops/local-time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Policy } from "../catalog/catalog-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import type { PricedJourney } from "./quote.ts";

/** First and last accepted pickup. */
export interface PickupRange {
  readonly earliest: Date;
  readonly latest: Date;
  /** The name of the vehicle class, if a booking window of certain classes decides. */
  readonly ofClass?: string | undefined;
}

/** The lead time is time of the office's hours, if the tariff has any; outside of them none passes. */
export function pickupRange(
  now: Date,
  { leadTimeHours, horizonDays }: Pick<Tariff, "leadTimeHours" | "horizonDays">,
  tariff: Tariff,
): PickupRange {
  const { officeHours, timeZone } = tariff;
  let left = leadTimeHours * HOUR;
  const latest = new Date(now.getTime() + horizonDays * DAY);
  if (!officeHours) return { earliest: new Date(now.getTime() + left), latest };
  let at = now.getTime();
  while (left > 0) {
    const day = Date.parse(localDateTime(new Date(at), timeZone).slice(0, 10));
    const hourOf = (hour: number) =>
      instantOfLocal(new Date(day + hour * HOUR).toISOString().slice(0, 19), timeZone).getTime();
    const start = Math.max(at, hourOf(officeHours.from));
    const passing = Math.min(left, Math.max(0, hourOf(officeHours.to) - start));
    left -= passing;
    at = left > 0 ? hourOf(24) : start + passing;
  }
  return { earliest: new Date(at), latest };
}

/** Throws PAST_DATETIME or LEAD_TIME_NOT_SUPPORTED if a pickup is in none of the ranges. */
export function checkPickup(
  pickupAt: Date,
  now: Date,
  ranges: readonly PickupRange[],
  { tariff, operator }: Catalog,
): void {
  if (ranges.some(({ earliest, latest }) => pickupAt >= earliest && pickupAt <= latest)) return;
  const { earliest, latest } = widestRange(ranges);
  const { from, to } = rangeTexts({ earliest, latest }, tariff.timeZone);
  const range = `from ${from} to ${to}`;
  const isPast = pickupAt < now;
  const isSooner = pickupAt < earliest;
  const when = isPast ? "in the past" : isSooner ? "sooner than the lead time" : "later than the horizon";
  const limited = withClasses(ranges, isSooner ? "earliest" : "latest");
  const detail = `The pickup is ${when}. Pickups${limited} are accepted ${range}.`;
  throw new PublicError(isPast ? "PAST_DATETIME" : "LEAD_TIME_NOT_SUPPORTED", detail, {
    nextAction: `Ask the traveler for a pickup ${range}.${isSooner ? ` ${forSooner(operator)}` : ""}`,
    fieldErrors: [{ field: "pickup_datetime", message: `${isPast ? "In the past; accepted" : "Accepted"} ${range}.` }],
  });
}

/** " with Coach" where only certain vehicle classes have this limit, by a booking window; otherwise empty. */
export function withClasses(ranges: readonly PickupRange[], end: "earliest" | "latest"): string {
  const limit = widestRange(ranges)[end].getTime();
  const limiting = ranges.filter((range) => range[end].getTime() === limit);
  const classes = limiting.flatMap(({ ofClass }) => ofClass ?? []);
  return classes.length > 0 && classes.length === limiting.length ? ` with ${classes.join(", ")}` : "";
}

export function forSooner({ name, phone, phoneHours }: Catalog["operator"]): string {
  return `For a sooner pickup the traveler can call ${name}, ${phone}${phoneHours ? ` (${phoneHours})` : ""}.`;
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
  const arrival = new Date(leavesAt.getTime() + travelMinutes * MINUTE);
  const isLate = returnAt > latest;
  if (!isLate && returnAt > arrival) return;
  const limit = formatted(isLate ? wholeMinute(latest) : new Date(arrival.getTime() + MINUTE), timeZone);
  const detail = isLate
    ? `The return is later than the horizon, ${limit}.`
    : `The outbound journey takes ${durationText(travelMinutes)}. The earliest return is ${limit}.`;
  const message = `The ${isLate ? "latest" : "earliest"} valid one is ${limit}.`;
  throw new PublicError(isLate ? "LEAD_TIME_NOT_SUPPORTED" : "RETURN_TIME_INVALID", detail, {
    nextAction: `Ask the traveler for a return at ${limit} or ${isLate ? "earlier" : "later"}.`,
    fieldErrors: [{ field: "return_datetime", message }],
  });
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
  const deadlineOf = (pickup: Date) =>
    policy ? new Date(pickup.getTime() - policy.fullRefundCutoffHours * HOUR).toISOString() : null;
  return {
    freeCancellationUntil: deadlineOf(pickupAt),
    returnFreeCancellationUntil: returnAt && deadlineOf(policy?.legsSeparately ? returnAt : pickupAt),
  };
}

/**
 * Notices about passed deadlines (others are fields of the quote), about what a later cancellation refunds, and about
 * canceling one direction alone.
 */
export function cancellationNotices(
  { freeCancellationUntil: outbound, returnFreeCancellationUntil: back }: Deadlines,
  policy: Policy | undefined,
  now: Date,
  timeZone: string,
): readonly Notice[] {
  if (!policy) return [];
  const { fullRefundCutoffHours: hours, partialRefunds = [] } = policy;
  const full = partialRefunds.length > 0 ? undefined : 1;
  const ended = (deadline: string | null) =>
    deadline !== null && Date.parse(deadline) < now.getTime()
      ? [notice("FREE_CANCELLATION_ENDED", { hours, full })]
      : [];
  const marked = (leg: string, notices: readonly Notice[]) => notices.map((each) => withValues(each, { leg }));
  /** The tiers that have not passed, and from when nothing is refunded. */
  const refunds = (deadline: string | null) => {
    if (deadline === null) return [];
    const tiers = partialRefunds.map((tier) => {
      const end = Date.parse(deadline) + (hours - tier.hours) * HOUR;
      return { end, percent: tier.percent, until: localDateTime(wholeMinute(new Date(end)), timeZone) };
    });
    const last = tiers.at(-1);
    const left = tiers.filter(({ end }) => end >= now.getTime());
    return [
      ...left.map(({ until, percent }) => notice("REFUND", { until, percent })),
      ...(last ? [notice("REFUND", { from: last.until })] : []),
    ];
  };
  return back !== null && policy.legsSeparately
    ? [
        ...marked("outbound", ended(outbound)),
        ...marked("return", ended(back)),
        ...ofBoth([refunds(outbound), refunds(back)]),
        notice("LEGS_CANCELED", {}),
      ]
    : [...ended(outbound), ...refunds(outbound), ...(back === null ? [] : [notice("LEGS_CANCELED", { hours })])];
}
