import { type Notice, textsOf } from "../../src/contract/notices.ts";
import type { MeasuredRoute, Router } from "../../src/domain/routing/router.ts";

/** A measured route whose notes and doubts are plain texts. */
type RouteInWords = Omit<MeasuredRoute, "notes" | "doubts" | "path"> &
  Readonly<Record<"notes" | "doubts", readonly string[]>>;

/** 100 km in 60 minutes without fees, notes or doubts, with these changes. */
export function aMeasuredRoute({ notes = [], doubts = [], ...overrides }: Partial<RouteInWords> = {}): MeasuredRoute {
  return {
    distanceKm: 100,
    durationMinutes: 60,
    feesRappen: 0,
    carTrainsRappen: 0,
    notes: notes.map(saying),
    doubts: doubts.map(saying),
    dataVersion: "test-1",
    ...overrides,
  };
}

/** A router that returns the same route for every journey, or the result of `measure`. */
export function aRouter(measured: Partial<RouteInWords> | Router["measure"] = {}): Router {
  const measure = typeof measured === "function" ? measured : async () => aMeasuredRoute(measured);
  return { basis: "TEST", dataVersion: "test-1", measure, ping: async () => {} };
}

/** A measured route with plain texts. */
export function inWords({ notes, doubts, ...route }: MeasuredRoute): RouteInWords {
  return { ...route, notes: textsOf(notes), doubts: textsOf(doubts) };
}

function saying(text: string): Notice {
  return { code: "TEST", values: {}, text };
}
