const DAY = 24 * 60 * 60_000;
const YEAR = 366 * DAY;
const YEARS_AHEAD = 20;

/** The UTC offsets of a time zone; instants and offsets are in milliseconds. */
export interface ZoneOffsets {
  readonly timeZone: string;
  /** Release of the time zone database that they come from. */
  readonly release: string | undefined;
  readonly until: number;
  /** Instants from which an offset holds, in their order. */
  readonly changes: readonly (readonly [from: number, offset: number])[];
}

/** The offsets of a time zone around today, for `useOffsets`. */
export function offsetsOf(timeZone: string): ZoneOffsets {
  const offsetAt = offsetsFromIntl(timeZone);
  const today = Math.floor(Date.now() / DAY) * DAY;
  const [since, until] = [today - YEAR, today + YEARS_AHEAD * YEAR];
  const changes: [number, number][] = [[since, offsetAt(since)]];
  for (let day = since; day < until; day += DAY) {
    for (let at = day; offsetAt(at) !== offsetAt(day + DAY); ) {
      at = nextChange(at, day + DAY, offsetAt);
      changes.push([at, offsetAt(at)]);
    }
  }
  return { timeZone, release: process.versions.tz, until, changes };
}

/** Reads offsets in milliseconds from `Intl`: 12 ms of CPU time before the first one. */
export function offsetsFromIntl(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const local = Date.UTC(
      ...([part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second")] as const),
    );
    return local - Math.floor(at / 1000) * 1000;
  };
}

/** The first second in the day up to `end` at which the offset is another than at `from`. */
function nextChange(from: number, end: number, offsetAt: (at: number) => number): number {
  let [before, after] = [from, end];
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000;
    if (offsetAt(middle) === offsetAt(from)) before = middle;
    else after = middle;
  }
  return after;
}
