import assert from "node:assert/strict";
import type { ErrorCode, FieldError } from "../../src/contract/errors.ts";
import { PublicError } from "../../src/contract/errors.ts";
import { textsOf } from "../../src/contract/notices.ts";
import { loadCatalog } from "../../src/domain/catalog/catalog.ts";
import type { Availability } from "../../src/domain/quotes/availability.ts";
import { arrivalsOf } from "../../src/domain/quotes/journey-legs.ts";
import type { Journey, JourneyPoint, PricedJourney } from "../../src/domain/quotes/quote.ts";
import { createQuoting } from "../../src/domain/quotes/quoting.ts";
import type { LoadedPricing } from "../../src/operate/compose/compose-pricing.ts";
import { pricingOf } from "../../src/operate/compose/embedded-pricing.ts";
import type { Log } from "../../src/ops/log.ts";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import { createStages } from "../../src/ops/tracing.ts";
import { aClock, type FakeClock } from "./fake-clock.ts";

export const defaultCatalog = pricingOf(loadCatalog(packagedCatalog));

/** The origin of journeys by default. */
export function aPoint(text: string, rest: Partial<JourneyPoint> = {}): JourneyPoint {
  return { field: "origin", text, position: null, dwellMinutes: null, ...rest };
}

/** Two people from Zurich Airport to Bern, in the daytime a week after `aClock()`. */
function aJourney(overrides: Partial<Journey> = {}): Journey {
  return {
    points: [aPoint("Zurich Airport"), aPoint("Bern", { field: "destination" })],
    pickupAt: new Date("2026-12-08T13:00:00Z"),
    returnAt: null,
    passengers: 2,
    children: 0,
    infants: 0,
    luggage: 2,
    largeLuggage: null,
    flightNumber: null,
    specialItems: [],
    waitingMinutes: 0,
    hireHours: null,
    adults: null,
    callerMetrics: null,
    ...overrides,
  };
}

interface FixtureParts extends Partial<LoadedPricing> {
  readonly clock?: FakeClock;
  readonly log?: Log;
  readonly availability?: Availability;
}

/** A priced journey with what the wire derives from it. */
export type ToldJourney = PricedJourney & { readonly limitations: readonly string[] } & ReturnType<typeof arrivalsOf>;

/** Prices with the default catalog and its router, unless other parts are given. */
export function pricing({ clock = aClock(), ...parts }: FixtureParts = {}) {
  const { places, ...services } = { ...defaultCatalog, ...parts };
  const quoting = createQuoting({ ...services, clock });
  return async (
    journey: Partial<Journey> = {},
    client?: string,
    signal = new AbortController().signal,
  ): Promise<ToldJourney> => {
    const priced = await quoting.price(aJourney(journey), { signal, observe: createStages(), places, client });
    return {
      ...priced,
      ...arrivalsOf(priced),
      limitations: textsOf(priced.notices.filter(({ code }) => code !== "VIA")),
    };
  };
}

export function totalOf(priced: PricedJourney, vehicleClass = "sedan"): number | undefined {
  return priced.options.find((option) => option.vehicleClass === vehicleClass)?.totalRappen;
}

/** The public error with which a call rejects. */
export async function refusalOf(
  call: Promise<unknown>,
  code: ErrorCode,
): Promise<{ readonly detail: string; readonly nextAction: string; readonly fieldErrors: readonly FieldError[] }> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof PublicError, String(error));
    assert.equal(error.code, code, error.message);
    const { nextAction = "", fieldErrors = [] } = error.options;
    return { detail: error.message, nextAction, fieldErrors };
  }
  return assert.fail(`wanted ${code}`);
}
