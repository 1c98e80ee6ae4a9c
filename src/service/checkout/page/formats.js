/** Date-times and amounts as the traveler reads them. Date-times are texts in the operator's time zone, and stay in it. */
import { language, locale, textOf } from "./language.js";

/** "Saturday, 5 December 2026, 14:05" of "2026-12-05T14:05:00+01:00". */
export function dayAndTimeText(at) {
  return textOf("day_and_time", { date: dateText(at), time: clockText(at) });
}

export function dateText(at) {
  return dayOf("date", at);
}

/** All languages of the page write it alike. */
export function clockText(at) {
  return at.slice(11, 16);
}

/** "Sat 5 Dec 14:05". */
export function shortMomentText(at) {
  return `${shortDayText(at)} ${clockText(at)}`;
}

export function shortDayText(at) {
  return dayOf("shortDay", at);
}

/** The start of a quote's id, short enough to be read out on the phone. */
export function referenceText(id) {
  return id.slice(2).replace(/[-_]/g, "").slice(0, 6).toUpperCase();
}

/** "45 min", and "1 h 26 min" above 60, which all languages of the page write alike. */
export function durationText(minutes) {
  const rest = minutes % 60;
  if (minutes <= 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${rest > 0 ? ` ${rest} min` : ""}`;
}

/** "11-05" as "5 November". Computed in a leap year, in which every day exists. */
export function dayText(monthDay) {
  return dayOf("day", `2028-${monthDay}`);
}

/** French and Italian write a date without a comma, unlike the locales of Switzerland in the data of browsers. */
const DATE_LOCALES = { fr: "fr", it: "it" };

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const FORMATS = {
  date: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  shortDay: { weekday: "short", day: "numeric", month: "short" },
  day: { day: "numeric", month: "long" },
};

/** Each is made once, because making one takes longer than all that the page formats with it. */
const formatters = {};

/** The day with which a date-time begins. */
function dayOf(name, at) {
  formatters[name] ??= new Intl.DateTimeFormat(DATE_LOCALES[language] ?? locale, { timeZone: "UTC", ...FORMATS[name] });
  return formatters[name].format(new Date(at.slice(0, 10)));
}

/** Written alike on every surface: "CHF 1,147.80" in English, "CHF 1’147.80" in the languages of Switzerland. */
export function moneyText(amount, currency) {
  return `${amount < 0 ? "−" : ""}${currency}\u00a0${groupedText(Math.abs(amount).toFixed(2))}`;
}

/** Amounts of a text, with their thousands separated. */
export function groupedText(text) {
  return text.replace(/\d(?=(?:\d{3})+\b)(?!\d*\.\d{3})/g, (digit) => digit + (language === "en" ? "," : "’"));
}
