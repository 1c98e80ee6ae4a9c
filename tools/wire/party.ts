import type { QuoteRequest } from "../../src/contract/quote-request.ts";
import { forLargerParties } from "../../src/domain/quotes/party.ts";
import type { Journey, PricedJourney, Services } from "../../src/service/calls/operation.ts";
import { wired } from "./wired.ts";

/** What a party can do that is larger than the field `passengers` or one of its parts may be, and who stays overnight. */
export function beyondLimits(exceeded: readonly string[], catalog: Services["catalog"]): string | undefined {
  const advice = [
    ...(exceeded.some((field) => PEOPLE.includes(field)) ? [forLargerParties(catalog)] : []),
    ...(exceeded.some((field) => field.endsWith(".stop_duration_min")) ? [OVERNIGHT] : []),
  ];
  return advice.join(" ") || undefined;
}

const OVERNIGHT = "For a night at a stop, quote the way there and the way on as two journeys.";

const PEOPLE: readonly string[] = ["passengers", "adults", "children", "infants"];

/** Request fields that the quote repeats. Both directions of the mapping stand here, so that a field is added once. */

export function partyOf(request: QuoteRequest) {
  return {
    passengers: request.passengers,
    adults: request.adults ?? null,
    children: request.children,
    infants: request.infants,
    luggage: request.luggage,
    largeLuggage: request.large_luggage ?? null,
    specialItems: request.special_items,
    flightNumber: request.flight_number ?? null,
  } satisfies Partial<Journey>;
}

export function wireParty(journey: PricedJourney) {
  const { largeLuggage, specialItems, flightNumber } = journey;
  return {
    ...wired(journey, "passengers", "luggage", "adults", "children", "infants"),
    large_luggage: largeLuggage ?? undefined,
    special_items: specialItems.length > 0 ? [...specialItems] : undefined,
    flight_number: flightNumber ?? undefined,
  };
}
