import { isDateTime } from "../../contract/request-fields.ts";
import { DAY } from "../../ops/durations.ts";
import { instantOfLocal, instantsOfLocal, localDateTime } from "../../ops/local-time.ts";

/** The current time and the operator's time zone, in which messages suggest date-times. */
export interface OperatorTime {
  readonly now: Date;
  /** IANA name. */
  readonly timeZone: string;
}

const EXAMPLE_MILLISECONDS_AHEAD = 7 * DAY;
const YEAR_FIRST =
  /^(20\d{2})-(\d{1,2})-(\d{1,2})[Tt ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([+-](?:0\d|1[0-4]):?[0-5]\d)?$/;
const DAY_FIRST = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(20\d{2})[T ,]+(\d{1,2})[:.](\d{2})$/;

const DATE = /\d{4}|\d[./-]\d|\d\.? [a-z]{3}|[a-z]{3,9} \d/i;
const TIME = /\d[:.h]\d{2}|\d ?(?:[ap]\.?m|h|uhr)\b/i;

/**
 * `reason`, then what to send: the caller's own date-time in RFC 3339 if it can be read, otherwise an example. Unclear is
 * a text without date or time of day, and a local time that a clock change skips or repeats.
 */
export function dateTimeMessage(reason: string, sent: unknown, time: OperatorTime) {
  const { timeZone } = time;
  const readings = typeof sent === "string" ? rewritten(sent, timeZone) : ofUnixTime(sent, timeZone);
  const lacksPart = typeof sent === "string" && !(DATE.test(sent) && TIME.test(sent));
  const isUnclear = readings === undefined ? lacksPart : readings.length !== 1;
  const message =
    readings === undefined
      ? exampleOf(time)
      : readings.length === 0
        ? `clocks of ${timeZone} skip this time; ${exampleOf(time)}`
        : `send ${readings.join(" or ")}, with the UTC offset of ${timeZone}.`;
  return { message: `${reason}; ${message}`, isUnclear };
}

/** What a date-time that came in parts, such as date and time, is as one; `undefined` where they cannot be read. */
export function joined(parts: readonly unknown[], { timeZone }: OperatorTime): string | undefined {
  const orders = [parts, [...parts].reverse()].map((order) => order.join(" "));
  return orders.flatMap((text) => rewritten(text, timeZone) ?? [])[0];
}

export function exampleOf(time: OperatorTime): string {
  const seconds = new Date(Math.floor(time.now.getTime() / 1000) * 1000);
  return `send RFC 3339 with the UTC offset of ${time.timeZone}, such as ${exampleDateTime(time)} (it is now ${localDateTime(seconds, time.timeZone)}).`;
}

/** The date-times of examples: a pickup, and a return a week later. */
export function exampleDates(time: OperatorTime) {
  const pickup = exampleDateTime(time);
  const aWeekLater = new Date(Date.parse(pickup) + EXAMPLE_MILLISECONDS_AHEAD);
  return { pickup, return: localDateTime(aWeekLater, time.timeZone) };
}

/** 14:30 on the next January 15 or July 15 that is more than a week ahead. */
export function exampleDateTime({ now, timeZone }: OperatorTime): string {
  const soonest = now.getTime() + EXAMPLE_MILLISECONDS_AHEAD;
  const year = now.getUTCFullYear();
  const days = [`${year}-01-15`, `${year}-07-15`, `${year + 1}-01-15`];
  const instants = days.map((day) => instantOfLocal(`${day}T14:30:00`, timeZone));
  return localDateTime(instants.find((at) => at.getTime() > soonest) ?? now, timeZone);
}

/** What a numeric date and time may mean, in RFC 3339; without a UTC offset it is in the operator's time zone. */
function rewritten(text: string, timeZone: string): readonly string[] | undefined {
  const trimmed = text.trim();
  const [, year, month, day, hour, minute, second = "00", offset] = YEAR_FIRST.exec(trimmed) ?? yearFirst(trimmed);
  if (!year || !month || !day || !hour || !minute) return undefined;
  const two = (digits: string) => digits.padStart(2, "0");
  const local = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}`;
  if (!isDateTime(`${local}Z`)) return undefined;
  return offset
    ? [`${local}${offset.slice(0, 3)}:${offset.slice(-2)}`]
    : instantsOfLocal(local, timeZone).map((at) => localDateTime(at, timeZone));
}

/** Reads seconds or milliseconds since 1970, if they are between 2001 and 2096. */
function ofUnixTime(sent: unknown, timeZone: string): readonly string[] | undefined {
  if (typeof sent !== "number" || !Number.isInteger(sent)) return undefined;
  const milliseconds = sent < 10_000_000_000 ? sent * 1000 : sent;
  const isLikely = milliseconds > 1_000_000_000_000 && milliseconds < 4_000_000_000_000;
  return isLikely ? [localDateTime(new Date(milliseconds), timeZone)] : undefined;
}

function yearFirst(text: string): readonly (string | undefined)[] {
  const [, day, month, year, hour, minute] = DAY_FIRST.exec(text) ?? [];
  return [undefined, year, month, day, hour, minute];
}
