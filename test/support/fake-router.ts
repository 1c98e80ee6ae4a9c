import type { MeasuredRoute, Router } from "../../src/routing/router.ts";

/** 100 km in 60 minutes without fees, notes or doubts, unless told otherwise. */
export function aMeasuredRoute(overrides: Partial<MeasuredRoute> = {}): MeasuredRoute {
  return {
    distanceKm: 100,
    durationMinutes: 60,
    feesRappen: 0,
    carTrainsRappen: 0,
    notes: [],
    doubts: [],
    dataVersion: "test-1",
    ...overrides,
  };
}

/** Returns the same route for every journey, or what `measure` returns. */
export function aRouter(measured: Partial<MeasuredRoute> | Router["measure"] = {}): Router {
  const measure = typeof measured === "function" ? measured : async () => aMeasuredRoute(measured);
  return { basis: "TEST", dataVersion: "test-1", measure, ping: async () => {} };
}
