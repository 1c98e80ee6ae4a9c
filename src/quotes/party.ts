import { PublicError } from "../contract/errors.ts";
import { eligibleClasses } from "../pricing/price.ts";
import type { VehicleClass } from "../published/schema.ts";
import type { Journey } from "./journey.ts";

/** How many travel and what they carry, checked against the fleet. */
export interface Party {
  readonly adults: number;
  readonly seats: number;
  readonly luggage: number;
  readonly notes: readonly string[];
}

/** Throws NO_ELIGIBLE_VEHICLE where no class takes the party and its luggage. */
export function checkParty(
  journey: Pick<Journey, "passengers" | "adults" | "children" | "infants" | "luggage">,
  classes: readonly VehicleClass[],
): Party {
  const adults = journey.adults ?? journey.passengers;
  const people = adults + journey.children + journey.infants;
  const party = { adults, seats: Math.max(journey.passengers, people), luggage: journey.luggage };
  const differs = people !== journey.passengers;
  const note = `Adults, children and infants add up to ${people}, passengers are ${journey.passengers}; vehicles are chosen for ${party.seats} seats.`;
  if (eligibleClasses(classes, party).length > 0) return { ...party, notes: differs ? [note] : [] };
  const largest = classes.reduce<VehicleClass | undefined>(
    (most, each) => (most && most.passengerCapacity >= each.passengerCapacity ? most : each),
    undefined,
  );
  const most = `${largest?.id} takes ${largest?.passengerCapacity} passengers and ${largest?.luggageCapacity} pieces of luggage`;
  throw new PublicError(
    "NO_ELIGIBLE_VEHICLE",
    `No vehicle class seats ${party.seats} passengers with ${party.luggage} pieces of luggage.`,
    { nextAction: `Split the party over several quotes: the largest class, ${most}.` },
  );
}
