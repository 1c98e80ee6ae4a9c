import type { ErrorCode } from "../../../src/contract/errors.ts";
import type { Arguments } from "../../support/mechanical-repair.ts";

/** A call as agents get it wrong, at 2026-12-01T10:00:00+01:00. */
export interface FlawedCall {
  readonly flaw: string;
  readonly tool?: string;
  readonly args: Arguments;
  readonly code: ErrorCode;
  /** What the repaired call must hold, wherever in it. */
  readonly sends?: Arguments;
  /** What the traveler answers where the error says to ask; `undefined` where the program repairs the call itself. */
  readonly traveler?: (problemText: string) => Arguments;
}

const QUOTE = {
  origin: "Zurich Airport",
  destination: "Bern",
  pickup_datetime: "2026-12-08T14:00:00+01:00",
  passengers: 2,
};
const quote = (flaw: string, changes: Arguments, code: ErrorCode, rest: Partial<FlawedCall> = {}): FlawedCall => ({
  flaw,
  args: { ...QUOTE, ...changes },
  code,
  ...rest,
});
const stop = (waypoint: unknown) => ({ waypoints: [waypoint] });
const firstDateTime = (text: string) => /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}/.exec(text)?.[0];
const without = (field: string): Arguments => ({ [field]: undefined });

