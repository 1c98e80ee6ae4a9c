import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

suite("the default catalog", () => {
  const { corridors, vehicleClasses, tariff, policies, requirements, luggage } = loadCatalog(DEFAULT_CATALOG);

  test("publishes at least 25 corridors, each under the key of its two places", () => {
    assert.ok(corridors.length >= 25, `${corridors.length} corridors`);
    for (const { key, origin, destination } of corridors) assert.equal(key, `${origin}-to-${destination}`);
  });

  test("publishes every corridor in both directions with the same figures", () => {
    for (const { origin, destination, distanceKm, durationMinutes } of corridors) {
      const back = corridors.find((other) => other.origin === destination && other.destination === origin);
      assert.deepEqual(
        [back?.distanceKm, back?.durationMinutes],
        [distanceKm, durationMinutes],
        `${origin} ${destination}`,
      );
    }
  });

  test("has six or more vehicle classes from sedan to coach on request", () => {
    const ids = vehicleClasses.map(({ id }) => id);
    assert.ok(ids.length >= 6);
    assert.deepEqual([ids[0], ids.at(-1)], ["sedan", "coach"]);
    assert.deepEqual(
      vehicleClasses.filter(({ onRequest }) => onRequest).map(({ id }) => id),
      ["coach"],
    );
    assert.ok(
      Math.max(...vehicleClasses.map(({ passengerCapacity }) => passengerCapacity)) >= 50,
      "seats the largest party",
    );
    assert.ok(
      Math.max(...vehicleClasses.map(({ luggageCapacity }) => luggageCapacity)) >= 50,
      "takes the most luggage",
    );
  });

  test("charges for a further hour of hire no less than for the kilometers it includes", () => {
    for (const [vehicle, { furtherHourRappen, perKmRappen }] of Object.entries(tariff.rates))
      assert.ok(furtherHourRappen >= tariff.hourly.includedKmPerHour * perKmRappen, vehicle);
  });

  test("refunds in full until 24 hours before the pickup", () => {
    assert.deepEqual(
      policies.map(({ key, fullRefundCutoffHours }) => [key, fullRefundCutoffHours]),
      ["cancellation", "payment", "changes", "invoice"].map((key) => [key, 24]),
    );
  });

  test("states the numbers of the tariff in policies and requirements", () => {
    assert.match(
      policies[0]?.text ?? "",
      /up to 24 hours before the pickup\..* 60 minutes after landing at airports and 15 minutes elsewhere\./,
    );
    assert.match(requirements.notes, /at least 4 hours and at most 365 days ahead/);
  });

  test("defines luggage, and special items apart from it", () => {
    assert.ok(Object.keys(luggage.definitions).length >= 2);
    for (const { maxDimensionsCm, typicalWeightKg } of Object.values(luggage.definitions)) {
      assert.deepEqual([maxDimensionsCm.length, typicalWeightKg.length], [3, 2]);
    }
    for (const kind of ["skis", "golf_bag", "wheelchair", "stroller"])
      assert.ok(
        luggage.specialItems.some((item) => item.kind === kind),
        kind,
      );
  });
});
