import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { MeasuredRoute, Router, RouteStop } from "../../src/domain/routing/router.ts";

const ZURICH_AIRPORT: RouteStop = { name: "Zurich Airport", roadNode: "zurich-airport", lat: 47.4515, lng: 8.5646 };
const BERN: RouteStop = { name: "Bern", roadNode: null, lat: 46.9486, lng: 7.4391 };
const LAUSANNE: RouteStop = { name: "Lausanne", roadNode: null, lat: 46.5167, lng: 6.6291 };
const MEDITERRANEAN: RouteStop = { name: "The sea", roadNode: null, lat: 42.5, lng: 5.5 };
const SUMMER = new Date("2027-07-15T10:00:00Z");

/**
 * What every Router guarantees, over real roads. `open` returns a router that covers Switzerland and registers its own
 * clean-up on `t`.
 */
export function routerContract(name: string, open: (t: TestContext) => Promise<Router>): void {
  suite(`Router contract: ${name}`, () => {
    test("measures a known journey within a tenth", async (t) => {
      const route = await measure(await open(t), [ZURICH_AIRPORT, BERN]);
      assert.ok(route.distanceKm > 117 && route.distanceKm < 143, `${route.distanceKm} km`);
      assert.ok(route.durationMinutes > 65 && route.durationMinutes < 120, `${route.durationMinutes} min`);
    });

    test("returns hectometers, whole minutes and whole Rappen", async (t) => {
      const route = await measure(await open(t), [ZURICH_AIRPORT, BERN, LAUSANNE]);
      assert.equal(route.distanceKm, Math.round(route.distanceKm * 10) / 10);
      assert.ok(Number.isInteger(route.durationMinutes));
      assert.ok(Number.isInteger(route.feesRappen) && route.feesRappen >= 0);
      for (const { text } of [...route.notes, ...route.doubts]) assert.match(text, /^[A-Z].*\.$/);
    });

    test("adds up the legs between the stops in their order", async (t) => {
      const router = await open(t);
      const first = await measure(router, [ZURICH_AIRPORT, BERN]);
      const second = await measure(router, [BERN, LAUSANNE]);
      const both = await measure(router, [ZURICH_AIRPORT, BERN, LAUSANNE]);
      assert.ok(Math.abs(both.distanceKm - first.distanceKm - second.distanceKm) < 0.3);
      assert.ok(Math.abs(both.durationMinutes - first.durationMinutes - second.durationMinutes) <= 2);
      assert.deepEqual(
        both.stageMinutes?.map(
          (minutes, index) => Math.abs(minutes - ([first, second][index]?.durationMinutes ?? 0)) <= 1,
        ),
        [true, true],
      );
      assert.equal(
        (both.stageMinutes ?? []).reduce((sum, minutes) => sum + minutes, 0),
        both.durationMinutes,
      );
      const otherOrder = await measure(router, [BERN, ZURICH_AIRPORT, LAUSANNE]);
      assert.ok(otherOrder.distanceKm > both.distanceKm + 50);
    });

    test("measures nothing between a stop and itself", async (t) => {
      const route = await measure(await open(t), [ZURICH_AIRPORT, ZURICH_AIRPORT]);
      assert.deepEqual([route.distanceKm, route.durationMinutes, route.feesRappen], [0, 0, 0]);
    });

    test("uses the position where the road node is unknown", async (t) => {
      const router = await open(t);
      const known = await measure(router, [ZURICH_AIRPORT, BERN]);
      const unknown = await measure(router, [{ ...ZURICH_AIRPORT, roadNode: "no-such-node" }, BERN]);
      assert.ok(Math.abs(known.distanceKm - unknown.distanceKm) < 5);
    });

    test("rejects a stop that lies off the roads", async (t) => {
      const router = await open(t);
      for (const stops of [
        [ZURICH_AIRPORT, MEDITERRANEAN],
        [MEDITERRANEAN, BERN],
        [BERN, MEDITERRANEAN, LAUSANNE],
      ]) {
        await assert.rejects(measure(router, stops), { code: /^(UNSUPPORTED_ROUTE|INVALID_LOCATION)$/ });
      }
    });

    test("names itself and its data, on every route and after every start", async (t) => {
      const router = await open(t);
      assert.match(router.basis, /^[A-Z][A-Z_]*$/);
      assert.ok(router.dataVersion.length > 0);
      assert.equal((await open(t)).dataVersion, router.dataVersion);
      assert.equal((await measure(router, [ZURICH_AIRPORT, BERN])).dataVersion, router.dataVersion);
    });

    test("resolves a ping while it is available", async (t) => {
      await (await open(t)).ping();
    });
  });
}

function measure(router: Router, stops: readonly RouteStop[]): Promise<MeasuredRoute> {
  return router.measure(stops, SUMMER, AbortSignal.timeout(30_000));
}
