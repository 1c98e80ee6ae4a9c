import { z } from "zod/v3";
import { CheckoutJourney } from "./checkout.ts";

/** What the ledger keeps of a sale: no personal data. */
const SaleFields = z.object({
  quote_id: z.string(),
  expires_at: z.string().datetime().describe("until when the quote can be handed to checkout"),
  corridor: z.string().nullable().describe("key of the published corridor; null if the journey follows none"),
  origin: z.string().nullable().describe("id of a place or zone in the catalog; null outside of them"),
  destination: z.string().nullable(),
  stops: z.array(z.string().nullable()).readonly().describe("like origin, in order of travel"),
  distance_km: z.number().describe("of the outbound journey"),
  tariff_version: z.string(),
  currency: z.literal("CHF"),
});

const Option = z.object({ vehicle_class: z.string(), total_price: z.number().describe("VAT included") });

const Shown = z.object({
  terms_digest: z
    .string()
    .optional()
    .describe("SHA-256, in hex, of the canonical JSON of what the traveler is shown of the option"),
  journey: CheckoutJourney.nullable().describe(
    "what the traveler is shown of it, with personal data; null once the quote has been deleted",
  ),
});

const CallFacts = z.object({
  surface: z.string().describe("rest, mcp or stdio"),
  client: z.string().nullable().describe("the client that the token was issued to; null if the token names none"),
});

const Offered = SaleFields.extend({ options: z.array(Option).describe("every class of the quote") });

/** The `data` of each event type. */
export const SaleEventData = {
  "quote.created": Offered.merge(CallFacts),
  "handoff.requested": SaleFields.merge(Option).merge(Shown).merge(CallFacts),
  "quote.confirmed": Offered,
  "handoff.created": SaleFields.merge(Option).merge(Shown).merge(CallFacts),
  "handoff.opened": SaleFields.merge(Option).merge(Shown),
  "quote.expired": Offered,
} as const;

/** The body of a delivery, as Standard Webhooks recommends it. */
export const SaleEventPayload = z.discriminatedUnion("type", [
  payload("quote.created"),
  payload("handoff.requested"),
  payload("quote.confirmed"),
  payload("handoff.created"),
  payload("handoff.opened"),
  payload("quote.expired"),
]);
export type SaleEventPayload = z.output<typeof SaleEventPayload>;

function payload<Type extends keyof typeof SaleEventData>(type: Type) {
  const timestamp = z.string().datetime().describe("when it happened; the same in every repeated delivery");
  return z.object({ type: z.literal(type), timestamp, data: SaleEventData[type] });
}
