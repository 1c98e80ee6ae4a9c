import { z } from "zod/v3";
import { CheckoutHandoff } from "../src/contract/checkout.ts";
import { quoteExpired, quoteNotFound } from "../src/contract/errors.ts";
import { WaypointOut } from "../src/contract/quote.ts";
import { defineOperation } from "../src/engine/operation.ts";
import { isExpired } from "../src/quotes/quote.ts";
import { wireHandoff } from "../tools/wire-handoff.ts";

/** What the traveler's page shows beside the hand-over itself. */
const ResolvedHandoff = CheckoutHandoff.extend({
  vehicle_class: z.string(),
  vehicle_type: z.string(),
  passenger_capacity: z.number().int(),
  origin: z.string(),
  destination: z.string(),
  pickup_datetime: z.string().datetime(),
  return_datetime: z.string().datetime().nullable(),
  waypoints: z.array(WaypointOut),
  passengers: z.number().int(),
  limitations: z.array(z.string()),
}).passthrough();

/** For the traveler's page, not for an agent: the same shape as a tool, the same path, but not listed over MCP. */
export const resolveCheckoutHandoff = defineOperation({
  name: "resolve_checkout_handoff",
  title: "Resolve a continuation link",
  description:
    "Returns the terms of the option that a signed continuation link names. The signature is the credential.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "signature" },
  rateTier: "quote_read",

  input: z
    .object({
      quote_id: z.string().min(1).max(64).describe("quote_id of the link"),
      fleet_id: z.number().int().gt(0).describe("fleet_id of the link"),
      sig: z
        .string()
        .regex(/^[\w-]{43}$/, "Not a signature of this service")
        .describe("sig of the link"),
    })
    .strict(),
  output: ResolvedHandoff,

  async handle({ quote_id, fleet_id, sig }, { quotes, checkout, clock, requestId }) {
    checkout.assertEnabled();
    const quote = await quotes.find(quote_id);
    const option = quote?.options.find(({ fleetId }) => fleetId === fleet_id);
    if (!quote || !option || !checkout.vouchesFor(quote, fleet_id, sig)) throw quoteNotFound();
    if (isExpired(quote, clock.now())) throw quoteExpired(quote.expiresAt);
    return {
      ...wireHandoff(quote, option, checkout, requestId),
      vehicle_class: option.vehicleClass,
      vehicle_type: option.vehicleType,
      passenger_capacity: option.passengerCapacity,
      origin: quote.origin,
      destination: quote.destination,
      pickup_datetime: quote.pickupAt,
      return_datetime: quote.returnAt,
      waypoints: quote.stops.map(({ name, dwellMinutes }) => ({ name, stop_duration_min: dwellMinutes })),
      passengers: quote.passengers,
      limitations: [...quote.limitations],
    };
  },
});
