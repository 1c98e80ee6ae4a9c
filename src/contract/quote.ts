import { z } from "zod/v3";

export const instant = () => z.string().datetime({ offset: true });

/** Part of a response, of which clients ignore what they do not know. */
export function openObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).passthrough();
}

/** Arrival times and cancellation deadlines; absent if unknown. */
export const travelTimes = {
  arrival_datetime: instant().optional().describe("end of the outbound journey or hire, with stops and car trains"),
  return_arrival_datetime: instant().optional(),
  free_cancellation_until: instant().nullable().optional().describe("null = has passed; absent on an estimate"),
  return_free_cancellation_until: instant().nullable().optional().describe("of the return; null = has passed"),
};
/** Where the traveler meets the driver, and the way that was measured, in the words of a driver. */
export const directions = {
  meeting_point: z.string().optional().describe("where the traveler meets the driver; absent at an exact address"),
  return_meeting_point: z.string().optional(),
  via: z
    .string()
    .optional()
    .describe("the way that was measured: roads, passes, tunnels, car trains, borders (CH–IT); absent if not known"),
  return_via: z.string().optional().describe("absent where the return takes the same roads"),
};

export const nullableCount = () => z.number().int().nullable().optional();

/** What a text or position was read as. */
export const PlaceOut = openObject({
  name: z.string(),
  town: z.string().optional().describe("where it is; absent if that is itself, and for an airport"),
  country: z.string().optional(),
  kind: z.string().describe("airport, station, town, resort, village, site, address or position; open enumeration"),
});

export const WaypointOut = openObject({
  name: z.string(),
  lat: z.number().optional().describe("as sent"),
  lng: z.number().optional(),
  near: z.string().optional().describe("place at lat, lng; always show it with name, which is then only a label"),
  place: PlaceOut.optional().describe("what it was read as"),
  stop_duration_min: nullableCount().describe("stop duration in minutes; null = not specified"),
});

export const SpecialItemOut = openObject({ kind: z.string(), count: z.number().int() });

export const RouteBasis = openObject({
  authority: z
    .string()
    .nullable()
    .optional()
    .describe("SERVER_VERIFIED = measured by the service; CLIENT_PROVIDED = your metrics (estimate only)"),
  automatically_payable: z.boolean().default(false).describe("true = chargeable without human review"),
  distance_km: z.number().nullable().optional(),
  duration_min: nullableCount(),
  measured_at: instant().nullable().optional(),
  route_contract_version: z.string().nullable().optional(),
  route_fingerprint: z.string().nullable().optional().describe("equal for the same journey and road data"),
  routing_basis: z.string().nullable().optional().describe("routing engine and data; open enumeration"),
});

export const PriceLine = openObject({ label: z.string(), amount: z.number() });

export const QuoteOption = openObject({
  fleet_id: z.number().int().describe("identifies this option at checkout; valid within this quote only"),
  vehicle_class: z.string(),
  vehicle_type: z.string(),
  passenger_capacity: z.number().int(),
  total_price: z.number().describe("for the whole journey, including VAT"),
  currency: z.string(),
  waiting_step_price: z.number().optional().describe("of each started waiting_step_min beyond the free waiting"),
  luggage_capacity: nullableCount(),
  large_luggage_capacity: nullableCount(),
  small_luggage_capacity: nullableCount(),
  on_request: z.boolean().default(false),
  requires_manual_confirmation: z.boolean().default(false).describe("true = cannot be continued to checkout"),
  vat_amount: z.number().optional().describe("VAT in total_price; absent if not shown separately"),
  price_lines: z.array(PriceLine).optional().describe("what total_price consists of; absent: the fare and fees"),
});
export type QuoteOption = z.output<typeof QuoteOption>;

/** A change of the request with which the cheapest option costs less, priced as a quote would. */
export const Saving = openObject({
  text: z.string(),
  change: z.record(z.unknown()).describe("fields to send instead; null = leave it out"),
  total_price: z.number().describe("of the cheapest option then"),
});

/** The company that drives, and how the traveler reaches it. */
export const Operator = openObject({
  name: z.string(),
  phone: z.string(),
  email: z.string(),
  website: z.string().optional(),
  terms_url: z.string().optional(),
  vat_number: z.string().optional(),
  phone_hours: z.string().optional(),
});

/** An authoritative quote or, with `quote_id` null, an estimate. */
export const Quote = openObject({
  status: z.string().describe("open, expired or estimate; open enumeration"),
  origin: z.string(),
  destination: z.string(),
  passengers: z.number().int(),
  luggage: z.number().int(),
  adults: z.number().int(),
  route_basis: RouteBasis.describe("source of distance and duration"),
  children: z.number().int().default(0),
  infants: z.number().int().default(0),
  large_luggage: nullableCount().describe("absent = not stated"),
  special_items: z.array(SpecialItemOut).optional(),
  flight_number: z.string().optional(),
  origin_place: PlaceOut.optional().describe("what origin was read as"),
  destination_place: PlaceOut.optional().describe("what destination was read as"),
  quote_id: z.string().nullable().optional().describe("opaque; null on an estimate"),
  request_id: z.string().nullable().optional(),
  pickup_datetime: instant().nullable().optional(),
  return_datetime: instant().nullable().optional(),
  ...travelTimes,
  expires_at: instant().nullable().optional().describe("end of validity, 30 minutes after issue"),
  currency: z.string().default("CHF"),
  non_binding: z.boolean().default(true).describe("true = no booking, no vehicle held"),
  reservation_status: z.string().default("not_reserved"),
  requires_manual_confirmation: z.boolean().default(false),
  ...directions,
  free_waiting_min: z.number().int().optional().describe("at the outbound pickup; absent where options differ"),
  return_free_waiting_min: z.number().int().optional().describe("at the return pickup"),
  waiting_step_min: z.number().int().optional(),
  limitations: z.array(z.string()).optional().describe("show these to the traveler"),
  fees: z
    .array(PriceLine)
    .optional()
    .describe("where options have no price_lines: what each total_price contains besides the fare"),
  savings: z
    .array(Saving)
    .optional()
    .describe(
      "at most two changes that cost less; flights are not moved; absent does not mean that no other time is cheaper",
    ),
  options: z.array(QuoteOption).optional().describe("priced vehicles; order is not stable"),
  waypoints: z.array(WaypointOut).optional().describe("stops as priced"),
  vat_percent: z.number().optional().describe("VAT included; absent if not shown separately"),
  operator: Operator.optional().describe("who drives; contact for journeys that cannot be quoted"),
  next_action: z.string().optional().describe("what to do next, and whom to ask about a payment"),
  request: z.record(z.unknown()).optional().describe("of an expired quote: the arguments to ask for it again"),
});
export type Quote = z.output<typeof Quote>;
