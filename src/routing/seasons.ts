import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { type Notice, notice } from "../contract/notices.ts";

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

/** Counted in the shorter direction around the year. */
function daysBetween(a: number, b: number): number {
  const days = Math.abs(a - b) / MILLISECONDS_A_DAY;
  return Math.min(days, 366 - days);
}

/** The year is a leap year, so that 29 February exists. */
function midnightOf(monthDay: string): number {
  return Date.parse(`2024-${monthDay}T00:00:00Z`);
}

/** A road that is closed in winter, on a given day. Days are MM-DD, both included. */
export interface SeasonalRoad {
  readonly name: string;
  readonly closedFrom: string;
  readonly closedTo: string;
  readonly isClosed: boolean;
  /** Usually opens or closes within three weeks of that day. */
  readonly isUncertain: boolean;
}

/** The roads that have a season, each once. */
export function seasonalRoads(
  route: readonly RoadEdge[],
  { nodes }: Pick<RoadData, "nodes">,
  monthDay: string,
): readonly SeasonalRoad[] {
  const roads = new Map<string, SeasonalRoad>();
  for (const edge of route) {
    // A train with a season replaces a pass, and runs by its timetable.
    if (!edge.closed || edge.carTrain) continue;
    const { from, to } = edge.closed;
    const name = edge.name ?? `The road between ${nodes.get(edge.from)?.name} and ${nodes.get(edge.to)?.name}`;
    roads.set(name, {
      name,
      closedFrom: from,
      closedTo: to,
      isClosed: isClosed(edge, monthDay),
      isUncertain: isUncertain(edge, monthDay),
    });
  }
  return [...roads.values()];
}

/** Near its usual opening or closing it is not known whether a pass on the route will be open. */
export function seasonDoubts({ name, closedFrom: from, closedTo: to, isUncertain }: SeasonalRoad): readonly Notice[] {
  return isUncertain ? [notice("PASS_UNCERTAIN", { name, from, to })] : [];
}

/** A note that a pass which the route avoids may be open that day. */
export function seasonNotes({ name, closedFrom: from, closedTo: to, isUncertain }: SeasonalRoad): readonly Notice[] {
  return isUncertain ? [notice("PASS_AVOIDED", { name, from, to })] : [];
}
