import assert from "node:assert/strict";
import { test } from "node:test";
import type { Surcharge } from "../../../src/domain/pricing/charge.ts";
import { priceOf } from "../../../src/domain/pricing/price.ts";
import { pricedDirection } from "../../../src/domain/pricing/priced-direction.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";

const catalog = { ...defaultCatalog.catalog, fares: [] };
const seasons = [-10, 20, -5, 15].map((percent, index) => ({ id: `s${index}`, label: `Season ${index}`, percent }));
const nowhere = { placeId: null, zoneIds: [] };

/** How often the price of such a hire reads the surcharges of an hour. */
function readsOf(hours: number): number {
  let reads = 0;
  const measured = {
    ...{ pickupAt: new Date("2026-12-08T14:00:00+01:00"), points: [nowhere, nowhere], isRoundTrip: true, waits: [] },
    ...{ distanceKm: 900, drivingMinutes: 600, trainsRappen: 0, tollsRappen: 0, keepsFixedFare: false },
    ...{ staysThere: true, ways: [] },
  };
  const outbound = pricedDirection({ ...catalog, seasons }, measured, hours);
  const counted = (surcharges: readonly Surcharge[]) =>
    new Proxy(surcharges, {
      get(target, key, receiver) {
        if (key === "filter") reads += 1;
        return Reflect.get(target, key, receiver);
      },
    });
  const hire = outbound.hire && { ...outbound.hire, hours: outbound.hire.hours.map(counted) };
  const request = { outbound: { ...outbound, hire }, return: null, isHire: true, parts: [], items: [] };
  assert.ok(priceOf(catalog.tariff, "sedan", request));
  return reads;
}

test("the price of a hire with discount seasons reads each hour once", () => {
  assert.deepEqual([24, 240].map(readsOf), [24, 240]);
});
