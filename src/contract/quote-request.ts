import { z } from "zod/v3";
import { DateTime, listOf, PlaceText } from "./request-fields.ts";

const BOOKING_TYPES = ["point_to_point", "hourly"] as const;

/** One intermediate stop, in travel order. */
export const WaypointIn = z.strictObject({
  name: PlaceText.describe("place, like origin; only a label beside lat and lng"),
  lat: z.number().min(-90).max(90).optional().describe("with lng"),
  lng: z.number().min(-180).max(180).optional().describe("with lat"),
  place_id: z.string().max(256).optional().describe("your own reference"),
  stop_duration_min: count(720).optional().describe("minutes; 0 = drive through; omitted = no stay priced"),
});

/** Of one kind of special item. */
export const MOST_OF_A_KIND = 50;

/** Oversized items and extras, which do not count as luggage units. */
export const SpecialItem = z.strictObject({
  kind: z.string().min(1).max(64).describe("such as skis, bicycle, child_seat, pet; all in special_item_kinds"),
  count: z.number().int().min(1).max(MOST_OF_A_KIND).describe("how many"),
});

/** Body of POST /quotes. No field can set distance, price, currency or vehicle. */
export const QuoteRequest = z.strictObject({
  origin: PlaceText.describe('pickup: name ("Zurich Airport"), IATA code, "street, town" or "lat, lng"'),
  destination: PlaceText.optional().describe(
    "drop-off, like origin; omit it for an hourly hire that ends at origin, with its places in waypoints",
  ),
  pickup_datetime: DateTime.optional().describe(
    "local time with UTC offset, after the lead time; at an airport: the scheduled landing; this or arrive_by",
  ),
  arrive_by: DateTime.optional().describe("the car is there by then, before check-in or a connection"),
  booking_type: z
    .enum(BOOKING_TYPES)
    .default("point_to_point")
    .describe("hourly: car and driver stay; needs duration_hours"),
  passengers: z.number().int().min(1).max(50).default(1).describe("all travelers, infants too"),
  adults: count(50).optional().describe("state it with children; omitted = passengers"),
  children: count(50).default(0).describe("must be stated if there are any"),
  infants: count(50).default(0).describe("each needs a seat"),
  luggage: count(50).default(0).describe("pieces, as in list_vehicle_classes"),
  large_luggage: count(50).optional().describe("of luggage; excludes vehicles without the room"),
  special_items: listOf(SpecialItem, 20).default([]).describe("not luggage"),
  flight_number: z
    .string()
    .min(2)
    .max(10)
    .regex(/^ *[A-Za-z0-9][A-Za-z0-9 ]*$/, 'Must be letters, digits and spaces, such as "LX 39"')
    .optional()
    .describe('of the outbound journey, such as "LX 39"'),
  waiting_minutes: count(1440).default(0).describe("minutes at the pickup; the first are free"),
  duration_hours: z.number().min(0).max(240).optional().describe("hours of the hire, with booking_type hourly"),
  waypoints: listOf(WaypointIn, 10).optional().describe("stops in travel order; the driver waits"),
  return_datetime: DateTime.optional().describe("return pickup; the driver does not wait for it; omitted = one way"),
});
export type QuoteRequest = z.output<typeof QuoteRequest>;

/** Body of POST /quote-intents: the only request that accepts the caller's own distance and duration. */
export const EstimateRequest = QuoteRequest.extend({
  distance_km: z.number().min(0).max(5000).optional().describe("your own distance, one way; omitted = measured"),
  duration_min: count(100_000).optional().describe("your own driving time, one way; omitted = measured"),
});
export type EstimateRequest = z.output<typeof EstimateRequest>;

function count(most: number) {
  return z.number().int().min(0).max(most);
}
