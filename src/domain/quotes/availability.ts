import { MINUTE } from "../../ops/durations.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { VehicleClass } from "../catalog/catalog-schema.ts";
import { arrivalsOf } from "./journey-legs.ts";
import type { Leg } from "./quote.ts";

/** From an instant to another, which it does not contain, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** When vehicles are taken, as a system of the operator knows it. */
export interface Availability {
  /**
   * When no vehicle of a class is free, by id of the class; nothing is known of one that is absent. `undefined` where
   * nothing is known, or nothing newer than `maxAgeMinutes`.
   */
  taken(maxAgeMinutes: number): ReadonlyMap<string, readonly Span[]> | undefined;
}

export type Freedom = "free" | "taken" | "unknown";

/**
 * Returns whether a vehicle of a class is free for a journey: each direction occupies it from the pickup to the arrival,
 * and for the turnaround before and after. Between the two it is free. Without availability every class is.
 */
export function createFreedom(
  { tariff }: Pick<Catalog, "tariff">,
  availability: Availability | undefined,
  legs: readonly Leg[],
): (vehicle: Pick<VehicleClass, "id">) => Freedom {
  if (!availability) return () => "free";
  const taken = availability.taken(tariff.availabilityMaxAgeMinutes);
  if (!taken) return () => "unknown";
  const directions = occupied(legs, tariff.turnaroundMinutes * MINUTE);
  return ({ id }) => {
    const spans = taken.get(id);
    if (!spans) return "unknown";
    const isTaken = directions.some(({ from, to }) => spans.some((span) => span.from < to && span.to > from));
    return isTaken ? "taken" : "free";
  };
}

function occupied(legs: readonly Leg[], turnaround: number): readonly Span[] {
  const { arrivalAt, returnArrivalAt } = arrivalsOf({ legs });
  return legs.flatMap(({ action, direction, at }) => {
    const end = direction === "outbound" ? arrivalAt : returnArrivalAt;
    if (action !== "pickup" || at === null || end === null) return [];
    return { from: Date.parse(at) - turnaround, to: Date.parse(end) + turnaround };
  });
}
