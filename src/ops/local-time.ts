const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** More than a tariff's horizon has. Callers can name any day of 10,000 years. */
const MOST_DAYS = 4_000;

/** Reads the local time of an instant, e.g. "2027-01-15T14:30:00.000+01:00"; the year has four digits. */
export type LocalTime = (at: Date) => string;

const zones = new Map<string, LocalTime>();

/** Local time in an IANA time zone; slices of the text are the date, the day of the year or the time of day. */
export function localTimeIn(timeZone: string): LocalTime {
  const known = zones.get(timeZone) ?? createLocalTime(timeZone);
  zones.set(timeZone, known);
  return known;
}

/** RFC 3339 in the time zone; milliseconds only where there are any. */
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

function createLocalTime(timeZone: string): LocalTime {
  /** Offsets in milliseconds by UTC day; NaN on the few days that begin and end with different ones. */
  const offsets = new Map<number, number>();
  let last: OffsetText = { offset: Number.NaN, text: "" };
  const fromIntl = offsetsFromIntl(timeZone);

  return (at) => {
    const time = at.getTime();
    const offset = offsetAt(time);
    const local = new Date(time + offset).toISOString();
    return local.slice(0, -1) + (offset === last.offset ? last : textOf(offset)).text;
  };

  function textOf(offset: number): OffsetText {
    const minutes = Math.abs(offset) / MINUTE;
    const text = `${offset < 0 ? "-" : "+"}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
    last = { offset, text };
    return last;
  }

  /** Asks `Intl`, which is slow, twice a day and not for each call. */
  function offsetAt(at: number): number {
    const day = Math.floor(at / DAY);
    let known = offsets.get(day);
    if (known === undefined) {
      known = ofWholeDay(day);
      if (offsets.size >= MOST_DAYS) offsets.clear();
      offsets.set(day, known);
    }
    return Number.isNaN(known) ? fromIntl(at) : known;
  }

  function ofWholeDay(day: number): number {
    const first = fromIntl(day * DAY);
    return first === fromIntl((day + 1) * DAY) ? first : Number.NaN;
  }
}

/** Offsets in milliseconds by instant. */
function offsetsFromIntl(timeZone: string): (at: number) => number {
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

/** Such as "+01:00". */
interface OffsetText {
  readonly offset: number;
  readonly text: string;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
