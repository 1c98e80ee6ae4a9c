import { DateTime } from "luxon";
import { isClosed } from "./closure.ts";
import type { RoadData } from "./load-roads.ts";
import type { RoadEdge } from "./schema.ts";

/** A road that is closed in winter, as it stands on a day. Days are MM-DD, both included. */
export interface SeasonalRoad {
  readonly name: string;
  readonly closedFrom: string;
  readonly closedTo: string;
  readonly isClosed: boolean;
  /** Opens or closes in a usual year within three weeks of that day, so that nobody knows yet. */
  readonly isUncertain: boolean;
}

const UNCERTAIN_DAYS = 21;
const MILLISECONDS_A_DAY = 86_400_000;

/** The roads of a way that have a season, each once. */
export function seasonalRoads(
  way: readonly RoadEdge[],
  { nodes }: Pick<RoadData, "nodes">,
  monthDay: string,
): readonly SeasonalRoad[] {
  const roads = new Map<string, SeasonalRoad>();
  for (const edge of way) {
    // A train with a season replaces a pass, and runs by its timetable.
    if (!edge.closed || edge.carTrain) continue;
    const { from, to } = edge.closed;
    const name =
      edge.name ?? `The road between ${nodes.get(edge.from)?.name} and ${nodes.get(edge.to)?.name}`;
    // The road opens on the day after its last closed one.
    const [closing, opening] = [midnightOf(from), midnightOf(to) + MILLISECONDS_A_DAY];
    const today = midnightOf(monthDay);
    const isUncertain = Math.min(daysBetween(closing, today), daysBetween(opening, today)) <= UNCERTAIN_DAYS;
    roads.set(name, {
      name,
      closedFrom: from,
      closedTo: to,
      isClosed: isClosed(edge, monthDay),
      isUncertain,
    });
  }
  return [...roads.values()];
}

/** "11-05" as "5 November". */
export function dayName(monthDay: string): string {
  return DateTime.fromMillis(midnightOf(monthDay), { zone: "utc", locale: "en-GB" }).toFormat("d LLLL");
}

/** The shorter way round the year. */
function daysBetween(a: number, b: number): number {
  const days = Math.abs(a - b) / MILLISECONDS_A_DAY;
  return Math.min(days, 366 - days);
}

/** In a leap year, so that every day exists. */
function midnightOf(monthDay: string): number {
  return Date.parse(`2024-${monthDay}T00:00:00Z`);
}
