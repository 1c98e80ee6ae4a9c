import { z } from "zod/v3";
import { Operator, travelTimes } from "./quote.ts";

/** Body of POST /checkout-sessions. */
export const CheckoutRequest = z
  .object({
    quote_id: z.string().min(1).max(64).describe("quote_id of a live quote of your own"),
    fleet_id: z.number().int().min(1).describe("fleet_id of the option that the traveler chose"),
    traveler_approval: z.boolean().describe("true only if the traveler has explicitly approved this vehicle and price"),
  })
  .strict();

/** A signed link to the hosted checkout; no booking, payment or hold. */
export const CheckoutHandoff = z
  .object({
    checkout_url: z.string().describe("opaque; give it to the traveler unchanged"),
    quote_id: z.string(),
    fleet_id: z.number().int(),
    total_price: z.number(),
    currency: z.string(),
    vat_included: z.boolean().default(true),
    expires_at: z.string().datetime({ offset: true }).nullable().optional(),
    request_id: z.string().nullable().optional(),
    non_binding: z.boolean().default(true),
    reservation_status: z.string().default("not_reserved"),
    status: z.string().default("open"),
    vehicle_class: z.string().optional(),
    vehicle_type: z.string().optional(),
    pickup_datetime: z.string().datetime({ offset: true }).optional(),
    flight_number: z.string().optional(),
    ...travelTimes,
    limitations: z.array(z.string()).optional().describe("show these to the traveler"),
    operator: Operator.optional(),
  })
  .passthrough();
export type CheckoutHandoff = z.output<typeof CheckoutHandoff>;

/** A message to the traveler who has chosen an option, for pages in other languages. */
export const PageNotice = z
  .object({
    code: z.string().describe("open enumeration"),
    values: z.record(z.union([z.string(), z.number()])),
    text: z.string(),
  })
  .passthrough();
