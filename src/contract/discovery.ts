import { z } from "zod/v3";
import { nullableCount, Operator, openObject, WaypointOut } from "./quote.ts";

/** Responses of the discovery operations: published facts that do not depend on a journey. */

const publishedMetrics = {
  distance_km: z.number().nullable().optional(),
  duration_min: z.number().int().nullable().optional(),
};

/** Published facts about one corridor; never the basis of a price. */
export const Route = openObject({
  route_key: z.string(),
  origin: z.string(),
  destination: z.string(),
  transfer_type: z.string().describe("airport, resort or city"),
  verification_state: z.string().describe("PUBLISHED_BASELINE = from the catalog, not measured for you"),
  ...publishedMetrics,
  normalized_origin: z.string().default(""),
  normalized_destination: z.string().default(""),
  quotable: z.boolean().default(true),
  route_contract_version: z.string().nullable().optional(),
  routing_basis: z.string().nullable().optional(),
  live_context: z
    .record(z.unknown())
    .nullable()
    .optional()
    .describe("closures and car trains of the catalog today; no live traffic"),
  waypoints: z.array(WaypointOut).optional(),
  via: z
    .string()
    .optional()
    .describe("roads, passes, tunnels, car trains, borders (CH–IT); absent where today's way is another, as in note"),
  note: z.string().optional().describe("how these figures relate to a quote's"),
});
export type Route = z.output<typeof Route>;

/** One published corridor; carries no price. */
export const TransferService = openObject({
  route_key: z.string(),
  origin: z.string(),
  destination: z.string(),
  transfer_type: z.string().describe("airport, resort or city"),
  ...publishedMetrics,
  drop_offs: z
    .array(openObject({ place: z.string(), car_stops_at: z.string() }))
    .optional()
    .describe("car-free ends: distance and duration are those to the place where the car stops"),
});

export const TransferServiceList = openObject({
  services: z.array(TransferService),
  note: z.string().optional().describe("what to do where services is empty"),
});

/** A published vehicle class: no rates and no availability. */
export const VehicleClass = openObject({
  vehicle_class: z.string(),
  passenger_capacity: z.number().int(),
  vehicle_type: z.string().nullable().optional(),
  luggage_capacity: nullableCount(),
  large_luggage_capacity: nullableCount(),
  small_luggage_capacity: nullableCount().describe("cabin bags; luggage_capacity limits all pieces"),
  special_item_places: z.number().int().optional().describe("room for special items beside the luggage"),
  instant_bookable: z.boolean().default(false).describe("false = on request, cannot be continued to checkout"),
});

export const LuggageDefinition = openObject({
  label: z.string(),
  description: z.string(),
  max_dimensions_cm: z.array(z.number().int()),
  typical_weight_kg: z.array(z.number().int()),
  counts_as: z.number().int().describe("luggage units per piece"),
});

/** What a traveler may bring or order besides luggage. */
export const SpecialItemKind = openObject({
  kind: z.string(),
  label: z.string().describe("singular name"),
  description: z.string().describe("how it travels, who brings it"),
  special_item_places: z.number().int().optional().describe("room that one takes; 0 = none"),
  price: z.number().optional().describe("absent if not published"),
  price_per: z.string().optional().describe("item, or item and direction"),
  currency: z.string().optional(),
});

const NotOffered = z
  .array(openObject({ item: z.string(), next_action: z.string() }))
  .optional()
  .describe("what the traveler asks the operator about");

export const VehicleClassList = openObject({
  vehicle_classes: z.array(VehicleClass),
  luggage_definitions: z.record(LuggageDefinition).describe("by kind of luggage"),
  special_item_kinds: z.array(z.string()).describe("declared separately, not counted as luggage units"),
  special_items: z.array(SpecialItemKind).optional().describe("what each kind is and costs"),
  not_offered: NotOffered,
});

export const PartialRefund = openObject({ hours: z.number(), percent: z.number() });

export const PolicyOperator = Operator.extend({ payment_methods: z.string().optional() });

export const Policy = openObject({
  policy_key: z.string(),
  policy_version: z.string(),
  full_refund_cutoff_hours: z.number(),
  partial_refunds: z.array(PartialRefund).optional().describe("after the full refund; then nothing"),
  policy_text: z.string(),
  note: z.string().optional().describe("how to cancel, or whom to ask about a payment"),
  vat_percent: z.number().optional().describe("VAT in prices of journeys within the operator's country"),
  operator: PolicyOperator.optional().describe("whom travelers contact, for changes after booking too"),
});

/** Added to the fare, or deducted if negative. A condition that is absent does not limit it. */
const Surcharge = openObject({
  label: z.string(),
  percent: z.number(),
  percent_of: z.string().optional().describe("absent: the fare"),
  amount: z.number().optional(),
  days: z.array(z.string()).optional(),
  weekdays: z.array(z.string()).optional(),
  hours: z.string().optional(),
  return_within_days: z
    .number()
    .int()
    .nullable()
    .optional()
    .describe("only with a return at most this many local days later, 0 = the same day, null = any; of both fares"),
  vehicle_classes: z.array(z.string()).optional(),
  routes: z.array(z.string()).optional(),
});

/** Lead time and horizon of some vehicle classes or routes. A condition that is absent does not limit it. */
const BookingWindow = openObject({
  lead_time_hours: z.number().optional().describe("least hours before the pickup; absent: as in notes"),
  horizon_days: z.number().optional().describe("most days before the pickup; absent: as in notes"),
  vehicle_classes: z.array(z.string()),
  routes: z.array(z.string()).optional(),
});

/** The fields of a quote request and their meaning, as reference data; requests are not validated against it. */
export const QuoteRequirements = openObject({
  notes: z.string(),
  fields: z.array(openObject({ name: z.string(), required: z.boolean(), type: z.string(), description: z.string() })),
  bookability_states: z.array(z.string()).optional(),
  booking_windows: z
    .array(BookingWindow)
    .optional()
    .describe("where lead time or horizon differ from notes; of several, the strictest counts"),
  surcharges: z.array(Surcharge).optional().describe("when prices are higher or lower, by local pickup time"),
  not_offered: NotOffered,
});
