import { z } from "zod/v3";

const instant = () => z.string().datetime();
const nullableCount = () => z.number().int().nullable().optional();

export const WaypointOut = z
  .object({
    name: z.string(),
    stop_duration_min: nullableCount().describe("dwell in minutes; null = not asked"),
  })
  .passthrough();

export const RouteBasis = z
  .object({
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
    route_fingerprint: z
      .string()
      .nullable()
      .optional()
      .describe("same journey and road data, same fingerprint"),
    routing_basis: z.string().nullable().optional().describe("engine and data; open enumeration"),
  })
  .passthrough();

export const QuoteOption = z
  .object({
    fleet_id: z.number().int().describe("names this option at checkout; valid within this quote only"),
    vehicle_class: z.string(),
    vehicle_type: z.string(),
    passenger_capacity: z.number().int(),
    total_price: z.number().describe("whole journey, VAT included"),
    currency: z.string(),
    luggage_capacity: nullableCount(),
    large_luggage_capacity: nullableCount(),
    small_luggage_capacity: nullableCount(),
    on_request: z.boolean().default(false),
    requires_manual_confirmation: z.boolean().default(false).describe("true = checkout is refused"),
  })
  .passthrough();

/** An authoritative quote or, with `quote_id` null, an estimate. */
export const Quote = z
  .object({
    status: z.string().describe("open, expired or estimate; open enumeration"),
    origin: z.string(),
    destination: z.string(),
    passengers: z.number().int(),
    luggage: z.number().int(),
    adults: z.number().int(),
    route_basis: RouteBasis.describe("where distance and duration came from"),
    children: z.number().int().default(0),
    infants: z.number().int().default(0),
    quote_id: z.string().nullable().optional().describe("opaque; null on an estimate"),
    request_id: z.string().nullable().optional(),
    pickup_datetime: instant().nullable().optional(),
    return_datetime: instant().nullable().optional(),
    expires_at: instant().nullable().optional().describe("end of the 30 minutes"),
    currency: z.string().default("CHF"),
    non_binding: z.boolean().default(true).describe("true = no booking, no vehicle held"),
    reservation_status: z.string().default("not_reserved"),
    requires_manual_confirmation: z.boolean().default(false),
    limitations: z.array(z.string()).optional().describe("tell the traveler these"),
    options: z.array(QuoteOption).optional().describe("priced vehicles; order is not stable"),
    waypoints: z.array(WaypointOut).optional().describe("stops as priced"),
  })
  .passthrough();
export type Quote = z.input<typeof Quote>;
