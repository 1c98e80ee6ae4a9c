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
