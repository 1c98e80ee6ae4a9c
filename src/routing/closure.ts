import { DateTime } from "luxon";
import type { RoadEdge } from "./schema.ts";

/** Local month and day, MM-DD, by which winter closures are read. */
export function localMonthDay(at: Date, timeZone: string): string {
  return DateTime.fromJSDate(at, { zone: timeZone }).toFormat("MM-dd");
}

/** Whether the road is closed on that day. */
export function isClosed({ closed }: Pick<RoadEdge, "closed">, monthDay: string): boolean {
  return closed !== undefined && isWithin(closed, monthDay);
}

/** Whether a day lies in a season, first and last day included; seasons may run over the turn of the year. */
export function isWithin(
  { from, to }: { readonly from: string; readonly to: string },
  monthDay: string,
): boolean {
  return from <= to ? from <= monthDay && monthDay <= to : from <= monthDay || monthDay <= to;
}
