import { linesOf } from "../../src/contract/charges.ts";
import type { CheckoutJourney } from "../../src/contract/checkout.ts";
import { withFreeWaiting } from "../../src/domain/quotes/journey-legs.ts";
import { optionNotices } from "../../src/domain/quotes/price-notices.ts";
import type { LocalTime, PricedOption, StoredQuote } from "../../src/service/calls/operation.ts";
import { wireParty } from "./party.ts";
import { pageNotice, wireLegs, wireOption, wirePickups, wireStops } from "./quote.ts";
import { francs, wired } from "./wired.ts";

/** The journey of one option, for the resolved link and the events of its handoff. The same whenever it is read. */
export function wireCheckoutJourney(quote: StoredQuote, option: PricedOption, localTime: LocalTime): CheckoutJourney {
  const { route, returnRoute } = quote;
  const { vehicle_class, vehicle_type, passenger_capacity, vat_amount } = wireOption(option, quote);
  return {
    ...{ vehicle_class, vehicle_type, passenger_capacity },
    ...wired(quote, "origin", "destination"),
    ...wireRequest(quote, localTime),
    distance_km: route.distanceKm,
    duration_min: route.durationMinutes,
    ...(returnRoute && {
      return_distance_km: returnRoute.distanceKm,
      return_duration_min: returnRoute.durationMinutes,
    }),
    legs: wireLegs({ legs: withFreeWaiting(quote.legs, [option]) }, localTime),
    notices: optionNotices(quote.notices, option).map(pageNotice),
    ...(quote.publishesPriceLines && {
      price_lines: linesOf(option.charges).map(({ rappen, ...line }) => ({
        ...{ label: line.label, amount: francs(rappen) },
        ...wired(line, "code", "count", "direction", "name"),
      })),
    }),
    vat_percent: quote.vatPercent ?? undefined,
    vat_amount,
    tariff_version: quote.tariffVersion,
  };
}

/** When, for whom and for how long: a link is public, and has the fields of the party that are named here. */
export function wireRequest(quote: StoredQuote, localTime: LocalTime) {
  const { passengers, luggage, adults, children, infants, ...others } = wireParty(quote);
  const { large_luggage, special_items, flight_number } = others;
  return {
    ...wirePickups(quote, localTime),
    waypoints: wireStops(quote),
    ...{ passengers, luggage, adults, children, infants, large_luggage, special_items, flight_number },
    waiting_minutes: quote.waitingMinutes,
    duration_hours: quote.hireHours,
  };
}
