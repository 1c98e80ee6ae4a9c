/** Instants and amounts as the traveler reads them. */
import { language, locale, textOf } from "./language.js";

/** Times are Swiss; where a text may be read elsewhere, `dateText` has "Swiss time" beside it. */
export function dayAndTimeText(instant) {
  return textOf("day_and_time", { date: dateText(instant), time: clockText(instant) });
}

export function dateText(instant) {
  return swissText("date", instant);
}

export function clockText(instant) {
  return swissText("clock", instant);
}

export function shortDayText(instant) {
  return swissText("shortDay", instant);
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
  return swissText("day", new Date(`2028-${monthDay}T12:00:00Z`));
}

/** French and Italian write a date without a comma, unlike the locales of Switzerland in the data of browsers. */
const DATE_LOCALES = { fr: "fr", it: "it" };

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const FORMATS = {
  date: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  clock: { hour: "2-digit", minute: "2-digit" },
  shortDay: { weekday: "short", day: "numeric", month: "short" },
  day: { day: "numeric", month: "long" },
};

/** Each is made once, because making one takes longer than all that the page formats with it. */
const formatters = {};

function swissText(name, instant) {
  formatters[name] ??= new Intl.DateTimeFormat(DATE_LOCALES[language] ?? locale, {
    timeZone: "Europe/Zurich",
    ...FORMATS[name],
  });
  return formatters[name].format(instant);
}

/** Written alike on every surface: "CHF 1,147.80" in English, "CHF 1’147.80" in the languages of Switzerland. */
export function moneyText(amount, currency) {
  return `${amount < 0 ? "−" : ""}${currency}\u00a0${groupedText(Math.abs(amount).toFixed(2))}`;
}

/** Amounts of a text, with their thousands separated. */
export function groupedText(text) {
  return text.replace(/\d(?=(?:\d{3})+\b)(?!\d*\.\d{3})/g, (digit) => digit + (language === "en" ? "," : "’"));
}
