import type { LocalTime, StoredQuote } from "../../src/service/calls/operation.ts";
import { wireParty } from "./party.ts";

/** The arguments with which the journey of a quote is asked for again; luggage that was not stated is not stated again. */
export function requestAgain(quote: StoredQuote, localTime: LocalTime) {
  const { origin, destination, stops, pickupAt, arriveBy, returnAt, hireHours, waitingMinutes } = quote;
  const returnsByItself = hireHours !== null && destination === origin;
  return {
    origin,
    ...(!returnsByItself && { destination }),
    ...(arriveBy === null ? { pickup_datetime: localTime(pickupAt) } : { arrive_by: localTime(arriveBy) }),
    ...(returnAt !== null && { return_datetime: localTime(returnAt) }),
    ...(hireHours !== null && { booking_type: "hourly" as const, duration_hours: hireHours }),
    ...(stops.length > 0 && { waypoints: stops.map(stopAgain) }),
    ...wireParty(quote),
    adults: isAdultsStated(quote) ? quote.adults : undefined,
    luggage: quote.notices.some(({ code }) => code === "ASSUMED_LUGGAGE") ? undefined : quote.luggage,
    ...(waitingMinutes > 0 && { waiting_minutes: waitingMinutes }),
  };
}

/** Omitted adults are stored as the number of passengers, among whom children are; sent again they would need seats. */
function isAdultsStated({ passengers, adults, children, infants, notices }: StoredQuote): boolean {
  const people = adults + children + infants;
  return (
    people === passengers || notices.some(({ code, values }) => code === "PARTY_DIFFERS" && values.people === people)
  );
}

export function stopAgain({ name, at, dwellMinutes }: StoredQuote["stops"][number]) {
  return {
    name,
    ...(at && { lat: at.lat, lng: at.lng }),
    ...(dwellMinutes !== null && { stop_duration_min: dwellMinutes }),
  };
}
