/** Durations in milliseconds. A day has 24 hours, which a local day need not have. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
