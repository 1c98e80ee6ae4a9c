import { DateTime } from "luxon";

/** A quote request that the service accepts at the time of `aClock()`. */
export function aQuoteRequest(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    origin: "Zurich Airport",
    destination: "Zermatt",
    pickup_datetime: "2026-12-08T14:00:00+01:00",
    passengers: 2,
    luggage: 2,
    ...overrides,
  };
}

/**
 * A quote request for a process that uses the machine's clock: noon in Switzerland in a week, on a route without passes
 * and car trains, so that the result does not depend on hour and season of the run.
 */
export function aRealJourney(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return aQuoteRequest({ destination: "Bern", pickup_datetime: noonInAWeek(), ...overrides });
}

function noonInAWeek(): string {
  const noon = DateTime.now().setZone("Europe/Zurich").plus({ days: 7 }).startOf("day").set({ hour: 12 });
  return noon.toISO({ suppressMilliseconds: true }) ?? "";
}
