import type { VehicleClass } from "../catalog/catalog-schema.ts";
import { PublicError } from "../contract/errors.ts";
import { type Notice, notice } from "../contract/notices.ts";
import { eligibleClasses } from "../pricing/price.ts";
import type { Journey } from "./journey.ts";

/** People and luggage, checked against the fleet. */
export interface Party {
  readonly adults: number;
  readonly seats: number;
  readonly luggage: number;
  /** That take the party, in the order of the catalog. */
  readonly classes: readonly VehicleClass[];
  readonly notes: readonly Notice[];
}

/** Throws NO_ELIGIBLE_VEHICLE where no class takes the party and its luggage. */
export function checkParty(
  journey: Pick<Journey, "passengers" | "adults" | "children" | "infants" | "luggage">,
  fleet: readonly VehicleClass[],
): Party {
  const adults = journey.adults ?? journey.passengers;
  const people = adults + journey.children + journey.infants;
  const party = { adults, seats: Math.max(journey.passengers, people), luggage: journey.luggage };
  const differs = people !== journey.passengers;
  const { passengers } = journey;
  const note = notice("PARTY_DIFFERS", { people, passengers, seats: party.seats });
  const eligible = eligibleClasses(fleet, party);
  if (eligible.length > 0) return { ...party, classes: eligible, notes: differs ? [note] : [] };
  const largest = fleet.reduce<VehicleClass | undefined>(
    (most, each) => (most && most.passengerCapacity >= each.passengerCapacity ? most : each),
    undefined,
  );
  const most = `${largest?.id} takes ${largest?.passengerCapacity} passengers and ${largest?.luggageCapacity} pieces of luggage`;
  throw new PublicError(
    "NO_ELIGIBLE_VEHICLE",
    `No vehicle class seats ${party.seats} passengers with ${party.luggage} pieces of luggage.`,
    {
      nextAction: `Ask the traveler whether the party may travel in several vehicles, each with a quote of its own. The largest class, ${most}.`,
    },
  );
}
