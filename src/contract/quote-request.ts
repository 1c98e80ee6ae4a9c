import { z } from "zod/v3";
import { DateTime } from "./date-time.ts";
import { listOf, optional, PlaceText, withDefault } from "./request-fields.ts";

const BOOKING_TYPES = ["point_to_point", "hourly"] as const;

/** One intermediate stop, in travel order. */
export const WaypointIn = z
  .object({
    name: PlaceText.describe("place or address; only a label when lat and lng are given"),
    lat: optional(z.number().min(-90).max(90)).describe("degrees, with lng"),
    lng: optional(z.number().min(-180).max(180)).describe("degrees, with lat"),
    place_id: optional(z.string().max(256)).describe("your own reference; not used to locate the stop"),
    stop_duration_min: optional(count(720)).describe("minutes; 0 = drive through, omitted = not specified"),
  })
  .strict();

/** Oversized items and extras, never converted into luggage units. */
export const SpecialItem = z
  .object({
    kind: z.string().min(1).max(64).describe("one of special_item_kinds"),
    count: z.number().int().min(1).max(50).describe("how many"),
  })
  .strict();

/** Body of POST /quotes. No field can set distance, price, currency or vehicle. */
export const QuoteRequest = z
  .object({
    origin: PlaceText.describe('pickup place: name, IATA code, "street, town" or "lat, lng", e.g. "Zurich Airport"'),
    destination: optional(PlaceText).describe(
      'drop-off place, written like origin, e.g. "Zermatt"; optional if hourly',
    ),
    pickup_datetime: DateTime.describe(
      "RFC 3339 with UTC offset, e.g. 2027-01-15T14:30:00+01:00; at least 4 hours ahead",
    ),
    booking_type: withDefault(z.enum(BOOKING_TYPES), "point_to_point").describe(
      "point_to_point, or hourly: car and driver stay (needs duration_hours)",
    ),
    passengers: withDefault(z.number().int().min(1).max(50), 1).describe("number of travelers; determines the price"),
    adults: optional(count(50)).describe("adults among them; omitted = passengers"),
    children: withDefault(count(50), 0).describe("children; a party with children must state them"),
    infants: withDefault(count(50), 0).describe("infants; each needs a seat"),
    luggage: withDefault(count(50), 0).describe("pieces of luggage, counted as list_vehicle_classes defines"),
    large_luggage: optional(count(50)).describe("large pieces among luggage; leaves out vehicles too small for them"),
    special_items: withDefault(listOf(SpecialItem, 20), []).describe(
      "skis, child seats and the like; kinds in list_vehicle_classes",
    ),
    waiting_minutes: withDefault(count(1440), 0).describe("waiting at the pickup; the first minutes are free"),
    duration_hours: optional(z.number().min(0).max(240)).describe("hours of hire; only for booking_type hourly"),
    waypoints: optional(listOf(WaypointIn, 10)).describe(
      'stops in travel order, where the driver waits, such as [{"name": "Lucerne", "stop_duration_min": 30}]',
    ),
    return_datetime: optional(DateTime).describe(
      "pickup of the return, RFC 3339 with UTC offset; the driver does not wait for it; omitted = one way",
    ),
  })
  .strict();
export type QuoteRequest = z.output<typeof QuoteRequest>;

/** Body of POST /quote-intents: the only request with a distance and duration of the caller. */
export const EstimateRequest = QuoteRequest.extend({
  distance_km: optional(z.number().min(0).max(5000)).describe("your own distance in km, one way; measured if omitted"),
  duration_min: optional(count(100_000)).describe("your own driving time in minutes, one way; measured if omitted"),
});
export type EstimateRequest = z.output<typeof EstimateRequest>;

function count(most: number) {
  return z.number().int().min(0).max(most);
}
