import { isDateTime } from "../../contract/request-fields.ts";
import { HOUR } from "../../ops/durations.ts";
import { instantOfLocal, instantsOfLocal, localDateTime } from "../../ops/local-time.ts";
import { ConfigError } from "../config/setting.ts";
import { wrongOption } from "./command.ts";

const LOCAL = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?$/;

/**
 * A time as people write it at a terminal, in RFC 3339: "2026-12-24 22:00" is read by the operator's clock, "2026-12-24"
 * is noon, and a time with an offset stays as it is. Throws ConfigError, which names the option.
 */
export function timeArgument(option: string, text: string, timeZone: string): string {
  const time = timeOf(text, timeZone);
  if (time !== undefined) return time;
  const what = LOCAL.test(text) ? `which does not exist or is ambiguous in ${timeZone}` : "not a time";
  throw new ConfigError(
    `--${option} is ${JSON.stringify(text)}, ${what}; allowed: a day, a local time such as "2026-12-24 22:00", or one with an offset such as 2026-12-24T22:00:00+01:00`,
  );
}

/** `undefined` also for a local time that does not exist once: 30 February, and the hours that a clock change skips or repeats. */
function timeOf(text: string, timeZone: string): string | undefined {
  const [, day, time = "12:00"] = LOCAL.exec(text) ?? [];
  if (day === undefined) return isDateTime(text) ? text : undefined;
  const local = `${day}T${time}:00`;
  const [instant, ...others] = isDateTime(`${local}Z`) ? instantsOfLocal(local, timeZone) : [];
  return instant && others.length === 0 ? localDateTime(instant, timeZone) : undefined;
}

/** For people: "Thu 2026-12-24 22:00". */
export function shownTime(dateTime: string): string {
  const weekday = new Date(`${dateTime.slice(0, 10)}T00:00:00Z`).toUTCString().slice(0, 3);
  return `${weekday} ${dateTime.slice(0, 10)} ${dateTime.slice(11, 16)}`;
}

const AGO = /^(\d{1,5})([dh])$/;

/**
 * The beginning or end of a period: `30d` (30 days ago, at midnight by the operator's clock), `12h`, a day, which begins
 * at midnight, or a time; at the earliest 1970. Throws ConfigError, which names the option.
 */
export function instantArgument(option: string, text: string, now: Date, timeZone: string): Date {
  const [, count, unit] = AGO.exec(text) ?? [];
  if (unit === "h") return new Date(Math.max(0, now.getTime() - Number(count) * HOUR));
  const today = Date.parse(localDateTime(now, timeZone).slice(0, 10));
  const day = count && new Date(Math.max(0, today - Number(count) * 24 * HOUR)).toISOString().slice(0, 10);
  const time = day ?? timeOf(text, timeZone);
  const allowed = 'allowed: 30d, 12h, a day such as 2026-12-24, or a local time such as "2026-12-24 22:00"';
  if (time === undefined) throw wrongOption(option, text, allowed);
  const isDay = (day ?? text).length === 10;
  return new Date(Math.max(0, isDay ? startOfDay(time.slice(0, 10), timeZone) : Date.parse(time)));
}

/** Midnight, or an hour later where summer time skips that. */
function startOfDay(day: string, timeZone: string): number {
  const [midnight = instantOfLocal(`${day}T01:00:00`, timeZone)] = instantsOfLocal(`${day}T00:00:00`, timeZone);
  return midnight.getTime();
}

const AMOUNT = /^(?:CHF )?([-−]?)(\d{1,3}(?:['’ \u00a0\u202f]\d{3})+|\d{1,9})(?:[.,](?:(\d{1,2})|[-–]))?$/;

/** What `rappenOf` reads, for messages. */
export const ALLOWED_AMOUNT = "francs such as 490, 490.05, 490,05 or 1'490.05";

/** An amount as people in Switzerland write it, in Rappen, negative with a minus sign; `undefined` for any other text. */
export function rappenOf(text: string): number | undefined {
  const [, sign, francs, rappen = ""] = AMOUNT.exec(text.trim()) ?? [];
  if (francs === undefined) return undefined;
  return Number(francs.replace(/\D/g, "") + rappen.padEnd(2, "0")) * (sign ? -1 : 1);
}