// biome-ignore format: a table reads by its columns
export const FLAWED_CALLS: readonly FlawedCall[] = [
  quote("an integer as text", { passengers: "2" }, "INVALID_REQUEST", { sends: { passengers: 2 } }),
  quote("a number as text", { booking_type: "hourly", duration_hours: "2.5" }, "INVALID_REQUEST", { sends: { duration_hours: 2.5 } }),
  quote("a number where text is wanted", { destination: 3000 }, "INVALID_REQUEST", { sends: { destination: "3000" } }),
  quote("a dwell under another name", stop({ name: "Lucerne", dwell_min: 20 }), "INVALID_REQUEST", { sends: stop({ name: "Lucerne", stop_duration_min: 20 }) }),
  quote("an item by type and quantity", { special_items: [{ type: "skis", quantity: 2 }] }, "INVALID_REQUEST", { sends: { special_items: [{ kind: "skis", count: 2 }] } }),
  quote("date and time apart", { pickup_datetime: undefined, date: "2026-12-08", time: "14:00" }, "INVALID_REQUEST", { sends: { pickup_datetime: "2026-12-08T14:00:00+01:00" } }),
  quote("a date with its time beside it", { pickup_datetime: "2026-12-08", time: "14:00" }, "INVALID_REQUEST", { sends: { pickup_datetime: "2026-12-08T14:00:00+01:00" } }),
  quote("a time alone", { pickup_datetime: undefined, time: "14:00" }, "INVALID_REQUEST", { traveler: () => ({ pickup_datetime: QUOTE.pickup_datetime }) }),
  quote("a date without a time", { pickup_datetime: "2027-01-30" }, "INVALID_REQUEST", { traveler: () => ({ pickup_datetime: "2027-01-30T14:00:00+01:00" }) }),
  quote("a special item that is not offered", { special_items: [{ kind: "surfboard", count: 1 }] }, "INVALID_REQUEST", { traveler: () => ({ special_items: [] }) }),
  quote("a stop under another name", stop({ location: "Lucerne" }), "INVALID_REQUEST", { sends: stop({ name: "Lucerne" }) }),
  quote("coordinates of a stop as text", stop({ name: "Lucerne", lat: "47.05", lng: "8.31" }), "INVALID_REQUEST", { sends: stop({ name: "Lucerne", lat: 47.05, lng: 8.31 }) }),
  quote("half a position", stop({ name: "Lucerne", lat: 47.05 }), "INVALID_REQUEST", { sends: stop({ name: "Lucerne" }) }),
  quote("a pickup under another name", { pickup_datetime: undefined, pickup_time: QUOTE.pickup_datetime }, "INVALID_REQUEST", { sends: { pickup_datetime: QUOTE.pickup_datetime } }),
  quote("places under other names", { origin: undefined, destination: undefined, from: "Zurich Airport", to: "Bern" }, "INVALID_REQUEST", { sends: { origin: "Zurich Airport", destination: "Bern" } }),
  quote("a field in camel case", { pickup_datetime: undefined, pickupDatetime: QUOTE.pickup_datetime }, "INVALID_REQUEST", { sends: { pickup_datetime: QUOTE.pickup_datetime } }),
  quote("a misspelled field", { passengers: undefined, passangers: 2 }, "INVALID_REQUEST", { sends: { passengers: 2 } }),
  quote("a price and a vehicle", { price: 100, vehicle_class: "van" }, "INVALID_REQUEST", { sends: without("price") }),
  quote("a known field twice", { pax: 2 }, "INVALID_REQUEST", { sends: { passengers: 2 } }),
  quote("another word for a booking type", { booking_type: "Point-to-Point" }, "INVALID_REQUEST", { sends: { booking_type: "point_to_point" } }),
  quote("hours of hire with a return", { booking_type: "hourly", duration_hours: 4, return_datetime: "2026-12-08T18:00:00+01:00" }, "INVALID_REQUEST", { sends: without("return_datetime") }),
  quote("a hire without its hours", { booking_type: "hourly" }, "INVALID_REQUEST", { traveler: () => ({ duration_hours: 4 }) }),
  quote("a pickup in seconds since 1970", { pickup_datetime: 1796734800 }, "INVALID_REQUEST", { sends: { pickup_datetime: "2026-12-08T14:00:00+01:00" } }),
  quote("a number in words", { passengers: "two" }, "INVALID_REQUEST", { traveler: () => ({ passengers: 2 }) }),
  quote("a date-time without its offset", { pickup_datetime: "2026-12-08T14:00:00" }, "INVALID_DATETIME", { sends: { pickup_datetime: "2026-12-08T14:00:00+01:00" } }),
  quote("a time that clocks show twice", { pickup_datetime: "2027-10-31T02:30:00" }, "INVALID_DATETIME", { traveler: (text) => ({ pickup_datetime: firstDateTime(text) }) }),
  quote("a time that clocks skip", { pickup_datetime: "2027-03-28T02:30:00" }, "INVALID_DATETIME", { traveler: () => ({ pickup_datetime: "2027-03-28T03:30:00+02:00" }) }),
  quote("an offset without its colon", { pickup_datetime: "2026-12-08T14:00:00+0100" }, "INVALID_REQUEST", { sends: { pickup_datetime: "2026-12-08T14:00:00+01:00" } }),
  quote("a date as it is written in Switzerland", { pickup_datetime: "8.12.2026 14:00" }, "INVALID_REQUEST", { sends: { pickup_datetime: "2026-12-08T14:00:00+01:00" } }),
  quote("a date in words", { pickup_datetime: "tomorrow at noon" }, "INVALID_REQUEST", { traveler: () => ({ pickup_datetime: QUOTE.pickup_datetime }) }),
  quote("a day that does not exist", { pickup_datetime: "2027-02-30T14:00:00+01:00" }, "INVALID_DATETIME", { traveler: () => ({ pickup_datetime: "2027-02-28T14:00:00+01:00" }) }),
  quote("a missing pickup", { pickup_datetime: undefined }, "INVALID_REQUEST", { traveler: () => ({ pickup_datetime: QUOTE.pickup_datetime }) }),
  quote("more people than a quote takes", { passengers: 60 }, "INVALID_REQUEST", { traveler: () => ({ passengers: 40 }) }),
  quote("a town with two letters missing", { origin: "Intrlakn" }, "INVALID_LOCATION", { traveler: () => ({ origin: "Interlaken" }) }),
  quote("a city with a terminal", { origin: "Zurich T2", passengers: 1 }, "INVALID_LOCATION", { traveler: () => ({ origin: "Zurich Airport T2" }) }),
  quote("one name of several towns", { origin: "Freiburg" }, "INVALID_LOCATION", { traveler: () => ({ origin: "Fribourg" }) }),
  quote("the same place at both ends", { origin: "Berne" }, "INVALID_LOCATION", { traveler: () => ({ destination: "Thun" }) }),
  quote("swapped coordinates", { origin: "8.5646, 47.4515" }, "UNSUPPORTED_ROUTE", { sends: { origin: "47.4515, 8.5646" } }),
  quote("coordinates far from the place they are called after", stop({ name: "Lucerne", lat: 46.0, lng: 7.75 }), "INVALID_LOCATION", { sends: stop({ name: "Lucerne" }) }),
  quote("a city that nobody is driven to", { destination: "Paris" }, "UNSUPPORTED_ROUTE", { traveler: () => ({ destination: "Geneva" }) }),
  quote("a pickup in the past", { pickup_datetime: "2026-11-08T14:00:00+01:00" }, "PAST_DATETIME", { traveler: (text) => ({ pickup_datetime: firstDateTime(text) }) }),
  quote("a pickup within the lead time", { pickup_datetime: "2026-12-01T11:00:00+01:00" }, "LEAD_TIME_NOT_SUPPORTED", { traveler: (text) => ({ pickup_datetime: firstDateTime(text) }) }),
  quote("a return before the arrival", { return_datetime: "2026-12-08T14:30:00+01:00" }, "RETURN_TIME_INVALID", { traveler: (text) => ({ return_datetime: firstDateTime(text) }) }),
  quote("more people than the largest vehicle seats", { passengers: 50, adults: 50, children: 5 }, "NO_ELIGIBLE_VEHICLE", { traveler: () => ({ passengers: 30, adults: 25 }) }),
  quote("a key with a space", { idempotency_key: "my key" }, "INVALID_REQUEST"),
  { flaw: "a policy under another name", tool: "get_policy", args: { policy_key: "refund" }, code: "INVALID_REQUEST", sends: { policy_key: "cancellation" } },
  { flaw: "a misspelled route key", tool: "get_transfer_route", args: { route_key: "zurich-airport-to-zermat" }, code: "UNSUPPORTED_ROUTE", sends: { route_key: "zurich-airport-to-zermatt" } },
  { flaw: "a misspelled end of a route", tool: "get_transfer_route", args: { origin: "ZRH", destination: "Zermat" }, code: "UNSUPPORTED_ROUTE", sends: { destination: "Zermatt" } },
  { flaw: "a route by key and pair", tool: "get_transfer_route", args: { route_key: "zurich-airport-to-zermatt", origin: "ZRH", destination: "Zermatt" }, code: "INVALID_REQUEST", sends: without("origin") },
  { flaw: "a misspelled place of the list", tool: "list_transfer_services", args: { origin: "Zermat" }, code: "INVALID_LOCATION", sends: { origin: "Zermatt" } },
];
