import type { Quote } from "../src/contract/quote.ts";
import type { PricedOption } from "../src/pricing/price.ts";
import type { PricedJourney, StoredQuote } from "../src/quotes/quote.ts";

/** A stored quote as callers see it. */
export function wireQuote(quote: StoredQuote, status: "open" | "expired"): Quote {
  return {
    status,
    quote_id: quote.id,
    request_id: quote.requestId,
    expires_at: quote.expiresAt,
    ...wireJourney(quote),
  };
}

/** A priced journey that was not stored. */
export function wireEstimate(journey: PricedJourney, requestId: string): Quote {
  return {
    status: "estimate",
    quote_id: null,
    request_id: requestId,
    expires_at: null,
    ...wireJourney(journey),
  };
}

/** Whole Rappen as a JSON number of francs with at most two decimals. */
export function francs(rappen: number): number {
  return rappen / 100;
}

function wireJourney(journey: PricedJourney) {
  const { route, currency } = journey;
  return {
    origin: journey.origin,
    destination: journey.destination,
    waypoints: journey.stops.map(({ name, dwellMinutes }) => ({ name, stop_duration_min: dwellMinutes })),
    pickup_datetime: journey.pickupAt,
    return_datetime: journey.returnAt,
    passengers: journey.passengers,
    adults: journey.adults,
    children: journey.children,
    infants: journey.infants,
    luggage: journey.luggage,
    currency,
    non_binding: true,
    reservation_status: "not_reserved",
    requires_manual_confirmation: journey.requiresManualConfirmation,
    limitations: [...journey.limitations],
    options: journey.options.map((option) => wireOption(option, journey)),
    route_basis: {
      authority: route.authority,
      automatically_payable: route.automaticallyPayable,
      distance_km: route.distanceKm,
      duration_min: route.durationMinutes,
      measured_at: route.measuredAt,
      route_contract_version: route.contractVersion,
      route_fingerprint: route.fingerprint,
      routing_basis: route.basis,
    },
  };
}

function wireOption(option: PricedOption, { currency, requiresManualConfirmation }: PricedJourney) {
  return {
    fleet_id: option.fleetId,
    vehicle_class: option.vehicleClass,
    vehicle_type: option.vehicleType,
    passenger_capacity: option.passengerCapacity,
    luggage_capacity: option.luggageCapacity,
    large_luggage_capacity: option.largeLuggageCapacity,
    small_luggage_capacity: option.smallLuggageCapacity,
    total_price: francs(option.totalRappen),
    currency,
    on_request: option.onRequest,
    requires_manual_confirmation: option.onRequest || requiresManualConfirmation,
  };
}
