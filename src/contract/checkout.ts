import { z } from "zod/v3";

/** Body of POST /checkout-sessions. */
export const CheckoutRequest = z
  .object({
    quote_id: z.string().min(1).max(64).describe("quote_id of a live quote of your own"),
    fleet_id: z.number().int().gt(0).describe("fleet_id of the option the traveler chose in that quote"),
    traveler_approval: z
      .boolean()
      .describe("true only when the traveler has explicitly approved this vehicle and price"),
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
    expires_at: z.string().datetime({ offset: true }).nullable().optional(),
    request_id: z.string().nullable().optional(),
    non_binding: z.boolean().default(true),
    reservation_status: z.string().default("not_reserved"),
    status: z.string().default("open"),
  })
  .passthrough();
export type CheckoutHandoff = z.output<typeof CheckoutHandoff>;
