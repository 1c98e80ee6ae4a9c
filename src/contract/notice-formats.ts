/** How values of notices are written in English. */

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];

/** "11-05" as "5 November". */
export function dayName(monthDay: string): string {
  const [month, day] = monthDay.split("-").map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]}`;
}

/** "2026-12-04" as "4 December 2026". */
function dateName(date: string): string {
  return `${dayName(date.slice(5, 10))} ${date.slice(0, 4)}`;
}

/** "2026-12-04T10:00:00+01:00" as "4 December 2026, 10:00". */
export function instantName(local: string): string {
  return `${dateName(local)}, ${local.slice(11, 16)}`;
}

/** "45 min", and "1 h 26 min" above 60. */
export function durationText(minutes: number): string {
  const rest = minutes % 60;
  if (minutes <= 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${rest > 0 ? ` ${rest} min` : ""}`;
}

export function francsText(rappen: number): string {
  return `CHF ${rappen % 100 === 0 ? rappen / 100 : (rappen / 100).toFixed(2)}`;
}

const INCLUDED: Readonly<Record<string, string>> = {
  train: "the car train",
  tolls: "tolls",
  place_fees: "parking and access fees",
  night: "the night surcharge",
  holidays: "the holiday surcharge",
  seasons: "seasonal surcharges",
};

/** "tolls, night" as words, each followed by a comma. */
function partNames(codes: string): string {
  const names = codes.split(", ").flatMap((code) => INCLUDED[code] ?? []);
  return names.map((name) => `${name}, `).join("");
}

/** By the format of a placeholder in the text of a notice. */
export const FORMATS: Readonly<Record<string, (value: string) => string>> = {
  day: dayName,
  date: dateName,
  instant: instantName,
  duration: (minutes) => durationText(Number(minutes)),
  parts: partNames,
  /** A time of the day of the pickup, or an instant on another day. */
  moment: (at) => (at.includes("T") ? instantName(at) : at),
  paid: (included) => ` It is ${included === "1" ? "" : "not "}included in the price.`,
  /** The classes that a sentence is about, in parentheses; empty if it is about all. */
  only: (classes) => (classes === "" ? "" : ` (${classes})`),
  /** An optional further sentence; the value is empty if there is none. */
  also: (sentence) => (sentence === "" ? "" : ` ${sentence}`),
};
