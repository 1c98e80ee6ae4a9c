import { durationText } from "../../../contract/notice-formats.ts";
import { type Language, LOCALES, type ViewKey } from "./words.ts";

/**
 * Date-times and amounts as the traveler reads them. Date-times are texts in the operator's time zone, such as
 * "2026-12-05T14:05:00+01:00", and stay in it.
 */
export interface Formats {
  /** "Saturday, 5 December 2026, 14:05". */
  dayAndTime(at: string): string;
  /** "Saturday, 5 December 2026". */
  date(at: string): string;
  /** "14:05", in all languages. */
  clock(at: string): string;
  /** "Sat 5 Dec 14:05". */
  shortMoment(at: string): string;
  /** "Sat 5 Dec". */
  shortDay(at: string): string;
  /** "11-05" as "5 November". */
  monthDay(monthDay: string): string;
  /** "45 min", and "1 h 26 min" above 60, in all languages. */
  duration(minutes: number): string;
  /** "45 minutes", and "1 hour 26 minutes" above 60. */
  durationInWords(minutes: number): string;
  /** "CHF 1,147.80" in English, "CHF 1’147.80" in the languages of Switzerland. */
  money(amount: number, currency?: string): string;
  /** The amounts of a text, with their thousands separated. */
  grouped(text: string): string;
}

/** French and Italian write a date without a comma, unlike the locales of Switzerland in the data of browsers. */
const DATE_LOCALES: Readonly<Record<string, string>> = { fr: "fr", it: "it" };

const OPTIONS = {
  date: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  shortDay: { weekday: "short", day: "numeric", month: "short" },
  monthDay: { day: "numeric", month: "long" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

export function formatsIn(
  language: Language,
  text: (key: ViewKey, values?: Readonly<Record<string, string | number>>) => string,
): Formats {
  /** Each is made once, because making one takes longer than all that a page formats with it. */
  const formatters = new Map<keyof typeof OPTIONS, Intl.DateTimeFormat>();
  const units = new Map<string, Intl.NumberFormat>();
  const date = (at: string) => dayOf("date", at);
  const shortDay = (at: string) => dayOf("shortDay", at);

  return {
    dayAndTime: (at) => text("day_and_time", { date: date(at), time: clock(at) }),
    date,
    clock,
    shortMoment: (at) => `${shortDay(at)} ${clock(at)}`,
    shortDay,
    // In a leap year, in which every day exists.
    monthDay: (monthDay) => dayOf("monthDay", `2028-${monthDay}`),
    duration: (minutes) => durationText(minutes),
    durationInWords: (minutes) => durationText(minutes, unitText),
    money: (amount, currency = "CHF") =>
      `${amount < 0 ? "−" : ""}${currency}\u00a0${grouped(Math.abs(amount).toFixed(2))}`,
    grouped,
  };

  /** The day with which a date-time begins. */
  function dayOf(name: keyof typeof OPTIONS, at: string): string {
    const locale = DATE_LOCALES[language] ?? LOCALES[language];
    const formatter = formatters.get(name) ?? new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...OPTIONS[name] });
    formatters.set(name, formatter);
    return formatter.format(new Date(at.slice(0, 10)));
  }

  function unitText(count: number, unit: "hour" | "minute"): string {
    const options = { style: "unit", unit, unitDisplay: "long" } as const;
    const formatter = units.get(unit) ?? new Intl.NumberFormat(LOCALES[language], options);
    units.set(unit, formatter);
    return formatter.format(count);
  }

  function grouped(amounts: string): string {
    return amounts.replace(/\d(?=(?:\d{3})+\b)(?!\d*\.\d{3})/g, (digit) => digit + (language === "en" ? "," : "’"));
  }
}

function clock(at: string): string {
  return at.slice(11, 16);
}
