import { linesOf } from "../../src/contract/charges.ts";
import type { CheckoutJourney } from "../../src/contract/checkout.ts";
import { withFreeWaiting } from "../../src/domain/quotes/journey-legs.ts";
import { optionNotices } from "../../src/domain/quotes/price-notices.ts";
import { translationsOf } from "../../src/domain/quotes/translations-of.ts";
import type { LocalTime, PricedOption, Services, StoredQuote } from "../../src/service/calls/operation.ts";
import { wireParty } from "./party.ts";
import { pageNotice, wireLegs, wirePickups, wireStops } from "./quote.ts";
import { francs, wired } from "./wired.ts";

/** The journey of one option, for the resolved link and the events of its handoff. The same whenever it is read. */
export function wireCheckoutJourney(quote: StoredQuote, option: PricedOption, localTime: LocalTime): CheckoutJourney {
  const { route, returnRoute } = quote;
  return {
    ...wired(option, "vehicleClass", "vehicleType", "passengerCapacity"),
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
    vat_amount: option.vatRappen === null ? undefined : francs(option.vatRappen),
    tariff_version: quote.tariffVersion,
  };
}

/** When, for whom and for how long: a link is public, and has the fields of the party that are named here. */
function wireRequest(quote: StoredQuote, localTime: LocalTime) {
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

/** How long a link shows what has expired, so that the traveler can ask for the same journey again. */
const SHOWN_MILLISECONDS = 60 * 60 * 1000;

export function isExpiredOfferShown({ expiresAt }: StoredQuote, now: Date): boolean {
  return now.getTime() < Date.parse(expiresAt) + SHOWN_MILLISECONDS;
}

/**
 * The request of an expired link, and the price that has expired. Links are shared and stay in histories, so that places
 * are the catalog's towns, without addresses and the caller's names of stops, and what could identify a traveler is left
 * out: the flight, and special items such as a wheelchair.
 */
export function expiredOffer(
  quote: StoredQuote,
  option: PricedOption,
  { catalog, localTime }: Pick<Services, "catalog" | "localTime">,
) {
  const legs = withFreeWaiting(quote.legs, [option]).map((leg) => ({ ...leg, place: leg.town }));
  const outbound = legs.filter(({ direction }) => direction === "outbound");
  const stops = outbound.filter(({ action }) => action === "stop" || action === "pass");
  const { flight_number: _, special_items: __, ...request } = wireRequest(quote, localTime);
  const texts = [option.vehicleType, ...legs.map(({ place }) => place)];
  return {
    origin: outbound[0]?.place,
    destination: outbound[outbound.length - 1]?.place,
    ...request,
    waypoints: stops.map(({ place }, index) => ({
      name: place,
      stop_duration_min: quote.stops[index]?.dwellMinutes ?? null,
    })),
    ...wired(option, "vehicleClass", "vehicleType"),
    total_price: francs(option.totalRappen),
    currency: quote.currency,
    legs: wireLegs({ legs }, localTime),
    translations: translationsOf(catalog, texts),
  };
}
