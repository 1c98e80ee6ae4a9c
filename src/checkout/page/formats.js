/** Instants and amounts as the traveler reads them. */
import { locale, textOf } from "./language.js";

export function dayAndTimeText(instant) {
  return `${dateText(instant)}, ${timeText(instant)}`;
}

export function dateText(instant) {
  return swissFormat({ weekday: "long", day: "numeric", month: "long", year: "numeric" }).format(instant);
}

export function timeText(instant) {
  return textOf("swiss_time", { time: clockText(instant), zone: zoneText(instant) });
}

/** The Swiss time alone, where its zone is said once for several. */
export function clockText(instant) {
  return swissFormat({ hour: "2-digit", minute: "2-digit" }).format(instant);
}

export function zoneText(instant) {
  const parts = swissFormat({ hour: "2-digit", timeZoneName: "short" }).formatToParts(instant);
  return parts.find(({ type }) => type === "timeZoneName").value;
}

export function shortDayText(instant) {
  return swissFormat({ weekday: "short", day: "numeric", month: "short" }).format(instant);
}

/** The start of a quote's id, short enough to be read out on the phone. */
export function referenceText(id) {
  return id.slice(2).replace(/[-_]/g, "").slice(0, 6).toUpperCase();
}

/** "45 min", and "3 h 53 min" above 90, which all languages of the page write alike. */
export function durationText(minutes) {
  const rest = minutes % 60;
  if (minutes <= 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${rest > 0 ? ` ${rest} min` : ""}`;
}

/** "11-05" as "5 November". Computed in a leap year, in which every day exists. */
export function dayText(monthDay) {
  return swissFormat({ day: "numeric", month: "long" }).format(new Date(`2028-${monthDay}T12:00:00Z`));
}

function swissFormat(format) {
  return new Intl.DateTimeFormat(locale, { timeZone: "Europe/Zurich", ...format });
}

/** Written alike on every surface: "CHF 1,147.80" in English, "CHF 1’147.80" in the languages of Switzerland. */
export function moneyText(amount, currency) {
  const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const grouped = new Intl.NumberFormat("en", decimals).format(Math.abs(amount));
  const number = locale.startsWith("en") ? grouped : grouped.replaceAll(",", "’");
  return `${amount < 0 ? "−" : ""}${currency}\u00a0${number}`;
}
