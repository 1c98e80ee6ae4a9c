import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { silentLog } from "../../src/ops/log.ts";
import type { RoutingEngineName } from "../../src/routing/engines/routing-engines.ts";
import { EAST, setUpOver, WEST } from "../support/engine-router.ts";
import type { RoadEngineWire, WireLeg } from "../support/road-engine-wires.ts";

/** Which measurements of a foreign engine every router rejects. */
export function enginePlausibilityContract(name: RoutingEngineName, wire: RoadEngineWire): void {
  const setUp = setUpOver(name, wire);

  suite(`${name}: plausibility`, () => {
    // West to east is 30.9 km as the crow flies.
    const implausible: Readonly<Record<string, readonly WireLeg[]>> = {
      "shorter than the crow flies": [{ km: 30.5, minutes: 30 }],
      "more than four times that": [{ km: 124, minutes: 100 }],
      "faster than 115 km/h": [{ km: 40, minutes: 20 }],
      "slower than 15 km/h": [{ km: 40, minutes: 161 }],
      "in no time": [{ km: 40, minutes: 0 }],
      "beyond all numbers": [{ km: 1e300, minutes: 1e300 }],
      "with a leg too few": [],
      "with a leg too many": [
        { km: 40, minutes: 35 },
        { km: 40, minutes: 35 },
      ],
    };
    for (const [what, legs] of Object.entries(implausible)) {
      test(`rejects a measurement ${what} with ROUTE_UNAVAILABLE, its reason in the log only`, async (t) => {
        const warnings: object[] = [];
        const log = { ...silentLog, warn: (facts: object) => void warnings.push(facts) };
        const { measure, asked } = await setUp(t, legs, { log });
        await assert.rejects(measure([WEST, EAST]), { code: "ROUTE_UNAVAILABLE", message: /not plausible/ });
        await assert.rejects(measure([WEST, EAST]), { code: "ROUTE_UNAVAILABLE" });
        assert.equal(asked(), 2, "it is not cached");
        assert.match(JSON.stringify(warnings[0]), /"reason":"(leg 0: |\d legs between)/);
      });
    }

    test("accepts a measurement at each limit", async (t) => {
      for (const leg of [
        { km: 31, minutes: 30 },
        { km: 123, minutes: 90 },
        { km: 40, minutes: 21 },
        { km: 40, minutes: 159 },
      ]) {
        const { measure } = await setUp(t, [leg]);
        assert.equal((await measure([WEST, EAST])).distanceKm, leg.km);
      }
    });

    // 0.3 km as the crow flies.
    const near = { ...WEST, name: "near", lat: 46.0027 };

    test("accepts a short leg with a detour, driven slowly", async (t) => {
      for (const leg of [
        { km: 1.5, minutes: 6 },
        { km: 1.9, minutes: 12 },
        { km: 0.4, minutes: 6 },
        { km: 0.2, minutes: 0.1 },
      ]) {
        const { measure } = await setUp(t, [leg]);
        assert.equal((await measure([WEST, near])).distanceKm, leg.km);
      }
      const { measure } = await setUp(t, [
        { km: 40, minutes: 35 },
        { km: 0, minutes: 0 },
      ]);
      assert.equal((await measure([WEST, EAST, EAST])).distanceKm, 40);
    });

    test("rejects a short leg beyond its own limits", async (t) => {
      for (const leg of [
        { km: 60, minutes: 60 },
        { km: 1.9, minutes: 0.5 },
        { km: 1.9, minutes: 13 },
        { km: 1.9, minutes: 1e9 },
        { km: 1e-300, minutes: 1e300 },
      ]) {
        const { measure } = await setUp(t, [leg]);
        await assert.rejects(measure([WEST, near]), { code: "ROUTE_UNAVAILABLE" }, JSON.stringify(leg));
      }
    });

    test("allows many short legs together no more than one", async (t) => {
      const stops = Array.from({ length: 12 }, (_, index) => ({ ...WEST, lat: 46 + index / 100_000 }));
      for (const [leg, isPlausible] of [
        [{ km: 0.02, minutes: 0.1 }, true],
        [{ km: 3.9, minutes: 9 }, false],
        [{ km: 0.1, minutes: 5 }, false],
      ] as const) {
        const { measure } = await setUp(
          t,
          Array.from({ length: 11 }, () => leg),
        );
        if (isPlausible) assert.equal((await measure(stops)).distanceKm, 0.2);
        else await assert.rejects(measure(stops), { code: "ROUTE_UNAVAILABLE" }, JSON.stringify(leg));
      }
    });
  });
}
