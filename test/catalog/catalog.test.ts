import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { embeddedPricing } from "../../src/compose/compose-pricing.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

suite("a placeholder", () => {
  test("follows the tariff of the operator's folder", (t) => {
    const folder = aCatalogFolder(t);
    changeCatalog(folder, "tariff.json", (tariff) => ({ ...(tariff as object), leadTimeHours: 1.5 }));
    assert.match(loadCatalog(folder).requirements.notes, /at least 1\.5 hours and at most 365 days ahead/);
  });
});

suite("the default catalog", () => {
  const { corridors, vehicleClasses, tariff, policies, requirements, budgets, luggage } = loadCatalog(DEFAULT_CATALOG);

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

  test("names and classifies a corridor by its two ends", () => {
    const { places } = embeddedPricing({ catalogDir: DEFAULT_CATALOG });
    for (const { key, origin, destination } of corridors)
      assert.notEqual(places.nameOf(origin), places.nameOf(destination), key);
    const types = new Map(corridors.map(({ key, transferType }) => [key, transferType]));
    assert.equal(types.get("zurich-airport-to-zermatt"), "resort");
    assert.equal(types.get("zurich-airport-to-zurich"), "airport");
    assert.equal(types.get("bern-to-zurich"), "city");
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

  test("has the rates of the operator", () => {
    const { sedan, van, first_class, minibus } = tariff.rates;
    assert.deepEqual(sedan && [sedan.baseRappen, sedan.perKmRappen, sedan.minimumRappen], [2_000, 280, 8_000]);
    assert.deepEqual(
      [van, first_class, minibus].map((rate) => rate?.perKmRappen),
      [340, 550, 550],
    );
    assert.deepEqual(sedan && [sedan.firstHourRappen, sedan.furtherHourRappen], [8_000, 7_200]);
    assert.equal(tariff.hourly.includedKmPerHour, 25);
    assert.deepEqual(tariff.night, { fromHour: 0, toHour: 6, percent: 20 });
    assert.equal(tariff.holidays.percent, 10);
    assert.deepEqual(tariff.waiting, { freeMinutesAtAirports: 60, freeMinutes: 15, stepMinutes: 15 });
    assert.equal(tariff.sameDayReturnDiscountPercent, 5);
    assert.deepEqual([tariff.leadTimeHours, tariff.horizonDays, tariff.roundingRappen], [4, 365, 5]);
    assert.deepEqual([tariff.currency, tariff.timeZone], ["CHF", "Europe/Zurich"]);
  });

  test("charges for a further hour of hire no less than for the kilometers it includes", () => {
    for (const [vehicle, { furtherHourRappen, perKmRappen }] of Object.entries(tariff.rates))
      assert.ok(furtherHourRappen >= tariff.hourly.includedKmPerHour * perKmRappen, vehicle);
  });

  test("refunds in full until 24 hours before the pickup", () => {
    assert.deepEqual(
      policies.map(({ key, fullRefundCutoffHours }) => [key, fullRefundCutoffHours]),
      [["cancellation", 24]],
    );
  });

  test("states the numbers of the tariff in policies and requirements", () => {
    assert.match(
      policies[0]?.text ?? "",
      /up to 24 hours before the pickup\..* 60 minutes after landing at airports and 15 minutes elsewhere\./,
    );
    assert.match(requirements.notes, /at least 4 hours and at most 365 days ahead/);
  });

  test("has the budgets of the public document", () => {
    assert.deepEqual(budgets, {
      discovery: { points: 120, seconds: 60 },
      routing: { points: 60, seconds: 60 },
      quote_estimate: { points: 20, seconds: 60 },
      quote_authoritative: { points: 10, seconds: 60 },
      quote_read: { points: 60, seconds: 60 },
      checkout: { points: 5, seconds: 60 },
      auth_failure: { points: 10, seconds: 300 },
    });
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
