import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aService } from "../support/service.ts";

/** A family with seats and skis, an address at each end and a stop under a name of their own. */
const FAMILY = {
  origin: "Hotel Krone, Thun",
  destination: "Hotel Schweizerhof, Zermatt",
  waypoints: [{ name: "Aunt Mary", lat: 46.948, lng: 7.4474, stop_duration_min: 30 }],
  passengers: 4,
  adults: 2,
  children: 2,
  luggage: 4,
  large_luggage: 2,
  special_items: [
    { kind: "child_seat", count: 2 },
    { kind: "skis", count: 4 },
  ],
  flight_number: "LX 39",
  waiting_minutes: 15,
};

test("an expired link returns the request without flight and special items, its places reduced to towns, and the price", async (t) => {
  const service = await aService(t);
  const token = await service.token();
  const { body: quote } = await service.api("/quotes", { token, body: aQuoteRequest(FAMILY) });
  const option = quote.options.find((each: { vehicle_class: string }) => each.vehicle_class === "van");
  const terms = { quote_id: quote.quote_id, fleet_id: option.fleet_id, traveler_approval: true };
  const { body: handoff } = await service.api("/checkout-sessions", { token, body: terms });
  const link = `/checkout-sessions/${quote.quote_id}${new URL(handoff.checkout_url).search}`;
  assert.equal((await service.api(link)).status, 200);
  service.clock.advance(30 * 60_000);
  const { status, body } = await service.api(link);
  assert.equal(status, 409);
  const { operator, legs, translations, ...offer } = body.expired_offer;
  const { flight_number: flight, special_items: items, ...shown } = FAMILY;
  assert.deepEqual(offer, {
    ...shown,
    origin: "Thun",
    destination: "Zermatt",
    waypoints: [{ name: "Bern", stop_duration_min: 30 }],
    pickup_datetime: quote.pickup_datetime,
    return_datetime: null,
    infants: 0,
    duration_hours: null,
    vehicle_class: "van",
    vehicle_type: option.vehicle_type,
    total_price: option.total_price,
    currency: "CHF",
  });
  assert.doesNotMatch(JSON.stringify(body), /Krone|Schweizerhof|Mary|46\.948|LX 39|child_seat|skis/);
  assert.deepEqual(
    legs.map(({ place }: { place: string }) => place),
    ["Thun", "Bern", "Täsch", "Zermatt"],
  );
  assert.equal(operator.name, quote.operator.name);

  const { vehicle_class, vehicle_type, total_price, currency, duration_hours, ...again } = offer;
  const all = { ...again, flight_number: flight, special_items: items };
  const { body: second } = await service.api("/quotes", { token, body: all });
  const sameClass = second.options.find((each: { vehicle_class: string }) => each.vehicle_class === "van");
  assert.equal(sameClass.total_price, option.total_price);
});
