import type { SaleEventPayload } from "../contract/sale-events.ts";
import type { OutboxEvent } from "../stores/outbox.ts";

/** What the operator's own systems receive. */
export function payloadOf(event: OutboxEvent): SaleEventPayload {
  const { type, at: timestamp, surface, client } = event;
  const options = event.options.map(({ vehicleClass, totalRappen }) => ({
    vehicle_class: vehicleClass,
    total_price: totalRappen / 100,
  }));
  const sale = {
    quote_id: event.quoteId,
    expires_at: event.expiresAt,
    corridor: event.corridor,
    origin: event.origin,
    destination: event.destination,
    distance_km: event.distanceKm,
    tariff_version: event.tariffVersion,
    currency: "CHF",
  } as const;
  if (type === "quote.created") return { type, timestamp, data: { ...sale, options, surface, client } };
  if (type === "quote.expired") return { type, timestamp, data: { ...sale, options } };
  const [chosen] = options;
  if (!chosen) throw new Error(`${event.id} names no option`);
  if (type === "handoff.opened") return { type, timestamp, data: { ...sale, ...chosen } };
  return { type, timestamp, data: { ...sale, ...chosen, surface, client } };
}
