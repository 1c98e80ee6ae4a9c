import { DateTime } from "luxon";
import type { Fields } from "./mcp-client.ts";

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

/** A quote that was read, without what a new one does not say: whom to ask whether it is paid. */
export function asCreated({ next_action: _, ...quote }: Fields): Fields {
  return quote;
}

/** A request with every detail that the page of an offer can show, except those of a hire. */
export const FULL_JOURNEY = {
  ...{ passengers: 3, adults: 2, children: 1, luggage: 3, large_luggage: 1, waiting_minutes: 75 },
  special_items: [
    { kind: "skis", count: 2 },
    { kind: "child_seat", count: 1 },
  ],
  pickup_datetime: "2026-12-08T14:05:00+01:00",
  return_datetime: "2026-12-12T10:00:00+01:00",
  waypoints: [{ name: "Bern", stop_duration_min: 75 }],
};

/**
 * A quote request for a process that uses the machine's clock: in a week at noon in Switzerland, on a route without
 * passes and car trains, so that the result does not depend on the time of the test.
 */
export function aRealJourney(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return aQuoteRequest({ destination: "Bern", pickup_datetime: noonInAWeek(), ...overrides });
}

function noonInAWeek(): string {
  const noon = DateTime.now().setZone("Europe/Zurich").plus({ days: 7 }).startOf("day").set({ hour: 12 });
  return noon.toISO({ suppressMilliseconds: true }) ?? "";
}
