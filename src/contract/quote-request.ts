import { z } from "zod/v3";
import { DateTime } from "./date-time.ts";
import { PlaceText } from "./place-text.ts";

const BOOKING_TYPES = ["point_to_point", "hourly"] as const;

/** One intermediate stop, in travel order. */
export const WaypointIn = z
  .object({
    name: PlaceText.describe("place or address; only a label when lat and lng are given"),
    lat: z.number().min(-90).max(90).nullable().optional().describe("degrees, with lng"),
    lng: z.number().min(-180).max(180).nullable().optional().describe("degrees, with lat"),
    place_id: z.string().max(256).nullable().optional().describe("your own reference; not used to locate the stop"),
    stop_duration_min: z
      .number()
      .int()
      .min(0)
      .max(720)
      .nullable()
      .optional()
      .describe("minutes; null = not specified, 0 = drive through"),
  })
  .strict();

const count = (most: number) => z.number().int().min(0).max(most);

/** Oversized items and extras, never converted into luggage units. */
export const SpecialItem = z
  .object({
    kind: z.string().min(1).max(64).describe("one of special_item_kinds"),
    count: z.number().int().min(1).max(50).describe("how many"),
  })
  .strict();

const journeyFields = {
  origin: PlaceText.describe('pickup place: name, IATA code, "street, town" or "lat, lng", e.g. "Zurich Airport"'),
  destination: PlaceText.optional().describe('drop-off place, written like origin, e.g. "Zermatt"; optional if hourly'),
  pickup_datetime: DateTime.describe(
    "RFC 3339 with UTC offset, e.g. 2027-01-15T14:30:00+01:00; at least 4 hours ahead",
  ),
  booking_type: z
    .enum(BOOKING_TYPES)
    .default("point_to_point")
    .describe("point_to_point, or hourly: car and driver stay (needs duration_hours)"),
  passengers: z.number().int().min(1).max(50).default(1).describe("number of travelers; determines the price"),
  adults: count(50).nullable().optional().describe("adults among them; null or omitted = passengers"),
  children: count(50).default(0).describe("children; a party with children must state them"),
  infants: count(50).default(0).describe("infants; each needs a seat"),
  luggage: count(50).default(0).describe("pieces of luggage, counted as list_vehicle_classes defines"),
  large_luggage: count(50).optional().describe("large pieces among luggage; leaves out vehicles too small for them"),
  special_items: z
    .array(SpecialItem)
    .max(20)
    .default([])
    .describe("skis, child seats and the like; kinds in list_vehicle_classes"),
  waiting_minutes: count(1440).default(0).describe("waiting at the pickup; the first minutes are free"),
  duration_hours: z
    .number()
    .min(0)
    .max(240)
    .nullable()
    .optional()
    .describe("hours of hire; only for booking_type hourly"),
  waypoints: z
    .array(WaypointIn)
    .max(10)
    .nullable()
    .optional()
    .describe('stops in travel order, where the driver waits, such as [{"name": "Lucerne", "stop_duration_min": 30}]'),
  return_datetime: DateTime.nullable()
    .optional()
    .describe("pickup of the return, RFC 3339 with UTC offset; the driver does not wait for it; null = one way"),
};

/** Body of POST /quotes. No field can set distance, price, currency or vehicle. */
export const QuoteRequest = z.object(journeyFields).strict();
export type QuoteRequest = z.output<typeof QuoteRequest>;

/** Body of POST /quote-intents: the only request with a distance and duration of the caller. */
export const EstimateRequest = z
  .object({
    ...journeyFields,
    distance_km: z
      .number()
      .min(0)
      .max(5000)
      .nullable()
      .optional()
      .describe("your own distance in km, one way; measured when omitted"),
    duration_min: z
      .number()
      .int()
      .min(0)
      .max(100_000)
      .nullable()
      .optional()
      .describe("your own driving time in minutes, one way; measured when omitted"),
  })
  .strict();
export type EstimateRequest = z.output<typeof EstimateRequest>;
