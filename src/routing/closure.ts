import type { RoadEdge } from "../catalog/roads-schema.ts";

const UNCERTAIN_DAYS = 21;
const MILLISECONDS_A_DAY = 86_400_000;

/** Whether the road is closed on that day. */
export function isClosed({ closed }: Pick<RoadEdge, "closed">, monthDay: string): boolean {
  return closed !== undefined && isWithin(closed, monthDay);
}

/** Whether the road usually opens or closes so near to that day that it may be open or closed. */
export function isUncertain({ closed }: Pick<RoadEdge, "closed">, monthDay: string): boolean {
  if (!closed) return false;
  const today = midnightOf(monthDay);
  // The road opens on the day after its last closed one.
  const changes = [midnightOf(closed.from), midnightOf(closed.to) + MILLISECONDS_A_DAY];
  return changes.some((change) => daysBetween(change, today) <= UNCERTAIN_DAYS);
}

/** Whether a day lies in a season, first and last day included; seasons may run over the turn of the year. */
export function isWithin({ from, to }: { readonly from: string; readonly to: string }, monthDay: string): boolean {
  return from <= to ? from <= monthDay && monthDay <= to : from <= monthDay || monthDay <= to;
}

/** In the shorter direction around the year. */
function daysBetween(a: number, b: number): number {
  const days = Math.abs(a - b) / MILLISECONDS_A_DAY;
  return Math.min(days, 366 - days);
}

/** In a leap year, so that every day exists. */
function midnightOf(monthDay: string): number {
  return Date.parse(`2024-${monthDay}T00:00:00Z`);
}
