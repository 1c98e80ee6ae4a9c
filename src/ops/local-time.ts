import { LRUCache } from "lru-cache";
import { DAY, MINUTE } from "./durations.ts";

/** Offsets change on the quarter hour only: all instants of a quarter hour have the same offset. */
const QUARTER_HOUR = 15 * MINUTE;
/** Cached offsets of each zone. Without the cache a local time takes ten times as long. */
const MOST_OFFSETS = 4_000;

/** Reads the local time of an instant, e.g. "2027-01-15T14:30:00.000+01:00"; the year has four digits. */
export type LocalTime = (at: Date) => string;

/** By time zone; a server uses one or two. */
const zones = new LRUCache<string, LocalTime>({ max: 20, memoMethod: createLocalTime });

/** Local time in an IANA time zone; slices of the text are the date, the day of the year or the time of day. */
export function localTimeIn(timeZone: string): LocalTime {
  return zones.memo(timeZone);
}

/** RFC 3339 in the time zone; milliseconds only if they are not zero. */
export function localDateTime(at: Date, timeZone: string): string {
  return localTimeIn(timeZone)(at).replace(".000", "");
}

/** The instant at which clocks of the time zone show `local`, e.g. "2027-01-15T14:30:00". */
export function instantOfLocal(local: string, timeZone: string): Date {
  const shown = new Date(`${local}Z`);
  const offsetAt = (at: Date) => new Date(`${localTimeIn(timeZone)(at).slice(0, 23)}Z`).getTime() - at.getTime();
  const near = new Date(shown.getTime() - offsetAt(shown));
  return new Date(shown.getTime() - offsetAt(near));
}

/**
 * The instants at which clocks of the time zone show `local`, earliest first: none where a clock change skips it, two
 * where one repeats it.
 */
export function instantsOfLocal(local: string, timeZone: string): readonly Date[] {
  const shown = Date.parse(`${local}Z`);
  const zone = localTimeIn(timeZone);
  const offsets = [-DAY, DAY].map((away) => Date.parse(`${zone(new Date(shown + away)).slice(0, 23)}Z`) - shown - away);
  return [...new Set(offsets)].map((offset) => new Date(shown - offset)).filter((at) => zone(at).startsWith(local));
}

function createLocalTime(timeZone: string): LocalTime {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const offsets = new LRUCache<number, string>({ max: MOST_OFFSETS, memoMethod: offsetIn });

  return (at) => {
    const time = at.getTime();
    const offset = offsets.memo(Math.floor(time / QUARTER_HOUR));
    const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4));
    const local = new Date(time + (offset.startsWith("-") ? -minutes : minutes) * MINUTE);
    return local.toISOString().slice(0, -1) + offset;
  };

  /** "GMT+01:00" is "+01:00", and "GMT" alone "+00:00". */
  function offsetIn(quarterHour: number): string {
    const parts = format.formatToParts(quarterHour * QUARTER_HOUR);
    return parts.find(({ type }) => type === "timeZoneName")?.value.slice(3, 9) || "+00:00";
  }
}
