import { withFreeWaiting } from "../../src/domain/quotes/journey-legs.ts";
import { translationsOf } from "../../src/domain/quotes/translations-of.ts";
import type { PricedOption, Services, StoredQuote } from "../../src/service/calls/operation.ts";
import { wireRequest } from "./checkout-journey.ts";
import { wireLegs } from "./quote.ts";
import { francs, wired } from "./wired.ts";

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
