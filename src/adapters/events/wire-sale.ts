import type { OutboxEvent } from "../../domain/sales/outbox.ts";

/** A sale as events and `find` name it. */
export function wireSale(event: Omit<OutboxEvent, "type" | "failures">) {
  return {
    quote_id: event.quoteId,
    expires_at: event.expiresAt,
    corridor: event.corridor,
    origin: event.origin,
    destination: event.destination,
    stops: event.stops,
    distance_km: event.distanceKm,
    tariff_version: event.tariffVersion,
    currency: "CHF",
  } as const;
}

export function wireOptions({ options }: Pick<OutboxEvent, "options">) {
  return options.map(({ vehicleClass, totalRappen }) => ({
    vehicle_class: vehicleClass,
    total_price: totalRappen / 100,
  }));
}
