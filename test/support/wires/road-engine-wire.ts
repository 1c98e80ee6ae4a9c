import type { RouteStop } from "../../../src/domain/routing/router.ts";
import type { Behavior, EngineCall } from "../fake-engine.ts";
import { defaultCatalog } from "../quoting-fixture.ts";

export interface WireLeg {
  readonly km: number;
  readonly minutes: number;
}

/** The same legs for every request, or those between the stops of each. */
export type WireLegs = readonly WireLeg[] | ((stops: readonly RouteStop[]) => readonly WireLeg[]);

/** The HTTP interface of a routing engine, for the contract suites. */
export interface RoadEngineWire {
  /** Answers with these legs; `data` is the version of the road data, if the engine reports one. */
  speaks(legs: WireLegs, data?: number): Behavior;
  /** Whether the engine's answers contain the version of its data. */
  readonly hasDataVersion: boolean;
  readonly refusesWithNoRoute: Behavior;
  readonly refusesTheRequest: Behavior;
  /** Whether a request asks to avoid closed roads. */
  avoids(call: EngineCall): boolean;
  /** Whether it avoids each closed road by its position, and not all roads of a class. */
  readonly avoidsEach: boolean;
}

const SUMMER = new Date("2027-07-15T10:00:00Z");

/** The legs between stops as the embedded network measures them. */
export function trueRoads(stops: readonly RouteStop[]): readonly WireLeg[] {
  return stops.slice(1).map((to, index) => {
    const { distanceKm, durationMinutes } = defaultCatalog.roadNetwork.journey([stops[index] ?? to, to], SUMMER);
    return { km: distanceKm, minutes: durationMinutes };
  });
}

/** What an engine measures between these stops. */
export function legsBetween(stops: readonly RouteStop[], legs: WireLegs): readonly WireLeg[] {
  return typeof legs === "function" ? legs(stops) : legs;
}
