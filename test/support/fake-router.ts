import { type Notice, textsOf } from "../../src/contract/notices.ts";
import type { MeasuredRoute, Router, RouteStop } from "../../src/domain/routing/router.ts";

/** A measured route whose notes and doubts are plain texts. */
type RouteInWords = Omit<MeasuredRoute, "notes" | "doubts" | "exact"> &
  Readonly<Record<"notes" | "doubts", readonly string[]>>;

/** 100 km in 60 minutes without fees, notes or doubts, with these changes. */
export function aMeasuredRoute({ notes = [], doubts = [], ...overrides }: Partial<RouteInWords> = {}): MeasuredRoute {
  return {
    distanceKm: 100,
    durationMinutes: 60,
    feesRappen: 0,
    carTrainsRappen: 0,
    carTrainKm: 0,
    notes: notes.map(saying),
    doubts: doubts.map(saying),
    dataVersion: "test-1",
    ...overrides,
  };
}

/**
 * A router that returns the same route for every journey, or the result of `measure`. The stages of the last journey
 * with stops are equal parts of the route.
 */
export function aRouter(measured: Partial<RouteInWords> | Router["measure"] = {}): Router {
  let whole: readonly RouteStop[] = [];
  const measure: Router["measure"] = async (stops) => {
    if (stops.length > 2) whole = stops;
    const route = aMeasuredRoute(measured as Partial<RouteInWords>);
    const [from, to] = stops.map(({ lat, lng }) => indexesOf(whole, lat, lng));
    const stages = (from ?? []).flatMap((start) => (to ?? []).map((end) => end - start)).filter((count) => count > 0);
    if (stops.length > 2 || stages.length === 0) return route;
    const share = Math.min(...stages) / (whole.length - 1);
    const exact = { km: route.distanceKm * share, minutes: route.durationMinutes * share };
    return { ...route, exact, feesRappen: route.feesRappen * share, carTrainsRappen: route.carTrainsRappen * share };
  };
  return {
    basis: "TEST",
    dataVersion: "test-1",
    measure: typeof measured === "function" ? measured : measure,
    ping: async () => {},
  };
}

function indexesOf(stops: readonly RouteStop[], lat: number, lng: number): readonly number[] {
  return stops.flatMap((stop, index) => (stop.lat === lat && stop.lng === lng ? index : []));
}

/** A measured route with plain texts, without what was not rounded. */
export function inWords({ notes, doubts, exact: _, ...route }: MeasuredRoute): RouteInWords {
  return { ...route, notes: textsOf(notes), doubts: textsOf(doubts) };
}

function saying(text: string): Notice {
  return { code: "TEST", values: {}, text };
}
