import type { Policy } from "../catalog/catalog-schema.ts";
import { type Notice, notice } from "../contract/notices.ts";
import type { Journey } from "./journey.ts";
import type { PricedJourney } from "./quote.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** When a journey ends and until when it can be canceled, ISO 8601 UTC; `null` where there is no such instant. */
export type Schedule = Pick<
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
  { pickupAt, returnAt, waitingMinutes, hireHours }: Journey,
  travelMinutes: TravelMinutes,
  policy: Policy | undefined,
): Schedule {
  const outboundMinutes = Math.max((hireHours ?? 0) * 60, waitingMinutes + travelMinutes.outbound);
  const deadlineOf = (pickup: Date | null) => (policy ? shifted(pickup, -policy.fullRefundCutoffHours * HOUR) : null);
  return {
    arrivalAt: shifted(pickupAt, outboundMinutes * MINUTE),
    returnArrivalAt: travelMinutes.return === null ? null : shifted(returnAt, travelMinutes.return * MINUTE),
    freeCancellationUntil: deadlineOf(pickupAt),
    returnFreeCancellationUntil: deadlineOf(returnAt),
  };
}

/** For deadlines that have passed; one that lies ahead is a field of the quote. */
export function cancellationNotices(
  { freeCancellationUntil, returnFreeCancellationUntil }: Schedule,
  policy: Policy | undefined,
  now: Date,
): readonly Notice[] {
  const hours = policy?.fullRefundCutoffHours ?? 0;
  const hasPassed = (deadline: string | null) => deadline !== null && Date.parse(deadline) < now.getTime();
  return [
    ...(hasPassed(freeCancellationUntil) ? [notice("FREE_CANCELLATION_ENDED", { hours })] : []),
    ...(hasPassed(returnFreeCancellationUntil) ? [notice("RETURN_FREE_CANCELLATION_ENDED", { hours })] : []),
  ];
}

function shifted(at: Date, milliseconds: number): string;
function shifted(at: Date | null, milliseconds: number): string | null;
function shifted(at: Date | null, milliseconds: number): string | null {
  return at && new Date(at.getTime() + milliseconds).toISOString();
}
